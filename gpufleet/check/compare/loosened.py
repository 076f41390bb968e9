"""One thing that is weaker than in the other environment."""

from dataclasses import dataclass
from typing import Any

from gpufleet.plan.violations import Rule, Violation

RULE = Rule(
    name="environment-nowhere-weaker",
    level="mandatory",
    severity="high",
    description="What is weaker where it matters than where it was tried was never tried.",
    fix="Make it as strong as in the other environment, or waive it in the settings with reason, owner and expiry.",
    tags=("environments",),
)
_LONGEST = 60


@dataclass(frozen=True, kw_only=True)
class Loosened:
    """What is weaker, where, and than what."""

    where: str
    """`settings`, `plan` or `policies`."""
    path: str
    """Of the setting or the input; the rule's name for policies."""
    urn: str
    """Empty for what is no resource's."""
    value: Any
    than: Any
    than_urn: str
    severity: str
    why: str

    def as_document(self) -> dict[str, Any]:
        """The contract's shape."""
        keys = ("where", "path", "urn", "value", "than", "than_urn", "severity", "why")
        return {key: getattr(self, key) for key in keys}

    def as_violation(self, other: str) -> Violation:
        """The same as a violation of `environment-nowhere-weaker`; `other` is the other environment's name."""
        message = f"{self.path} is {shown(self.value)}; {other} has {shown(self.than)}: {self.why}."
        return Violation(RULE.name, self.urn, message, RULE.level, self.severity, RULE.fix)


def shown(value: Any) -> str:
    """A value as a person reads it, on a line."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"  # pyright: ignore[reportUnknownArgumentType] -- JSON
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
