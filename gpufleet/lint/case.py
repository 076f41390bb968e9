"""One workload and where it goes: what every rule is given."""

from dataclasses import dataclass

from gpufleet.lint.documents import Location, shown
from gpufleet.lint.findings import Finding, Rule
from gpufleet.lint.placing import Place
from gpufleet.lint.pools import Pool
from gpufleet.lint.workloads import Workload


@dataclass(frozen=True, kw_only=True)
class Case:
    """A workload that asks for accelerators or goes to nodes that have some."""

    workload: Workload
    place: Place

    @property
    def pool(self) -> Pool | None:
        """The one that it goes to, if that is one."""
        return self.place.pool

    def finding(self, rule: Rule, location: Location, *, found: str, needed: str, fix: str) -> Finding:
        """What is wrong at a location of the document."""
        document, location = self.workload.document, self.workload.written(location)
        return Finding(
            rule=rule,
            source=document.source,
            line=document.line(location),
            path=shown(location),
            workload=self.workload.title,
            pool=self.pool.name if self.pool is not None else None,
            found=found,
            needed=needed,
            fix=fix,
        )
