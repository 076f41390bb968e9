"""When S3 removes what, by a bucket's lifecycle rules: dates only, nothing is asked of AWS.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any

from gpufleet.cleanup.account import NOTHING


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What one rule that is switched on ends, after how many days. None: it does not end that."""

    id: str
    prefix: str = ""
    larger_than: int | None = None
    smaller_than: int | None = None
    """Bytes, both exclusive."""
    tagged: bool = False
    """Whether it asks for tags of the objects. Those are not looked up, so such a rule is shown and not counted."""
    expire_days: int | None = None
    expire_on: datetime | None = None
    old_version_days: int | None = None
    old_versions_kept: int = 0
    """That many of the newest old versions stay, whatever their age."""
    abort_days: int | None = None
    others: tuple[str, ...] = ()
    """What else it does: transitions, markers."""

    def covers(self, key: str, size: int | None = None) -> bool:
        """Whether it is about such an object; without a size, about such an upload."""
        if self.tagged or not key.startswith(self.prefix):
            return False
        if size is None:
            return True
        return (self.larger_than is None or size > self.larger_than) and (
            self.smaller_than is None or size < self.smaller_than
        )


@dataclass(frozen=True)
class Lifecycle:
    """All the rules of a bucket that are switched on; of several for the same object the earliest counts."""

    rules: tuple[Rule, ...] = ()

    def expires_at(self, key: str, size: int, written: datetime) -> datetime | None:
        """When a current object goes: for good, or to be an old version where the bucket keeps those."""
        found = [
            at
            for rule in self.rules
            if rule.covers(key, size)
            for at in (_due(written, rule.expire_days), rule.expire_on)
        ]
        return _earliest(found)

    def removed_at(self, key: str, size: int, since: datetime, newer: int) -> datetime | None:
        """When an old version goes for good.

        Args:
            key: of the object.
            size: in bytes.
            since: when it stopped being the current one.
            newer: how many old versions are newer than it.
        """
        found = [
            _due(since, rule.old_version_days)
            for rule in self.rules
            if rule.covers(key, size) and newer >= rule.old_versions_kept
        ]
        return _earliest(found)

    def aborted_at(self, key: str, begun: datetime) -> datetime | None:
        """When an upload that was never finished is given up."""
        return _earliest([_due(begun, rule.abort_days) for rule in self.rules if rule.covers(key)])

    @property
    def expires(self) -> bool:
        """Whether current objects go at all, be it some of them."""
        return any(rule.expire_days is not None or rule.expire_on is not None for rule in self.rules)

    def sentences(self) -> list[str]:
        """What the rules do, for people."""
        return [sentence for rule in self.rules for sentence in _sentences(rule)]


def read(rules: Iterable[Mapping[str, Any]]) -> Lifecycle:
    """The rules that are switched on, from what `GetBucketLifecycleConfiguration` lists."""
    return Lifecycle(tuple(_rule(rule) for rule in rules if rule.get("Status") == "Enabled"))


def _rule(rule: Mapping[str, Any]) -> Rule:
    filter_ = rule.get("Filter") or NOTHING
    wanted = filter_.get("And") or filter_
    expiration = rule.get("Expiration") or NOTHING
    old = rule.get("NoncurrentVersionExpiration") or NOTHING
    moved = [f"moves to {step['StorageClass']}" for step in rule.get("Transitions") or ()]
    markers = ["removes spent delete markers"] if expiration.get("ExpiredObjectDeleteMarker") else []
    return Rule(
        id=str(rule.get("ID") or "unnamed"),
        # Rules of the old form have their prefix outside of any filter.
        prefix=wanted.get("Prefix") or rule.get("Prefix") or "",
        larger_than=wanted.get("ObjectSizeGreaterThan"),
        smaller_than=wanted.get("ObjectSizeLessThan"),
        tagged=bool(wanted.get("Tag") or wanted.get("Tags")),
        expire_days=expiration.get("Days"),
        expire_on=expiration.get("Date"),
        old_version_days=old.get("NoncurrentDays"),
        old_versions_kept=old.get("NewerNoncurrentVersions") or 0,
        abort_days=(rule.get("AbortIncompleteMultipartUpload") or NOTHING).get("DaysAfterInitiation"),
        others=(*moved, *markers),
    )


def _sentences(rule: Rule) -> list[str]:
    found: list[str] = []
    if rule.expire_days is not None:
        found.append(f"objects expire {_days(rule.expire_days)} after they were written")
    if rule.expire_on is not None:
        found.append(f"objects expire on {rule.expire_on.date()}")
    if rule.old_version_days is not None:
        kept = f", but for the {rule.old_versions_kept} newest" if rule.old_versions_kept else ""
        found.append(f"old versions go {_days(rule.old_version_days)} after they were replaced{kept}")
    if rule.abort_days is not None:
        found.append(f"unfinished uploads go {_days(rule.abort_days)} after they began")
    found.extend(rule.others)
    where = f" below {rule.prefix}" if rule.prefix else ""
    asked = " (of objects with certain tags: not counted here)" if rule.tagged else ""
    return [f"{rule.id}: {sentence}{where}{asked}" for sentence in found]


def _days(count: int) -> str:
    return f"{count} day{'' if count == 1 else 's'}"


def _due(start: datetime, days: int | None) -> datetime | None:
    """S3 adds the days and rounds up to the next midnight, UTC."""
    if days is None:
        return None
    day = (start.astimezone(UTC) + timedelta(days=days)).date()
    return datetime.combine(day, time(), tzinfo=UTC) + timedelta(days=1)


def _earliest(found: Sequence[datetime | None]) -> datetime | None:
    return min((at for at in found if at is not None), default=None)
