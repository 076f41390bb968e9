"""What a pool of GPU nodes is made from, whichever way it scales."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pulumi

from .design import Refused, decide
from .design.request import Checkpoint, ImageChoice, PoolRequest, Reservation, Sharing
from .design.shapes import Design


@dataclass(frozen=True, kw_only=True)
class PoolWish:
    """What is asked of a pool, in plain values: what `design.decide` makes the pool from."""

    pool_name: str
    """Unique in the cluster; the nodes' label `gpufleet.io/pool`."""
    region: str
    kubernetes_version: str
    """Minor version, `1.35`, not above the cluster's."""
    zones: Sequence[str]
    """Zones in which nodes may come; exactly one where the pool has EFA or keeps to a reservation."""
    zones_are_chosen: bool = True
    """Whether they were chosen for this pool, and are not merely all that the network has."""
    instance_types: Sequence[str]
    """Types of one architecture; on-demand takes them in this order, spot as capacity and price have it."""
    scaler: str = "auto"
    """What was asked for, `auto`, `karpenter` or `node-group`; a component is one of the two whatever stands here, and
    tells why where nobody asked for it."""
    purchase: str = "on-demand"
    """`on-demand`, `spot`, `reservation` or `capacity-block`."""
    dedicated: bool = False
    """Whether the nodes run on hardware of no other account."""
    reservation_id: str | None = None
    """`cr-...` of the reservation or block that the nodes run in, where there is one already."""
    reservation_create: bool = False
    """Whether the pool makes an on-demand reservation of its own, which ends at `reservation_ends`."""
    reservation_zone: str | None = None
    reservation_count: int | None = None
    """Instances of the reservation."""
    reservation_starts: str | None = None
    """When the reservation or block begins, ISO 8601 with a time zone."""
    reservation_ends: str | None = None
    """When it ends, likewise."""
    block_offering_id: str | None = None
    """`cb-...`: the pool buys this capacity block."""
    block_acknowledged: bool = False
    """That somebody knows: a block is paid at once and never refunded."""
    efa: bool | None = None
    """Whether nodes have EFA interfaces; left out, the design decides."""
    image: str = "al2023"
    """`al2023` or `bottlerocket`."""
    image_id: str | None = None
    """`ami-...`: this very image, which is of the family that `image` names."""
    image_release: str | None = None
    """EKS's release of the image, `1.35.2-20260724`; newest where neither is given."""
    image_architecture: str | None = None
    """`x86_64` or `arm64` of an image of one's own."""
    image_driver_branch: int | None = None
    """NVIDIA's driver branch in an image of one's own, 580 or 595."""
    min_nodes: int = 0
    max_nodes: int
    """The ceiling; there is no pool without one."""
    volume_gib: int = 200
    """GiB of each node's encrypted root volume, 200 at least."""
    use: str = "interactive"
    """`interactive`, `training` or `inference`."""
    checkpoint_gib: float | None = None
    """Size of one checkpoint; training on spot states it, its path and its interval."""
    checkpoint_path: str | None = None
    checkpoint_every_minutes: int | None = None
    sharing: str = "none"
    """`none`, `mig` or `time-slicing`."""
    mig_profile: str | None = None
    time_slicing_replicas: int | None = None
    longest_job_hours: float | None = None
    """How long a job may run; nodes are not ended before for being old."""
    repair: str = "eks"
    """`eks`, or `lenient`: GPU faults that are most often the program's own do not cost everybody the node."""
    updates: str = "surge"
    """`surge`: a successor before each node that goes; `minimal`: none, for capacity without a spare instance."""
    protected: bool = False
    """Whether the environment is one whose images are pinned."""
    closed: bool = False
    """Whether the network has no way out."""
    reaches_karpenter: bool = True
    """Whether nodes can pull Karpenter's image."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Kubernetes labels of the nodes."""

    def request(self, scaler: str) -> PoolRequest:
        """The wish as the design takes it; `scaler` is `auto`, `karpenter` or `node-group`.

        Raises:
            ValueError: a time is no ISO 8601 time with a zone.
        """
        return PoolRequest(
            name=self.pool_name,
            instance_types=tuple(self.instance_types),
            purchase=self.purchase,
            dedicated=self.dedicated,
            reservation=self._reservation(),
            efa=self.efa,
            zones=tuple(sorted(self.zones)),
            zones_are_chosen=self.zones_are_chosen,
            scaler=scaler,
            image=ImageChoice(
                family=self.image,
                id=self.image_id,
                release=self.image_release,
                architecture=self.image_architecture,
                driver_branch=self.image_driver_branch,
            ),
            min_nodes=self.min_nodes,
            max_nodes=self.max_nodes,
            volume_gib=self.volume_gib,
            use=self.use,
            checkpoint=self._checkpoint(),
            sharing=Sharing(kind=self.sharing, profile=self.mig_profile, replicas=self.time_slicing_replicas),
            kubernetes_version=self.kubernetes_version,
            region=self.region,
            protected=self.protected,
            closed=self.closed,
            reaches_karpenter=self.reaches_karpenter,
            longest_job_hours=self.longest_job_hours,
            repair=self.repair,
            updates=self.updates,
            labels=dict(self.labels),
        )

    def decided(self, scaler: str) -> Design:
        """The design of the pool as one that `scaler` scales.

        Raises:
            Refused: it cannot be had so.
            ValueError: as for `request`.
        """
        design = decide(self.request(scaler))
        if self.scaler != "auto":
            return design
        try:
            left_open = decide(self.request("auto"))
        except Refused:
            return design
        return left_open if left_open.scaler == scaler else design

    def _reservation(self) -> Reservation | None:
        if not (self.reservation_id or self.reservation_create or self.block_offering_id):
            return None
        return Reservation(
            id=self.reservation_id,
            zone=self.reservation_zone,
            count=self.reservation_count,
            starts=_time("reservation_starts", self.reservation_starts),
            ends=_time("reservation_ends", self.reservation_ends),
            create=self.reservation_create,
            offering_id=self.block_offering_id,
            acknowledged=self.block_acknowledged,
        )

    def _checkpoint(self) -> Checkpoint | None:
        gib, path, minutes = self.checkpoint_gib, self.checkpoint_path, self.checkpoint_every_minutes
        if gib is None and path is None and minutes is None:
            return None
        if gib is None or path is None or minutes is None:
            raise ValueError(
                "checkpoint_gib, checkpoint_path, checkpoint_every_minutes: give all three of them, or none"
            )
        return Checkpoint(gib=gib, path=path, every_minutes=minutes)


