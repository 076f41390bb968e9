"""The instance catalogue: what each EC2 type is made of, from ``data/instances.json``.

Every accelerator type is there, and the few CPU types that system nodes are made of. ``tools/generate_instances.py``
refreshes the file from EC2's own DescribeInstanceTypes; the file names source and date of each group of figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceType:
    """One EC2 instance type. ``None`` means that no source tells, never zero and never "no"."""

    name: str
    family: str
    """The part of the name before the dot, `p5` or `p6-b300`."""

    accelerator: str | None
    """Maker of the accelerator: `nvidia`, `amd`, `neuron`, `habana`, `qualcomm`, `xilinx`; `None` for a CPU type."""
    gpu_model: str | None
    """EC2's name of the accelerator, `H100`, `RTX PRO 4500`, `Trainium2`."""
    gpu_count: int
    """Accelerators of whatever maker that the node offers; a fractional type counts its logical GPUs. 0 when untold."""
    gpu_partition_size: float | None
    """Share of a physical GPU that one logical GPU is: 1.0, or 0.125 to 0.5 for the fractional types."""
    gpu_memory_mib: int | None
    """Memory of one (logical) GPU as EC2 reports it, in MiB; what a process can use is a little less."""
    gpu_architecture: str | None
    compute_capability: str | None
    nvlink_gb_s_per_gpu: int | None
    """NVLink bandwidth of one GPU, both directions together, in GB/s; `None` also where GPUs talk over PCIe."""
    gpudirect_rdma: bool | None

    vcpus: int | None
    memory_mib: int | None
    cpu_arch: str
    """`x86_64` or `arm64`."""
    bare_metal: bool
    nvme_gb: int
    """Instance store in decimal GB; lost when the instance stops."""

    network_gbps: float | None
    """Peak of the whole instance in Gbit/s; "up to" on the smaller sizes."""
    network_cards: int
    efa_card_indices: tuple[int, ...]
    """Network cards that can carry EFA, by index. Not always all, and not always card 0: see p6-b300."""

    on_demand: bool | None
    spot: bool | None
    capacity_block: bool | None
    placement_strategies: tuple[str, ...]
    """Placement group strategies: `cluster`, `partition`, `spread`."""
    regions: tuple[str, ...]
    """Regions that offer the type. Empty means that no source tells, not that there is none."""
    eks_ami_types: tuple[str, ...]
    """EKS AMI types whose image has what the type needs; empty where a custom image is needed."""
    quota_on_demand: str | None
    """Service Quotas code (service `ec2`, counted in vCPUs)."""
    quota_spot: str | None

    source: tuple[str, ...]
    """Keys of the file's `sources`."""
    notes: tuple[str, ...]

    @property
    def efa_interfaces(self) -> int:
        """How many EFA interfaces the type takes: one a card that can carry EFA."""
        return len(self.efa_card_indices)

    @property
    def is_gpu(self) -> bool:
        """Whether the type brings at least one NVIDIA GPU, or a fraction of one."""
        return self.accelerator == "nvidia" and self.gpu_count >= 1


class UnknownInstanceType(LookupError):
    """No such type in the catalogue; `nearest` are the known names that look most like it, best first."""

    def __init__(self, name: str, nearest: list[str]) -> None:
        self.name = name
        self.nearest = nearest
        suggestion = f"did you mean {', '.join(nearest)}?" if nearest else "no known type has a name like it."
        super().__init__(f"unknown EC2 instance type {name!r}: {suggestion}")


def find(name: str) -> InstanceType | None:
    """The type of that exact name, or `None`."""
    return _catalogue().get(name)


def get(name: str) -> InstanceType:
    """The type of that exact name; raises `UnknownInstanceType`, which names the nearest ones."""
    found = find(name)
    if found is None:
        raise UnknownInstanceType(name, nearest(name))
    return found


def names() -> tuple[str, ...]:
    """All known names, in the order of the file: grouped by family, small to large."""
    return tuple(_catalogue())


def nearest(name: str) -> list[str]:
    """Up to four known names that look like `name`, best first; empty when none does."""
    import difflib  # here, since only a mistake needs it and it would double the import time of this module

    return difflib.get_close_matches(name.lower(), names(), n=4, cutoff=0.6)


_LISTS = frozenset({"efa_card_indices", "placement_strategies", "regions", "eks_ami_types", "source", "notes"})


@cache
def _catalogue() -> Mapping[str, InstanceType]:
    rows: list[dict[str, Any]] = _data.read("instances")["instances"]
    return MappingProxyType({row["name"]: _instance_type(row) for row in rows})


def _instance_type(row: dict[str, Any]) -> InstanceType:
    fields: dict[str, Any] = {key: tuple(row[key]) if key in _LISTS else row[key] for key in row}
    return InstanceType(**fields)
