"""What lies in a bucket, or below a prefix of it, and what of that its rules will remove by when."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from gpufleet.cleanup.account import Account
from gpufleet.cleanup.lifecycle import Lifecycle

SAMPLE = 25
"""Objects, spread evenly over all that were listed, of which is asked under which key they really are."""
_A_PAGE = 1000


@dataclass(slots=True)
class Tally:
    """So many objects, or versions of them, with so many bytes."""

    objects: int = 0
    bytes: int = 0

    def add(self, size: int) -> None:
        """Count one more."""
        self.objects += 1
        self.bytes += size


@dataclass(frozen=True)
class Going:
    """What the rules remove: what is due already (S3 takes up to some days), and what becomes due in the days asked."""

    now: Tally = field(default_factory=Tally)
    soon: Tally = field(default_factory=Tally)

    def add(self, at: datetime | None, size: int, window: "Window") -> None:
        """Count an object that goes at `at`."""
        if at is None or at > window.until:
            return
        (self.now if at <= window.now else self.soon).add(size)


@dataclass(frozen=True)
class Window:
    """The moment of the listing, and for how far ahead it tells."""

    now: datetime
    days: int

    @property
    def until(self) -> datetime:
        """The end of it."""
        return self.now + timedelta(days=self.days)


@dataclass
class Contents:
    """The sums of a listing. What is listed is counted, and only `sampled` is kept."""

    current: Tally = field(default_factory=Tally)
    old_versions: Tally = field(default_factory=Tally)
    delete_markers: int = 0
    expiring: Going = field(default_factory=Going)
    """Current objects. In a bucket with versions they become old versions, and cost until those go."""
    removing: Going = field(default_factory=Going)
    """Old versions, for good."""
    complete: bool = True
    """Whether everything was listed; otherwise all numbers are `at least`."""
    sampled: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Keys and version ids; the current object of a key goes without."""

    def as_document(self) -> dict[str, Any]:
        """The sums as JSON."""
        return {
            "objects": self.current.objects,
            "bytes": self.current.bytes,
            "old_versions": self.old_versions.objects,
            "old_version_bytes": self.old_versions.bytes,
            "delete_markers": self.delete_markers,
            "expiring": asdict(self.expiring),
            "removing": asdict(self.removing),
            "complete": self.complete,
        }


@dataclass(frozen=True, slots=True)
class _Version:
    key: str
    id: str
    written: datetime
    size: int
    """Of a delete marker: -1."""
    latest: bool


def count(
    account: Account,
    region: str,
    bucket: str,
    prefix: str,
    lifecycle: Lifecycle,
    window: Window,
    limit: int,
    progress: Callable[[str], None],
) -> Contents:
    """List and count, page by page, until `limit` versions are reached; the last page counts whole."""
    found = Contents()
    stride, seen = 1, 0
    for versions in _keys(_listed(account, region, bucket, prefix, limit, found, progress)):
        _count_one(versions, found, lifecycle, window)
        for version in versions:
            if version.size < 0:
                continue
            if seen % stride == 0:
                found.sampled.append((version.key, "" if version.latest else version.id))
                if len(found.sampled) >= 2 * SAMPLE:
                    found.sampled, stride = found.sampled[::2], 2 * stride
            seen += 1
    found.sampled = found.sampled[:: 2 if len(found.sampled) > SAMPLE else 1]
    return found


def _count_one(versions: list[_Version], found: Contents, lifecycle: Lifecycle, window: Window) -> None:
    """All versions of one key, the newest first."""
    replaced: datetime | None = None
    newer = 0
    for version in versions:
        if version.size < 0:
            found.delete_markers += 1
        elif version.latest:
            found.current.add(version.size)
            found.expiring.add(lifecycle.expires_at(version.key, version.size, version.written), version.size, window)
        else:
            found.old_versions.add(version.size)
            since = replaced or version.written
            at = lifecycle.removed_at(version.key, version.size, since, newer)
            found.removing.add(at, version.size, window)
        newer += not version.latest
        replaced = version.written


def _listed(
    account: Account,
    region: str,
    bucket: str,
    prefix: str,
    limit: int,
    found: Contents,
    progress: Callable[[str], None],
) -> Iterator[_Version]:
    seen = 0
    where = f"{bucket}/{prefix}"
    for page in _pages(account, region, bucket, prefix, min(limit, _A_PAGE)):
        versions = sorted(_versions(page), key=_newest_first)
        seen += len(versions)
        progress(f"{where}: {seen} versions listed")
        yield from versions
        if seen >= limit and page.get("IsTruncated"):
            found.complete = False
            return


def _pages(account: Account, region: str, bucket: str, prefix: str, size: int) -> Iterator[Any]:
    # A directory bucket keeps no versions, and has no operation to list them.
    operation = "list_objects_v2" if bucket.endswith("--x-s3") else "list_object_versions"
    paginator = account.client("s3", region).get_paginator(operation)
    return iter(paginator.paginate(Bucket=bucket, Prefix=prefix, PaginationConfig={"PageSize": size}))


def _versions(page: Any) -> Iterator[_Version]:
    for entry in page.get("Contents") or ():
        yield _Version(entry["Key"], "", entry["LastModified"], entry["Size"], True)
    for entry in page.get("Versions") or ():
        yield _Version(entry["Key"], entry["VersionId"], entry["LastModified"], entry["Size"], entry["IsLatest"])
    for entry in page.get("DeleteMarkers") or ():
        yield _Version(entry["Key"], entry["VersionId"], entry["LastModified"], -1, entry["IsLatest"])


def _newest_first(version: _Version) -> tuple[str, bool, float]:
    """S3 lists versions and markers apart, each in order, and tells times to the second."""
    return version.key, not version.latest, -version.written.timestamp()


def _keys(versions: Iterable[_Version]) -> Iterator[list[_Version]]:
    """Together what belongs to one key, also across pages; S3 lists keys in order."""
    together: list[_Version] = []
    for version in versions:
        if together and together[-1].key != version.key:
            yield together
            together = []
        together.append(version)
    if together:
        yield together
