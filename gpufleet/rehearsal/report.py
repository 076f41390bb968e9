"""What a rehearsal proved, as the document that `gpufleet rehearse --json` prints."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gpufleet.plan.police import Violation
from gpufleet.rehearsal.controlplane.scheduling import Placement
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.read_back import ReadBack

SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step of the rehearsal."""

    name: str
    """up, no-change, read-back, scheduling (where there are clusters), destroy or leftovers."""
    ok: bool
    seconds: float
    resources: int
    """How many resources it touched or looked at."""
    detail: str
    """One line where it went well; every error, a line each, where it did not."""

    def as_document(self) -> dict[str, Any]:
        """The report's shape."""
        return {
            "step": self.name,
            "ok": self.ok,
            "seconds": round(self.seconds, 2),
            "resources": self.resources,
            "detail": self.detail,
        }


@dataclass(frozen=True, kw_only=True)
class Report:
    """The whole rehearsal, up to the first step that failed."""

    project: str
    stack: str
    engine: Engine
    steps: Sequence[Step]
    created: Mapping[str, int]
    """Type to how many the AWS API in memory, or the control plane, really made."""
    recorded: Sequence[Mapping[str, Any]]
    """What it could not be asked to make; see `read_back.recorded`."""
    read_back: Sequence[ReadBack]
    placements: Sequence[Placement]
    """Where the real scheduler put each pod, and why not where it did not; empty where there is no cluster."""
    violations: Sequence[Violation]
    state: Sequence[Mapping[str, Any]]
    """The resources as the engine's state had them after the up; not in the document."""
    leftovers: Sequence[Mapping[str, str]]
    """What was still there after the destroy: service, region, kind and id, of Kubernetes' the cluster too."""
    seconds: float
    logs: Path | None
    """Folder with what the engine printed, kept where a step failed."""
    kept: Mapping[str, Any] | None
    """How to look at what was left standing (`Session.keep`), None where nothing was."""

    @property
    def ok(self) -> bool:
        """Whether every step went well."""
        return all(step.ok for step in self.steps)

    def as_document(self) -> dict[str, Any]:
        """Return the document; `logs` and `kept` are there only where there is something to look at."""
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "stack": self.stack,
            "project": self.project,
            "ok": self.ok,
            "engine": {"version": self.engine.version, "path": str(self.engine.path)},
            "steps": [step.as_document() for step in self.steps],
            "created": dict(self.created),
            "recorded": [dict(entry) for entry in self.recorded],
            "read_back": [answer.as_document() for answer in self.read_back],
            "placements": [asdict(placement) for placement in self.placements],
            "violations": [violation.as_document() for violation in self.violations],
            "leftovers": [dict(item) for item in self.leftovers],
            "seconds": round(self.seconds, 2),
        }
        if self.logs is not None:
            document["logs"] = str(self.logs)
        if self.kept is not None:
            document["kept"] = dict(self.kept)
        return document
