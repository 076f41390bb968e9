"""Buckets and the resources beside them that carry their settings (the provider's version 7 split)."""

from collections.abc import Callable, Iterator
from typing import Any

from pulumi_policy import PolicyResource

from ._reading import read
from ._stack import Stack

BUCKETS = ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2")
_INLINE_LOGGING = ("logging", "loggings")


def side(kind: str) -> tuple[str, ...]:
    """Return the tokens, new and old, of a side resource: `BucketPolicy` gives `aws:s3/bucketPolicy:BucketPolicy`."""
    return tuple(f"aws:s3/{name[0].lower()}{name[1:]}:{name}" for name in (kind, f"{kind}V2"))


def log_targets(stack: Stack) -> set[str]:
    """Return the URNs of the buckets that take the access logs of others, or may do so."""
    found: set[str] = set()
    for log in stack.of(*side("BucketLogging")):
        found |= _led_to(stack, log, "targetBucket", read(log.props, "targetBucket"))
    for bucket in stack.of(*BUCKETS):
        for key in _INLINE_LOGGING:
            found |= _led_to(stack, bucket, key, read(bucket.props, key, "targetBucket"))
    return found


def logged(stack: Stack) -> set[str]:
    """Return the URNs of the buckets whose accesses are logged."""
    found: set[str] = set()
    for log in stack.of(*side("BucketLogging")):
        found |= _led_to(stack, log, "bucket", read(log.props, "bucket"))
    for bucket in stack.of(*BUCKETS):
        if any(read(bucket.props, key, "targetBucket") is not None for key in _INLINE_LOGGING):
            found.add(bucket.urn)
    return found


def _led_to(stack: Stack, resource: PolicyResource, key: str, value: object) -> set[str]:
    return {bucket.urn for bucket in stack.links(resource, key, value, *BUCKETS).all}


def unmet(
    stack: Stack, kind: str, faults: Callable[[Any], list[str]], inline: Callable[[Any], Any] = lambda _: None
) -> Iterator[tuple[PolicyResource, str]]:
    """Yield (resource to blame, fault) for each bucket without a setting and for each setting that is wrong.

    A side resource belongs to the bucket that its reference leads to, or may lead to; a name would not do, since at
    preview it is not known. `faults` says what is wrong with the side resource's properties; `inline` returns the same
    settings where they are still written on the bucket itself, else `None`.
    """
    sides = stack.of(*side(kind))
    served: set[str] = set()
    for resource in sides:
        served.update(
            bucket.urn for bucket in stack.links(resource, "bucket", read(resource.props, "bucket"), *BUCKETS).all
        )
    settings: list[tuple[PolicyResource, Any]] = [(resource, resource.props) for resource in sides]
    for bucket in stack.of(*BUCKETS):
        own = inline(bucket.props)
        if own is not None:
            settings.append((bucket, own))
        elif bucket.urn not in served:
            yield bucket, f"has no {kind}"
    for resource, found in settings:
        for fault in faults(found):
            yield resource, fault
