"""What is wrong with a workload, and what would be right."""

from dataclasses import dataclass
from typing import Any

ERROR, WARNING = "error", "warning"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One thing that is looked for."""

    name: str
    severity: str
    """`error`: it will not run, or not as meant; `warning`: it costs time or money, or nobody can tell."""
    why: str
    """What happens otherwise, one sentence without a full stop."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was found."""

    rule: Rule
    source: str
    line: int
    path: str
    """In the manifest, `spec.template.spec.containers[0].resources`."""
    workload: str
    """`Job/train`."""
    pool: str | None
    """The pool it was judged for, where that is known."""
    found: str
    needed: str
    fix: str
    """YAML to write at or below the path, or what to take out."""

    def as_document(self) -> dict[str, Any]:
        """In the document's shape."""
        return {
            "rule": self.rule.name,
            "severity": self.rule.severity,
            "file": self.source,
            "line": self.line,
            "path": self.path,
            "workload": self.workload,
            "pool": self.pool,
            "found": self.found,
            "needed": self.needed,
            "why": self.rule.why,
            "fix": self.fix,
        }
