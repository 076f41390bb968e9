"""What a judgement says: rules, and where one does not hold."""

from dataclasses import dataclass, field
from typing import Any

from gpufleet.plan.waivers import Waiver


@dataclass(frozen=True, order=True)
class Violation:
    """One rule that does not hold. `urn` is empty where the violation is the whole stack's."""

    rule: str
    urn: str
    message: str
    level: str
    severity: str
    fix: str
    waiver: Waiver | None = field(default=None, compare=False)
    """The waiver in force that covers it."""

    @property
    def mandatory(self) -> bool:
        """Whether it makes the plan fail; a remediation that still fires counts as mandatory, as in the engine."""
        return self.level in ("mandatory", "remediate") and self.waiver is None

    def as_document(self) -> dict[str, Any]:
        """The contract's shape."""
        keys = ("rule", "level", "severity", "urn", "message", "fix")
        waiver = self.waiver.as_document() if self.waiver else None
        return {**{key: getattr(self, key) for key in keys}, "waiver": waiver}


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What a report says of a rule, with the level that the configuration leaves it."""

    name: str
    level: str
    severity: str
    description: str
    fix: str
    url: str = ""
    tags: tuple[str, ...] = ()
    framework: str = ""
    """The control of a compliance catalogue that it answers, empty where there is none."""

    def violated(self, urn: str, message: str) -> Violation:
        """Return a violation of it."""
        return Violation(self.name, urn, message, self.level, self.severity, self.fix)
