"""What a triage finds: a cause, the evidence for it, and what to try next."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gpufleet.triage.readings import Place

CATEGORIES = ("utilisation", "memory", "communication", "faults")
"""In the order in which to look, which is the order of a report."""

SEVERITIES = ("critical", "major", "minor")


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A number or a line that speaks for a cause, and where it stands."""

    text: str
    place: Place | None = None

    def as_document(self) -> dict[str, Any]:
        """The evidence as the JSON document has it."""
        where = {"file": self.place.file, "line": self.place.line} if self.place else {"file": None, "line": None}
        return {"text": self.text, **where}


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One cause."""

    cause: str
    category: str
    severity: str
    title: str
    evidence: tuple[Evidence, ...]
    next: tuple[str, ...]
    """What to try, the cheapest first."""

    def as_document(self) -> dict[str, Any]:
        """The finding as the JSON document has it."""
        return {
            "cause": self.cause,
            "category": self.category,
            "severity": self.severity,
            "title": self.title,
            "evidence": [evidence.as_document() for evidence in self.evidence],
            "next": list(self.next),
        }


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """By category, as one looks; within a category what hurts most first, then as it was found."""
    return sorted(
        findings, key=lambda finding: (CATEGORIES.index(finding.category), SEVERITIES.index(finding.severity))
    )
