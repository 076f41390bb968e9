"""A workspace's data and keys, and what the destruction of the keys would come to."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from gpufleet.cleanup import contents
from gpufleet.cleanup.account import NOTHING, Account, Gap, ask, or_none
from gpufleet.cleanup.buckets import Bucket
from gpufleet.cleanup.contents import Contents, Tally, Window
from gpufleet.cleanup.keys import SCHEDULED, Key
from gpufleet.cleanup.tagged import WORKSPACE_TAG
from gpufleet.cleanup.uses import Use

_CAN_BE_SCHEDULED = ("Disabled", "Enabled", SCHEDULED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Under which keys some objects really are: the bucket's default may have been another when they were written."""

    looked_at: int = 0
    under_own_key: int = 0
    unknown: int = 0
    """That S3 said nothing about."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where data of the workspace lies: a bucket of its own, or its prefix in a shared one."""

    bucket: Bucket
    prefix: str
    contents: Contents | None
    """None where the bucket may not be listed."""
    under_own_key: bool
    """Whether the bucket encrypts under one of the workspace's keys."""
    sample: Sample

    def as_document(self) -> dict[str, Any]:
        """The place as JSON."""
        return {
            "bucket": self.bucket.name,
            "region": self.bucket.region,
            "purpose": self.bucket.purpose,
            "prefix": self.prefix,
            "key": self.bucket.key,
            "becomes_unreadable": self.under_own_key,
            "contents": self.contents.as_document() if self.contents else None,
            "sample": asdict(self.sample),
            "copied_to": list(self.bucket.copies),
        }


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """One workspace in the regions that were looked at."""

    name: str
    keys: tuple[Key, ...]
    places: tuple[Place, ...]
    uses: tuple[Use, ...]
    obstacles: tuple[str, ...]
    """Why its keys must not be destroyed; empty where they may."""

    def total(self, *, unreadable: bool) -> Tally:
        """Objects and old versions that can no longer, or still, be read once the keys are off."""
        sum_ = Tally()
        for place in self.places:
            if place.contents and place.under_own_key == unreadable:
                for tally in (place.contents.current, place.contents.old_versions):
                    sum_.objects, sum_.bytes = sum_.objects + tally.objects, sum_.bytes + tally.bytes
        return sum_

    @property
    def complete(self) -> bool:
        """Whether everything was counted."""
        return all(place.contents is not None and place.contents.complete for place in self.places)

    def deletion_date(self, window: Window, window_days: int) -> datetime:
        """When the last of the keys is gone: as it is scheduled, else as it would be if it were scheduled now."""
        due = window.now + timedelta(days=window_days)
        dates = [datetime.fromisoformat(key.deletion_date) if key.deletion_date else due for key in self.keys]
        return max(dates, default=due).astimezone(UTC)

    def doubts(self) -> list[str]:
        """What is to be known before believing that everything becomes unreadable."""
        found: list[str] = []
        for place in self.places:
            where, sample = f"s3://{place.bucket.name}/{place.prefix}", place.sample
            aside = sample.looked_at - sample.under_own_key - sample.unknown
            if place.under_own_key and aside:
                found.append(f"{where}: {aside} of {sample.looked_at} objects looked at are not under the key and stay")
            if place.under_own_key and sample.unknown:
                found.append(f"{where}: of {sample.unknown} objects it is not known under which key they are")
            if place.bucket.copies:
                copies = ", ".join(place.bucket.copies)
                found.append(f"{where}: is copied to {copies}, where this key does not reach")
        return found

    def as_document(self, window: Window, window_days: int) -> dict[str, Any]:
        """The workspace as JSON."""
        return {
            "name": self.name,
            "keys": [key.as_document() for key in self.keys],
            "places": [place.as_document() for place in self.places],
            "uses": [use.as_document() for use in self.uses],
            "shredding": {
                "possible": not self.obstacles,
                "obstacles": list(self.obstacles),
                "window_days": window_days,
                "deletion_date": self.deletion_date(window, window_days).isoformat(timespec="seconds"),
                "becomes_unreadable": asdict(self.total(unreadable=True)),
                "stays_readable": asdict(self.total(unreadable=False)),
                "complete": self.complete,
                "doubts": self.doubts(),
            },
        }


