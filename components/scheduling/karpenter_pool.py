"""A pool of GPU nodes that Karpenter makes when pods wait for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s

from gpufleet.facts import charts

from ..arguments import typed
from ..compute import reservation, user_data
from ..compute.design import as_document
from ..compute.design.shapes import Design
from ..compute.pool_args import PoolArgs
from ..ordering import after
from . import node_class, node_pool

WRITTEN_FOR = charts.get("karpenter").app_version
CLUSTER_LABEL = "gpufleet.io/cluster"
DELETE_MARGIN = "30m"
"""For EC2 to end instances that have been drained."""
HEAVIEST = 100

RESTRICTED_TAGS = ("kubernetes.io/cluster", "karpenter.sh/", "karpenter.k8s.aws/", "eks:")
"""Beginnings of tags that Karpenter sets itself, and refuses from others."""


@dataclass(frozen=True, kw_only=True)
class KarpenterPoolArgs(PoolArgs):
    """What a `KarpenterPool` is made from. `cluster_name` is taken from `Karpenter`, whom it has to outlive."""

    node_role_name: pulumi.Input[str] | None = None
    """`KarpenterAccess.node_role_name`, in a network with a way out."""
    instance_profile_name: pulumi.Input[str] | None = None
    """`KarpenterAccess.instance_profile_name`, in a network without one."""
    weight: int | None = None
    """1 to 100; where pods fit several pools the heaviest is tried first."""

    def __post_init__(self) -> None:
        if (self.node_role_name is None) == (self.instance_profile_name is None):
            raise ValueError(
                "node_role_name, instance_profile_name: give exactly one; the profile where the network is closed, "
                "because Karpenter could not make one there, the role elsewhere"
            )
        if self.closed and self.instance_profile_name is None:
            raise ValueError(
                "instance_profile_name: missing, and the network is closed: Karpenter would make a profile by IAM, "
                "which has no endpoint in a VPC; pass that of an isolated KarpenterAccess"
            )
        if self.weight is not None and not 1 <= self.weight <= HEAVIEST:
            raise ValueError(f"weight: {self.weight} is out of range; allowed are 1 to {HEAVIEST}")
        for tag in self.tags:
            if tag.startswith(RESTRICTED_TAGS):
                raise ValueError(f"tags: {tag!r} is one that Karpenter sets itself; leave it out")
        self.decided("karpenter")


class KarpenterPool(pulumi.ComponentResource):
    """A NodePool with its EC2NodeClass, from the same design as a managed group.

    Creates too: a placement group or a reservation where the design has one. How many nodes there are is Karpenter's
    alone to say, up to the ceiling. Deleting the pool waits until its nodes are gone: the NodePool goes first, and
    Karpenter lets the class go when its last node has. Deliberately not: device plugins, the controller.
    """

    node_pool_name: pulumi.Output[str]
    """Whoever takes it comes after the pool and goes before it, as pods should."""
    design: pulumi.Output[Mapping[str, Any]]
    """Everything that was decided, with the reasons."""

    def __init__(self, name: str, args: KarpenterPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:KarpenterPool", name, None, opts)
        args = typed(args, KarpenterPoolArgs)
        design = args.decided("karpenter")
        child = pulumi.ResourceOptions(
            parent=self,
            custom_timeouts=pulumi.CustomTimeouts(
                # Durations add up as they are written one after the other.
                delete=f"{design.disruption.termination_grace_period}{DELETE_MARGIN}"
            ),
        )

        nodes = k8s.apiextensions.CustomResource(
            f"{name}-nodes",
            api_version=node_class.API_VERSION,
            kind=node_class.KIND,
            metadata=_metadata(args),
            spec=node_class.spec(design, _surroundings(name, args, design, pulumi.ResourceOptions(parent=self))),
            opts=child,
        )
        pool = k8s.apiextensions.CustomResource(
            name,
            api_version=node_pool.API_VERSION,
            kind=node_pool.KIND,
            metadata=_metadata(args),
            spec=node_pool.spec(design, args.weight),
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[nodes])),
        )

        self.node_pool_name = after(args.pool_name, pool)
        self.design = pulumi.Output.from_input(as_document(design))
        self.register_outputs({"nodePoolName": self.node_pool_name, "design": self.design})


def _metadata(args: KarpenterPoolArgs) -> Mapping[str, Any]:
    return {"name": args.pool_name, "labels": {CLUSTER_LABEL: args.cluster_name}}


def _surroundings(
    name: str, args: KarpenterPoolArgs, design: Design, child: pulumi.ResourceOptions
) -> node_class.Surroundings:
    tags = {"Name": name, **args.tags}
    placement = (
        aws.ec2.PlacementGroup(f"{name}-placement", strategy="cluster", tags=tags, opts=child)
        if design.placement_group
        else None
    )
    return node_class.Surroundings(
        role_name=args.node_role_name,
        instance_profile=args.instance_profile_name,
        subnet_ids=_subnets(args.subnet_ids, design.zones),
        security_group_ids=args.groups(design),
        volume_key_arn=args.volume_key_arn,
        reservation_id=reservation.build(name, design, args.tags, child),
        placement_group=placement.name if placement is not None else None,
        tags=tags,
        user_data=written_data(design),
    )


def _subnets(
    by_zone: pulumi.Input[Mapping[str, pulumi.Input[str]]], zones: Sequence[str]
) -> Sequence[pulumi.Input[str]]:
    if isinstance(by_zone, Mapping):
        return [by_zone[zone] for zone in zones]
    known = pulumi.Output.from_input(by_zone)
    return [known.apply(lambda ids, zone=zone: ids[zone]) for zone in zones]


def written_data(design: Design) -> str | None:
    """What Karpenter does not write by itself: it knows disks and kubelet, but no hugepages and no device plugin."""
    wanted = user_data.of(design)
    told = user_data.NodeSettings(hugepages=wanted.hugepages, time_slicing=wanted.time_slicing, mig=wanted.mig)
    return user_data.WRITERS[design.image.family](told)
