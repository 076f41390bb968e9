"""Buckets and the resources beside them that carry their settings (the provider's version 7 split)."""

from collections.abc import Callable, Iterator
from typing import Any

from pulumi_policy import PolicyResource

from ._reading import read
from ._stack import Stack

BUCKETS = ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2")


def side(kind: str) -> tuple[str, ...]:
    """Return the tokens, new and old, of a side resource: `BucketPolicy` gives `aws:s3/bucketPolicy:BucketPolicy`."""
    return tuple(f"aws:s3/{name[0].lower()}{name[1:]}:{name}" for name in (kind, f"{kind}V2"))


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
