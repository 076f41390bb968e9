"""Uploads in parts that were never finished: billed, and shown in no listing of objects."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from gpufleet.cleanup.account import Account, Gap, ask, or_none
from gpufleet.cleanup.lifecycle import Lifecycle

MEASURED = 100
"""Uploads of a bucket whose parts are added up; each takes a question of its own."""
_ABORT = "s3:AbortMultipartUpload"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One that was begun."""

    key: str
    upload_id: str
    begun: datetime
    aborts_at: datetime | None
    """When the bucket's rules give it up; None where they never do."""
    bytes: int | None
    """Of the parts that arrived; None where they were not added up."""

    def stray(self, now: datetime) -> bool:
        """Whether it is older than the bucket's rules allow."""
        return self.aborts_at is not None and self.aborts_at <= now

    def as_document(self, now: datetime) -> dict[str, Any]:
        """The fields as JSON."""
        return {
            "key": self.key,
            "upload_id": self.upload_id,
            "begun": self.begun.isoformat(),
            "aborts_at": self.aborts_at.isoformat() if self.aborts_at else None,
            "stray": self.stray(now),
            "bytes": self.bytes,
        }


def find(
    account: Account, region: str, bucket: str, prefix: str, lifecycle: Lifecycle, limit: int, gaps: list[Gap]
) -> tuple[list[Upload], bool]:
    """The uploads of a bucket below a prefix, no more than `limit`, and whether these are all."""
    listed = account.pages("s3", region, "list_multipart_uploads", "Uploads", Bucket=bucket, Prefix=prefix)
    entries = ask(lambda: list(islice(listed, limit + 1)), "s3:ListBucketMultipartUploads", bucket, gaps) or []
    found: list[Upload] = []
    for entry in entries[:limit]:
        key, upload_id = entry["Key"], entry["UploadId"]
        size = _size(account, region, bucket, key, upload_id, gaps) if len(found) < MEASURED else None
        found.append(
            Upload(
                key=key,
                upload_id=upload_id,
                begun=entry["Initiated"],
                aborts_at=lifecycle.aborted_at(key, entry["Initiated"]),
                bytes=size,
            )
        )
    return found, len(entries) <= limit


def abort(account: Account, region: str, bucket: str, uploads: Iterable[Upload], gaps: list[Gap]) -> list[Upload]:
    """Give the uploads up; returns those that are gone now. One that S3 has given up meanwhile counts."""
    return [upload for upload in uploads if ask(_abort(account, region, bucket, upload), _ABORT, bucket, gaps)]


def _abort(account: Account, region: str, bucket: str, upload: Upload) -> Callable[[], bool]:
    def give_up() -> bool:
        s3 = account.client("s3", region)
        or_none(
            lambda: s3.abort_multipart_upload(Bucket=bucket, Key=upload.key, UploadId=upload.upload_id), "NoSuchUpload"
        )
        return True

    return give_up


def _size(account: Account, region: str, bucket: str, key: str, upload_id: str, gaps: list[Gap]) -> int | None:
    def total() -> int | None:
        parts = account.pages("s3", region, "list_parts", "Parts", Bucket=bucket, Key=key, UploadId=upload_id)
        return or_none(lambda: sum(part["Size"] for part in parts), "NoSuchUpload")

    return ask(total, "s3:ListMultipartUploadParts", bucket, gaps)
