"""The destruction of a workspace's keys: switched off at once, gone after a window in which it can be taken back."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from gpufleet.cleanup.account import Account, answered
from gpufleet.cleanup.keys import SCHEDULED, Key
from gpufleet.errors import MissingError


@dataclass(frozen=True, slots=True, kw_only=True)
class Destroyed:
    """What came of one key: the evidence."""

    key_arn: str
    outcome: Literal["scheduled", "was scheduled", "failed"]
    at: str
    """UTC."""
    deletion_date: str | None
    """From then on nobody can bring it back, AWS included."""
    request_id: str | None
    """Of ScheduleKeyDeletion; CloudTrail has it too."""
    error: str | None = None

    def as_document(self) -> dict[str, Any]:
        """The fields as JSON."""
        return {**asdict(self), "cancel": self.cancel}

    @property
    def cancel(self) -> str:
        """The commands that take it back, up to the deletion date. A key comes back switched off."""
        key = f"--key-id {self.key_arn.rpartition('/')[2]} --region {self.key_arn.split(':')[3]}"
        return f"aws kms cancel-key-deletion {key} && aws kms enable-key {key}"


def destroy(account: Account, keys: Sequence[Key], window_days: int) -> list[Destroyed]:
    """Switch each key off and schedule its deletion; a failure at one does not keep the others."""
    return [_destroy(account, key, window_days) for key in keys]


def _destroy(account: Account, key: Key, window_days: int) -> Destroyed:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    if key.state == SCHEDULED:
        return Destroyed(
            key_arn=key.arn, outcome="was scheduled", at=at, deletion_date=key.deletion_date, request_id=None
        )
    kms = account.client("kms", key.region)

    def act() -> Any:
        # Scheduling switches it off too; first, so that it is off even where scheduling is refused.
        kms.disable_key(KeyId=key.key_id)
        return kms.schedule_key_deletion(KeyId=key.key_id, PendingWindowInDays=window_days)

    try:
        answer = answered(act)
    except MissingError as error:
        return Destroyed(
            key_arn=key.arn, outcome="failed", at=at, deletion_date=None, request_id=None, error=str(error)
        )
    return Destroyed(
        key_arn=key.arn,
        outcome="scheduled",
        at=at,
        deletion_date=answer["DeletionDate"].astimezone(UTC).isoformat(timespec="seconds"),
        request_id=answer["ResponseMetadata"]["RequestId"],
    )