def places(
    account: Account,
    name: str,
    buckets: Sequence[Bucket],
    keys: Sequence[Key],
    window: Window,
    limit: int,
    gaps: list[Gap],
    progress: Callable[[str], None],
) -> Iterator[Place]:
    """Where the workspace has data: all of its own buckets, and below `NAME/` in those that nobody has for himself."""
    for bucket in buckets:
        if bucket.workspace not in (None, name) or bucket.purpose == "access-logs":
            continue
        prefix = "" if bucket.workspace else f"{name}/"

        def listed(bucket: Bucket = bucket, prefix: str = prefix) -> Contents:
            return contents.count(
                account, bucket.region, bucket.name, prefix, bucket.lifecycle, window, limit, progress
            )

        counted = ask(listed, "s3:ListBucketVersions", bucket.name, gaps)
        if counted == Contents() and not bucket.workspace:
            continue
        yield Place(
            bucket=bucket,
            prefix=prefix,
            contents=counted,
            under_own_key=any(key.is_named(bucket.key) for key in keys),
            sample=_sample(account, bucket, counted, keys, gaps) if counted and keys else Sample(),
        )


def obstacles(
    name: str, keys: Sequence[Key], shared: Sequence[str], uses: Sequence[Use], unseen: Sequence[Gap]
) -> Iterator[str]:
    """Why the keys must not be destroyed.

    Args:
        name: the workspace.
        keys: that are tagged as its own.
        shared: what the keys that it has in common with others are called.
        uses: everything that is under its keys.
        unseen: what could not be looked at for other uses.
    """
    if not keys:
        under = f"; what it has lies under {', '.join(shared)}, and so does what others have" if shared else ""
        yield (
            f"workspace {name} has no key of its own: no key of the stack is tagged {WORKSPACE_TAG}={name}{under}. "
            "Its data ends by lifecycle, or by deleting it with all its versions"
        )
    for key in keys:
        if key.multi_region:
            yield f"{key.label} exists in several regions ({key.arn}): its replicas have to be deleted first"
        if key.state not in _CAN_BE_SCHEDULED:
            yield f"{key.label} is {key.state}: KMS deletes keys that are {', '.join(_CAN_BE_SCHEDULED[:2])} only"
    for use in uses:
        if use.workspace != name:
            whose = f"workspace {use.workspace}'s" if use.workspace else f"without tag {WORKSPACE_TAG}={name}"
            label = next((key.label for key in keys if key.arn == use.key_arn), use.key_arn)
            yield f"{label} also encrypts {use.what} {use.name}, which is {whose}"
    for gap in unseen:
        yield f"it cannot be told whether others use the key: {gap.permission} is missing on {gap.on}"


def _sample(account: Account, bucket: Bucket, counted: Contents, keys: Sequence[Key], gaps: list[Gap]) -> Sample:
    s3 = account.client("s3", bucket.region)
    own = unknown = 0
    before = len(gaps)
    for key, version in counted.sampled:
        which = {"Key": key, "VersionId": version} if version else {"Key": key}
        head = ask(
            # S3 may answer 400 where the key is off already.
            lambda which=which: or_none(lambda: s3.head_object(Bucket=bucket.name, **which), "400", "404"),
            "s3:GetObjectVersion" if version else "s3:GetObject",
            bucket.name,
            gaps,
        )
        if len(gaps) > before:
            return Sample(looked_at=len(counted.sampled), under_own_key=own, unknown=len(counted.sampled) - own)
        unknown += head is None
        own += any(own_key.is_named((head or NOTHING).get("SSEKMSKeyId")) for own_key in keys)
    return Sample(looked_at=len(counted.sampled), under_own_key=own, unknown=unknown)
