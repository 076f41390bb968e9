"""The design of a pool: everything that is decided, typed. All units are in the names."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from .pod import PodPreset as PodPreset
from .request import Checkpoint as Checkpoint
from .request import ImageChoice as ImageChoice
from .request import PoolRequest as PoolRequest
from .request import Reservation as Reservation
from .request import Sharing as Sharing
from .request import Taint as Taint


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One choice and its reason, as `gpufleet explain` prints them."""

    about: str
    """`capacity type`, `network interfaces`, ..."""
    choice: str
    because: str


@dataclass(frozen=True, kw_only=True)
class Interface:
    """One network interface of each node. None has a public address, all go with the instance."""

    card: int
    """Network card index."""
    device: int
    """Device index on that card, 0 or 1."""
    kind: str
    """`interface`, which has addresses, or `efa-only`, which has none."""


@dataclass(frozen=True, kw_only=True)
class Image:
    """What the nodes boot."""

    family: str
    """`al2023` or `bottlerocket`: the kind of user data."""
    ami_type: str
    """EKS's AMI type; `CUSTOM` where an id is pinned."""
    ami_id: str | None
    release_version: str | None
    """EKS's release version, `1.35.2-20260724`."""
    karpenter_alias: str | None
    """`al2023@v20260724`, `bottlerocket@latest`; None where an id is pinned."""
    ssm_parameter: str | None
    """Where AWS publishes the newest image's id; None where something is pinned."""
    source: str
    """`pinned id`, `pinned release` or `newest by SSM parameter`."""
    root_device: str
    """`/dev/xvda`; what holds images and logs, `data_device`, may be another."""
    data_device: str
    """The volume that `volume_gib` is the size of: Bottlerocket keeps its own system on a small one beside it."""


@dataclass(frozen=True, kw_only=True)
class Quota:
    """The quota of the account that the pool draws on."""

    code: str | None
    """Service Quotas code of service `ec2`; None where no source tells: find it by its name."""
    name: str
    vcpus_at_ceiling: int | None
    """None where the vCPUs of a type are not known."""
    counted: bool
    """False: a capacity block draws on none."""


@dataclass(frozen=True, kw_only=True)
class PriceRange:
    """USD an hour, instances only."""

    minimum_usd_per_hour: float | None
    """What is paid while nothing runs that need not; None where a list price is not known."""
    maximum_usd_per_hour: float | None
    """With every node of the ceiling up."""
    basis: str
    as_of: str
    """ISO date."""
    assumed: bool
    """The figure is a stand-in: of another region, of shared tenancy, or list price for a prepaid block."""


@dataclass(frozen=True, kw_only=True)
class Drain:
    """When the nodes of a reservation come and when they must be gone."""

    at_start: datetime | None
    """When the desired size becomes the ceiling; None: at once, or by Karpenter as pods ask."""
    at_end: datetime | None
    """When the desired size becomes 0; None where no end is known."""
    minutes_before_end: int
    by: str
    """`schedule`: scheduled actions of the Auto Scaling group; `karpenter`: it drains by itself."""
    why: str


@dataclass(frozen=True, kw_only=True)
class RepairOverride:
    """What EKS does, or leaves, when the node monitoring agent reports this."""

    condition: str
    """`AcceleratedHardwareReady`."""
    reason: str
    """`NvidiaXID13Error`."""
    action: str
    """`NoAction`, `Reboot` or `Replace`."""
    min_wait_minutes: int
    why: str


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How many nodes Karpenter may disrupt at a time."""

    nodes: str
    """A number or a share: `0`, `1`, `100%`."""
    reasons: tuple[str, ...] = ()
    """`Empty`, `Underutilized`, `Drifted`; none means every reason."""


@dataclass(frozen=True, kw_only=True)
class Disruption:
    """How Karpenter tidies up."""

    consolidation_policy: str
    """`WhenEmpty` or `WhenEmptyOrUnderutilized`."""
    consolidate_after: str
    budgets: tuple[Budget, ...]
    expire_after: str
    """`Never` or a duration, `720h`."""
    termination_grace_period: str


@dataclass(frozen=True, kw_only=True)
class EfaPlugin:
    """The device plugin that EFA pools need."""

    chart: str
    repository: str
    chart_version: str
    app_version: str
    least_app_version: str
    """The oldest that counts the interfaces of these types rightly."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """Everything decided about a pool."""

    request: PoolRequest

    scaler: str
    """`karpenter` or `node-group`."""
    capacity_type: str
    """EKS: `ON_DEMAND`, `SPOT` or `CAPACITY_BLOCK`."""
    karpenter_capacity_type: str
    """`on-demand`, `spot` or `reserved`."""
    market_type: str | None
    """`capacity-block` in the launch template, or none."""
    tenancy: str | None
    """`dedicated`, or none for shared hardware."""
    reservation_id: str | None
    """Of what exists; None also where the stack makes it: see `makes_reservation`."""
    reservation_preference: str | None
    """`capacity-reservations-only`, or none."""
    makes_reservation: str | None
    """`on-demand` or `capacity-block`: the stack makes it and its id goes where `reservation_id` would."""

    instance_types: tuple[str, ...]
    architecture: str
    """`x86_64` or `arm64`."""
    accelerator: str
    """`nvidia` or `neuron`."""
    accelerator_resource: str
    """What pods ask for: `nvidia.com/gpu` or `aws.amazon.com/neuron`."""
    accelerators_per_node: int
    """Of that resource on the smallest type: (logical) GPUs times the parts that each is shared in."""
    gpus_at_ceiling: int
    """(Logical) GPUs, however shared, with every node up and all of the largest type."""
    type_in_template: bool
    """The launch template names the instance type and the group none."""

    efa: bool
    interfaces: tuple[Interface, ...]
    """Empty: no interface blocks in the template, and EC2's one ordinary interface."""
    efa_per_node: int
    efa_plugin: EfaPlugin | None
    zones: tuple[str, ...]
    placement_group: bool
    """The stack makes a cluster placement group for the pool."""

    image: Image
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    volume_gib: int
    local_storage: str | None
    """`RAID0`, or none."""
    hugepages_2mib: int
    """Pages of 2 MiB that each node has; 0 for none."""
    hugepages_from: str | None
    """`image`: it allocates them; `user data`: write them there; None where there are none."""
    kubelet: Mapping[str, int | str]
    """KubeletConfiguration, only what there is a reason for: `maxPods`."""

    desired_at_first: int
    """Nodes of the group when it is made; from then on its size belongs to whatever scales it."""
    update_strategy: str
    """`DEFAULT`, or `MINIMAL`: end a node before its replacement begins."""
    max_unavailable: int
    repair_overrides: tuple[RepairOverride, ...]
    disruption: Disruption
    limits: Mapping[str, int]
    """Karpenter's ceiling: nodes, and accelerators as the nodes report them."""

    quotas: tuple[Quota, ...]
    """One for each that the types draw on; by far most pools have one."""
    price: PriceRange
    drain: Drain | None
    pod: PodPreset
    decisions: tuple[Decision, ...]
    warnings: tuple[str, ...]

    @property
    def quota(self) -> Quota:
        """The quota of the most wanted type."""
        return self.quotas[0]