@dataclass(frozen=True, kw_only=True)
class PoolArgs(PoolWish):
    """The wish, and what the pool hangs on."""

    cluster_name: pulumi.Input[str]
    subnet_ids: pulumi.Input[Mapping[str, pulumi.Input[str]]]
    """Private subnets by zone, as `PrivateNetwork` gives them; those of other zones are not used."""
    security_group_ids: pulumi.Input[Sequence[pulumi.Input[str]]]
    """The groups of every node, the cluster's node group among them."""
    efa_security_group_id: pulumi.Input[str] | None = None
    """Of an `EfaGroup`; goes beside the others on every interface where the design has EFA, and is needed then."""
    volume_key_arn: pulumi.Input[str]
    """Its policy must let EC2 Auto Scaling use it (`EncryptionKey` with `for_node_volumes`)."""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    """For instances, volumes and interfaces too, which the provider's default tags do not reach."""

    def groups(self, design: Design) -> pulumi.Input[Sequence[pulumi.Input[str]]]:
        """The security groups of each interface of a node.

        Raises:
            ValueError: the design has EFA and no group for it was given.
        """
        if not design.efa:
            return self.security_group_ids
        if self.efa_security_group_id is None:
            raise ValueError(
                f"efa_security_group_id: pool {self.pool_name} has EFA, which works only in a group that admits "
                "itself in both directions; pass an EfaGroup's"
            )
        return pulumi.Output.all(self.security_group_ids, self.efa_security_group_id).apply(
            lambda known: [*known[0], known[1]]
        )


def _time(field_name: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise ValueError(f"{field_name}: {text!r} is no time; write it in ISO 8601 with its zone: 2027-01-31T11:30:00Z")
    return found.astimezone(UTC)
