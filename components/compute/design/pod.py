"""What a pod on a pool asks for, on a whole node and on part of one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .request import Taint


@dataclass(frozen=True, kw_only=True)
class PodPreset:
    """What goes into a pod's spec so that it gets a node of the pool, whole, and uses it rightly.

    Quantities are Kubernetes': `8`, `5120Mi`. Where types differ, the smallest counts, so that the pod fits on each.
    """

    accelerator_resource: str
    accelerators: int
    efa: int
    hugepages_mib: int
    """0 where the pod must not ask for any."""
    cpu: int | None
    """Whole CPUs, or None where the type's are not known."""
    memory_gib: int | None
    shm_gib: int
    """Size of the memory-backed emptyDir on /dev/shm; it counts against the pod's memory."""
    env: Mapping[str, str]
    node_selector: Mapping[str, str]
    tolerations: tuple[Taint, ...]
    """Tolerate each by key, value and effect (`operator: Equal`)."""
    annotations: Mapping[str, str]
    grace_seconds: int
    """`terminationGracePeriodSeconds`, preStop hooks included."""
    runtime_class: str | None = None

    @property
    def requests(self) -> Mapping[str, str]:
        """Of the container that computes."""
        found = dict(self.limits)
        if self.cpu is not None:
            found["cpu"] = str(self.cpu)
        return found

    @property
    def limits(self) -> Mapping[str, str]:
        """The same without CPU: a limit there only throttles."""
        found = {self.accelerator_resource: str(self.accelerators)}
        if self.efa:
            found["vpc.amazonaws.com/efa"] = str(self.efa)
        if self.hugepages_mib:
            found["hugepages-2Mi"] = f"{self.hugepages_mib}Mi"
        if self.memory_gib is not None:
            found["memory"] = f"{self.memory_gib}Gi"
        return found

    def for_gpus(self, count: int) -> "PodPreset":
        """The same for part of a node: `count` of its accelerators, and of the rest the share that goes with them.

        EFA interfaces are rounded down, so that pods that fill a node never ask for more than it has.

        Raises:
            ValueError: no node of the pool has so many, or the count is below 1.
        """
        if not 1 <= count <= self.accelerators:
            raise ValueError(
                f"{self.accelerator_resource}: {count} is not on one node; allowed are 1 to {self.accelerators}; "
                "ask for more nodes, or for a pool of larger ones"
            )

        def share(whole: int) -> int:
            return whole * count // self.accelerators

        return replace(
            self,
            accelerators=count,
            efa=share(self.efa),
            # Pages are of use to EFA alone, and every process that uses it takes its own.
            hugepages_mib=share(self.hugepages_mib) if share(self.efa) else 0,
            cpu=None if self.cpu is None else max(1, share(self.cpu)),
            memory_gib=None if self.memory_gib is None else max(1, share(self.memory_gib)),
            shm_gib=max(1, share(self.shm_gib)),
        )
