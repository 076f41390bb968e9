"""What is asked of a pool, as plain values. All units are in the names."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

PURCHASES = ("on-demand", "spot", "reservation", "capacity-block")
SCALERS = ("auto", "karpenter", "node-group")
USES = ("interactive", "training", "inference")
IMAGE_FAMILIES = ("al2023", "bottlerocket")
REPAIRS = ("eks", "lenient")
UPDATES = ("surge", "minimal")
SHARINGS = ("none", "mig", "time-slicing")


@dataclass(frozen=True, kw_only=True)
class Taint:
    """A taint in Kubernetes' spelling."""

    key: str
    value: str
    effect: str
    """`NoSchedule`, `PreferNoSchedule` or `NoExecute`; EKS's spelling is the caller's to make."""


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """Capacity that is reserved already, or that the stack reserves. What is None is not known."""

    id: str | None = None
    """`cr-...` of what exists: an on-demand capacity reservation or a capacity block, as `purchase` has it."""
    zone: str | None = None
    """Zone by name, `us-east-1a`."""
    count: int | None = None
    """Instances reserved."""
    instance_type: str | None = None
    """Where a description of the reservation is at hand; checked against the pool's."""
    starts: datetime | None = None
    """Aware of its time zone. None: it has begun."""
    ends: datetime | None = None
    """Aware of its time zone. None: until cancelled; a capacity block always has an end."""
    state: str | None = None
    """EC2's word for it, `active` or `scheduled`, where a description is at hand."""
    create: bool = False
    """The stack makes it: an on-demand capacity reservation that ends at `ends`. Its id is not known before."""
    offering_id: str | None = None
    """`cb...`, EC2's offering: the stack buys this capacity block. Prepaid, never to be cancelled."""
    acknowledged: bool = False
    """A person has written down that buying the block cannot be undone."""


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """What a job on interruptible nodes promises to save."""

    gib: float
    """GiB that one node writes: the whole checkpoint, or its part where every node writes its own."""
    path: str
    """`s3://BUCKET/PREFIX`, or a mounted path that begins with `/`."""
    every_minutes: int


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """How several pods share a GPU."""

    kind: str = "none"
    """`none`, `mig` or `time-slicing`."""
    profile: str | None = None
    """MIG profile that every GPU is cut into, `1g.10gb`."""
    replicas: int | None = None
    """Pods that take turns on a GPU, 2 or more; time-slicing only."""


@dataclass(frozen=True, kw_only=True)
class ImageChoice:
    """The image that is asked for. Without id and release: the newest."""

    family: str = "al2023"
    """`al2023` or `bottlerocket`; for an own image, what it was made from."""
    id: str | None = None
    """`ami-...` of an own image, or of one of AWS's, pinned."""
    release: str | None = None
    """Release of AWS's image: `1.35.2-20260724` of AL2023, `1.63.0-0f4c0b3c` of Bottlerocket."""
    architecture: str | None = None
    """`x86_64` or `arm64` of an own image, where it is stated."""
    driver_branch: int | None = None
    """NVIDIA's driver branch in an own image, 580 or 595, where it is stated."""


@dataclass(frozen=True, kw_only=True)
class PoolRequest:
    """What is asked of a pool."""

    name: str
    instance_types: tuple[str, ...]
    """The most wanted first."""
    region: str
    zones: tuple[str, ...]
    """Zones by name in which the pool may have nodes; never empty."""
    zones_are_chosen: bool = False
    """False: they are simply all that the network has, and nobody thought of this pool."""
    kubernetes_version: str
    """Minor version, `1.35`."""
    max_nodes: int
    min_nodes: int = 0
    purchase: str = "on-demand"
    """`on-demand`, `spot`, `reservation` (an on-demand capacity reservation) or `capacity-block`."""
    dedicated: bool = False
    """Hardware that no other AWS account is on."""
    reservation: Reservation | None = None
    efa: bool | None = None
    """None leaves it to the decision."""
    scaler: str = "auto"
    """`auto`, `karpenter` or `node-group`."""
    image: ImageChoice = field(default_factory=ImageChoice)
    volume_gib: int = 200
    use: str = "interactive"
    """`interactive`, `training` or `inference`."""
    checkpoint: Checkpoint | None = None
    sharing: Sharing = field(default_factory=Sharing)
    protected: bool = False
    """The environment pins images."""
    closed: bool = False
    """The network has no way out."""
    reaches_karpenter: bool = True
    """Whether nodes can pull Karpenter's image: in a closed network only from a cache of public.ecr.aws."""
    prefix_delegation: bool = False
    """Whether the VPC CNI hands out addresses by the /28; then interfaces do not bound the pods of a node."""
    longest_job_hours: float | None = None
    repair: str = "eks"
    """`eks`, or `lenient`: GPU faults that are most often the program's own do not cost everybody the node."""
    updates: str = "surge"
    """`surge`: a successor before each node that goes; `minimal`: none, for capacity without a spare instance."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further Kubernetes labels of the nodes."""
    taints: tuple[Taint, ...] = ()
    """Further taints."""
