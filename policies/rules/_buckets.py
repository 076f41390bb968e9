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


def with_sides(stack: Stack, kind: str) -> Iterator[tuple[PolicyResource, list[PolicyResource]]]:
    """Yield every bucket with the side resources of one kind that belong, or may belong, to it.

    They are matched by what the reference leads to, never by a name: at preview the name is not known.
    """
    found: dict[str, list[PolicyResource]] = {bucket.urn: [] for bucket in stack.of(*BUCKETS)}
    for resource in stack.of(*side(kind)):
        for bucket in stack.links(resource, "bucket", read(resource.props, "bucket"), *BUCKETS).all:
            found[bucket.urn].append(resource)
    for bucket in stack.of(*BUCKETS):
        yield bucket, found[bucket.urn]


def unmet(
    stack: Stack, kind: str, faults: Callable[[Any], list[str]], inline: Callable[[Any], Any] = lambda _: None
) -> Iterator[tuple[PolicyResource, str]]:
    """Yield (resource to blame, fault) for each bucket whose setting is missing or wrong.

    `faults` says what is wrong with the side resource's properties; `inline` returns the same settings where they are
    still written on the bucket itself, else `None`.
    """
    for bucket, sides in with_sides(stack, kind):
        own = inline(bucket.props)
        if not sides and own is None:
            yield bucket, f"has no {kind}"
        for resource, settings in [(bucket, own)] * (own is not None) + [(item, item.props) for item in sides]:
            for fault in faults(settings):
                yield resource, fault
