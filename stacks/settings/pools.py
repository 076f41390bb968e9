"""What may be set about the pools of GPU nodes.

A pool is a wish: what it becomes, or why it cannot be, is decided in one place (`components.compute.design`).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BeforeValidator, Field, field_validator, model_validator

from stacks.settings import checks
from stacks.settings.mistakes import mistake
from stacks.settings.model import Model
from stacks.settings.people import Name

Types = Annotated[tuple[str, ...], Field(min_length=1, max_length=20)]
TIME = "a quoted time with its zone, such as 2027-01-31T11:30:00Z"


class NodeCount(Model):
    """How many nodes a pool has."""

    min: Annotated[int, Field(ge=0, description="Nodes that are always there (and always paid for)")] = 0
    max: Annotated[
        int,
        Field(ge=1, le=1000, description="The pool's ceiling in nodes, 1 at least: a pool without one is never closed"),
    ]

    @model_validator(mode="after")
    def _ordered(self) -> "NodeCount":
        if self.min > self.max:
            raise mistake("min", self.min, f"0 to max ({self.max})", "lower min or raise max")
        return self


class Checkpoint(Model):
    """What a training job on interruptible nodes promises to save."""

    gib: Annotated[float, Field(gt=0, description="GiB that one node writes for a checkpoint")]
    path: Annotated[
        str, Field(pattern=r"^s3://.+|^/.+", description="Where it is written: s3://BUCKET/PREFIX or a mounted path")
    ]
    every_minutes: Annotated[int, Field(ge=1, description="Minutes between two checkpoints")]


class Purchase(Model):
    """A capacity block to buy. It is paid at once, in full, and never refunded."""

    offering: Annotated[str, Field(pattern=r"^cb[a-z]?-[0-9a-z]+$", description="The offering's id, which EC2 gave")]
    upfront_usd: Annotated[float, Field(gt=0, description="The offering's price in USD, as EC2 named it")]
    acknowledge: Annotated[
        Literal["paid at once and never refunded"], Field(description='The words "paid at once and never refunded"')
    ]


class Reservation(Model):
    """The reservation or capacity block that a pool runs in: one that is there, or one to make."""

    id: Annotated[str, Field(pattern=r"^cr-[0-9a-f]{8,17}$", description="Its id, cr-0123456789abcdef0")] | None = None
    zone: Annotated[str, Field(description="The zone it is in")]
    count: Annotated[int, Field(ge=1, le=1000, description="Instances in it")] | None = None
    starts: Annotated[AwareDatetime, Field(description=TIME)] | None = None
    ends: Annotated[AwareDatetime, Field(description=TIME)] | None = None
    create: Annotated[bool, Field(description="Whether this stack makes an on-demand reservation; it needs ends")] = (
        False
    )
    buy: Annotated[Purchase, Field(description="The capacity block that this stack buys")] | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "Reservation":
        sources = [name for name, given in (("id", self.id), ("create", self.create), ("buy", self.buy)) if given]
        if len(sources) != 1:
            fix = "name the reservation's id, or say create: true, or buy: {...}"
            raise mistake("", sources or None, "exactly one of id, create, buy", fix)
        if self.create and (self.ends is None or self.count is None):
            fix = "add count and ends: what is reserved is billed, used or not, until then"
            raise mistake("create", True, "with count and ends", fix)
        if self.starts and self.ends and self.starts >= self.ends:
            raise mistake("ends", _iso(self.ends), f"a time after starts ({_iso(self.starts)})", "mend one of the two")
        return self


class Image(Model):
    """The image of the nodes."""

    family: Annotated[Literal["al2023", "bottlerocket"], Field(description="al2023 or bottlerocket")] = "al2023"
    id: Annotated[str, Field(pattern=r"^ami-[0-9a-f]{8,17}$", description="This very image: ami-...")] | None = None
    release: (
        Annotated[str, Field(pattern=r"^[\w.-]+$", description="EKS's release of the image: 1.35.2-20260724")] | None
    ) = None
    architecture: Annotated[Literal["x86_64", "arm64"], Field(description="Of an image of your own")] | None = None
    driver_branch: Annotated[int, Field(ge=400, description="NVIDIA's driver branch in it, 580 or 595")] | None = None

    @model_validator(mode="after")
    def _pinned_once(self) -> "Image":
        if self.id and self.release:
            raise mistake("release", self.release, "id or release", "an id is pinned already: drop the release")
        return self


class Sharing(Model):
    """How one GPU serves several pods."""

    mig: Annotated[str, Field(description="MIG profile into which each GPU is cut, 1g.10gb")] | None = None
    time_slicing: (
        Annotated[int, Field(ge=2, le=16, description="Pods that take turns on a GPU, without any wall between them")]
        | None
    ) = None

    @model_validator(mode="after")
    def _one_way(self) -> "Sharing":
        if (self.mig is None) == (self.time_slicing is None):
            raise mistake("", None, "mig or time_slicing", "give exactly one of the two")
        return self


class Pool(Model):
    """One pool of GPU nodes."""

    name: Annotated[Name, Field(description="Lower-case letters, digits and dashes, 2 to 31 characters")]
    instance_types: Annotated[Types, Field(description="EC2 instance types, the most wanted first")]
    purchase: Annotated[
        Literal["spot", "on-demand", "reservation", "capacity-block"], Field(description="How the nodes are bought")
    ] = "on-demand"
    reservation: (
        Annotated[Reservation, Field(description="What purchase reservation and capacity-block run in")] | None
    ) = None
    dedicated: Annotated[bool, Field(description="Whether the hardware serves no other account")] = False
    nodes: Annotated[NodeCount, Field(description="Floor and ceiling of the pool in nodes: {min: 0, max: 4}")]
    zones: (
        Annotated[tuple[str, ...], Field(min_length=1, description="Zones of the network the pool keeps to")] | None
    ) = None
    efa: Annotated[
        bool | None,
        BeforeValidator(lambda value: None if value == "auto" else value),
        Field(description="auto, true or false: whether nodes have EFA interfaces"),
    ] = None
    scaler: Annotated[
        Literal["auto", "karpenter", "node-group"], Field(description="What brings and takes the nodes")
    ] = "auto"
    image: Annotated[
        Image,
        BeforeValidator(lambda value: {"family": value} if isinstance(value, str) else value),
        Field(description="al2023, bottlerocket, or a mapping with id or release"),
    ] = Image()
    sharing: Annotated[Sharing, Field(description="How one GPU serves several pods: mig or time_slicing")] | None = None
    volume_gib: Annotated[
        int, Field(ge=200, le=16384, description="Root volume in GiB, 200 at least: GPU images are large")
    ] = 200
    use: Annotated[Literal["interactive", "training", "inference"], Field(description="What the pool is for")] = (
        "interactive"
    )
    checkpoint: Checkpoint | None = None
    longest_job_hours: (
        Annotated[float, Field(gt=0, le=720, description="Hours that a job may run on a node of this pool")] | None
    ) = None

    repair: Annotated[
        Literal["eks", "lenient"],
        Field(description="eks, or lenient: no reboot for GPU faults that are most often the program's own"),
    ] = "eks"
    updates: Annotated[
        Literal["surge", "minimal"],
        Field(description="surge, or minimal: nodes end before their successors start, for a full reservation"),
    ] = "surge"

    @field_validator("instance_types")
    @classmethod
    def _known(cls, types: tuple[str, ...]) -> tuple[str, ...]:
        return checks.known_types(types)

    @model_validator(mode="after")
    def _reserved(self) -> "Pool":
        wanted = self.purchase in ("reservation", "capacity-block")
        if wanted and self.reservation is None:
            fix = "add reservation: {id: cr-..., zone: ...}"
            raise mistake("reservation", None, f"a mapping where purchase is {self.purchase}", fix)
        if not wanted and self.reservation is not None:
            fix = "set purchase to reservation or capacity-block, or drop the reservation"
            raise mistake("reservation", "given", f"none where purchase is {self.purchase}", fix)
        if self.reservation is not None:
            if self.reservation.create and self.purchase != "reservation":
                raise mistake("reservation.create", True, "with purchase: reservation", "a block is bought: use buy")
            if self.reservation.buy and self.purchase != "capacity-block":
                raise mistake("reservation.buy", "given", "with purchase: capacity-block", "say create: true")
        return self

    def where(self, network_zones: tuple[str, ...]) -> tuple[str, ...]:
        """The zones in which its nodes may come."""
        if self.reservation is not None:
            return (self.reservation.zone,)
        return self.zones or network_zones

    def wish(
        self,
        region: str,
        network_zones: tuple[str, ...],
        kubernetes_version: str,
        *,
        closed: bool,
        reaches_karpenter: bool,
        protected: bool,
    ) -> Mapping[str, Any]:
        """The fields of a `PoolWish`."""
        held, saved, shared = self.reservation, self.checkpoint, self.sharing
        return {
            "pool_name": self.name,
            "region": region,
            "kubernetes_version": kubernetes_version,
            "zones": self.where(network_zones),
            "instance_types": self.instance_types,
            "scaler": self.scaler,
            "purchase": self.purchase,
            "dedicated": self.dedicated,
            "zones_are_chosen": self.zones is not None or held is not None,
            "reservation_id": held.id if held else None,
            "reservation_create": held.create if held else False,
            "reservation_zone": held.zone if held else None,
            "reservation_count": held.count if held else None,
            "reservation_starts": _iso(held.starts) if held else None,
            "reservation_ends": _iso(held.ends) if held else None,
            "block_offering_id": held.buy.offering if held and held.buy else None,
            "block_acknowledged": held is not None and held.buy is not None,
            "efa": self.efa,
            "image": self.image.family,
            "image_id": self.image.id,
            "image_release": self.image.release,
            "image_architecture": self.image.architecture,
            "image_driver_branch": self.image.driver_branch,
            "min_nodes": self.nodes.min,
            "max_nodes": self.nodes.max,
            "volume_gib": self.volume_gib,
            "use": self.use,
            "checkpoint_gib": saved.gib if saved else None,
            "checkpoint_path": saved.path if saved else None,
            "checkpoint_every_minutes": saved.every_minutes if saved else None,
            "sharing": "none" if shared is None else "mig" if shared.mig else "time-slicing",
            "mig_profile": shared.mig if shared else None,
            "time_slicing_replicas": shared.time_slicing if shared else None,
            "longest_job_hours": self.longest_job_hours,
            "repair": self.repair,
            "updates": self.updates,
            "labels": {
                "gpufleet.io/use": self.use,
                **({"gpufleet.io/checkpointed": "true"} if saved else {}),
            },
            "protected": protected,
            "closed": closed,
            "reaches_karpenter": reaches_karpenter,
        }


def _iso(time: datetime | None) -> str | None:
    return None if time is None else time.isoformat().replace("+00:00", "Z")
