"""What the API server refused, in its own words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from gpufleet.rehearsal.aws.errors import RehearsalError

__all__ = ["Cause", "KubernetesError", "RehearsalError"]


@dataclass(frozen=True)
class Cause:
    """One reason of a refusal: the field it is about (empty where it is about the object) and what is wrong with it."""

    field: str
    message: str
    reason: str


class KubernetesError(RehearsalError):
    """The API server answered a request with an error.

    `code` is the HTTP status, `reason` Kubernetes' own (`Invalid`, `Forbidden`, `Conflict`), `causes` what it says of
    single fields.
    """

    def __init__(self, doing: str, status: Mapping[str, Any], hint: str = "") -> None:
        details: Mapping[str, Any] = status.get("details") or {}
        self.code = int(status.get("code") or 0)
        self.reason = str(status.get("reason") or "")
        self.said = str(status.get("message") or "").strip()
        self.causes = tuple(
            Cause(str(cause.get("field") or ""), str(cause.get("message") or ""), str(cause.get("reason") or ""))
            for cause in cast(Sequence[Mapping[str, Any]], details.get("causes") or ())
        )
        unsaid = [cause for cause in self.causes if cause.message and cause.message not in self.said]
        more = "".join(f"\n  {cause.field}: {cause.message}" for cause in unsaid)
        super().__init__(f"{doing}: {self.said}{more}" + (f"\n{hint}" if hint else ""))
        self._doing = doing
        self._status = status

    def with_hint(self, hint: str) -> "KubernetesError":
        """Return the same error with a line that says what to do."""
        return KubernetesError(self._doing, self._status, hint)
