"""What a check found: that it is well, that it is not and how to mend it, or that it could not be asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

PASSED: Final = "pass"
FAILED: Final = "fail"
COULD_NOT_ASK: Final = "could-not-ask"


@dataclass(frozen=True, kw_only=True)
class Result:
    """One answer of one check."""

    check: str = ""
    """Name of the check, as `--only` takes it."""
    region: str = ""
    account: str = ""
    """The account that was asked, or that the program names where none could be."""
    status: str
    """`pass`, `fail` or `could-not-ask`."""
    what: str
    """A sentence with what was found, or what was to be found out."""
    fix: str = ""
    """How to mend a failure; of a pass, advice."""
    permission: str = ""
    """What the caller lacks, as IAM writes it: `servicequotas:GetServiceQuota`. Empty where it was something else."""
    evidence: Mapping[str, Any] = field(default_factory=lambda: {})
    """What AWS said, and what the plan wants."""

    def as_document(self) -> dict[str, Any]:
        """The result as JSON."""
        return {
            "check": self.check,
            "region": self.region,
            "account": self.account,
            "status": self.status,
            "what": self.what,
            "fix": self.fix,
            "permission": self.permission,
            "evidence": dict(self.evidence),
        }


class CouldNotAsk(Exception):
    """AWS gave no answer: a permission is missing, it is throttled or not reached, or it does not know."""

    def __init__(self, why: str, permission: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.permission = permission
        """Empty where the answer failed for another reason."""

    def result(self, what: str) -> Result:
        """The same as a result; `what` says what remains open: "whether image X exists"."""
        return Result(
            status=COULD_NOT_ASK,
            what=f"{what}: {self.why}",
            fix=f"allow {self.permission} to the caller; all that is asked is in docs/security/preflight-policy.json"
            if self.permission
            else "",
            permission=self.permission,
        )


def passed(what: str, advice: str = "", /, **evidence: Any) -> Result:
    """All is well."""
    return Result(status=PASSED, what=what, fix=advice, evidence=evidence)


def failed(what: str, fix: str, /, **evidence: Any) -> Result:
    """The stack would not come up, or not as it is meant to."""
    return Result(status=FAILED, what=what, fix=fix, evidence=evidence)
