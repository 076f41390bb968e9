"""Judge manifests: each workload that asks for accelerators, for the pool that it goes to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gpufleet.lint import placing, workloads
from gpufleet.lint.case import Case
from gpufleet.lint.documents import Document
from gpufleet.lint.findings import ERROR, Finding
from gpufleet.lint.pools import Pool
from gpufleet.lint.rules import CHECKS
from gpufleet.lint.workloads import Workload

SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Judged:
    """One workload with what was found."""

    workload: Workload
    pool: Pool | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was found in some manifests."""

    stack: str | None
    """`PROJECT/STACK` whose pools it was judged for; None: by the instance types that the manifests name."""
    files: tuple[str, ...]
    judged: tuple[Judged, ...]
    """Those workloads that ask for accelerators, or go where some are."""
    others: int
    """Workloads that concern no accelerator."""

    @property
    def findings(self) -> list[Finding]:
        """All of them, in the order of the files."""
        return [finding for one in self.judged for finding in one.findings]

    @property
    def ok(self) -> bool:
        """Whether nothing found is an error."""
        return all(finding.rule.severity != ERROR for finding in self.findings)

    def as_document(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "schema": SCHEMA,
            "stack": self.stack,
            "files": list(self.files),
            "ok": self.ok,
            "workloads": [
                {
                    "file": one.workload.document.source,
                    "workload": one.workload.title,
                    "pool": one.pool.name if one.pool is not None else None,
                    "accelerators": dict(one.workload.accelerators),
                    "pods": one.workload.pods,
                }
                for one in self.judged
            ],
            "others": self.others,
            "findings": [finding.as_document() for finding in self.findings],
        }


def judge(documents: Iterable[Document], pools: Sequence[Pool] | None, *, stack: str | None = None) -> Verdict:
    """Judge every workload of some objects.

    Args:
        documents: as `documents.read` gives them.
        pools: the stack's; None to go by the instance types that the workloads select.
        stack: its name, for the verdict.
    """
    files: dict[str, None] = {}
    judged: list[Judged] = []
    others = 0
    for document in documents:
        files[document.source] = None
        for workload in workloads.of(document):
            place = placing.of(workload, pools)
            if not workload.computing and not (place.known and place.selects and place.pool is not None):
                others += 1
                continue
            case = Case(workload=workload, place=place)
            found = [finding for check in CHECKS for finding in check(case)]
            # A template that an alias uses twice is told of once a place.
            unique = {(one.rule.name, one.line, one.path): one for one in found}
            judged.append(
                Judged(
                    workload=workload,
                    pool=case.pool,
                    findings=tuple(sorted(unique.values(), key=lambda one: (one.line, one.path, one.rule.name))),
                )
            )
    return Verdict(stack=stack, files=tuple(files), judged=tuple(judged), others=others)
