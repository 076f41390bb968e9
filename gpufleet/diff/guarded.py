"""What must not be hidden: the deletion or replacement of data, or of a cluster."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from gpufleet.diff.changes import REPLACE, UPDATE, Fate
from gpufleet.diff.sides import Node

CLUSTER = "aws:eks/cluster:Cluster"
_SUBNET = "aws:ec2/subnet:Subnet"
_STRANDED = (
    "the cluster, with everything that runs in it: the provider says update, EKS moves no cluster to another VPC and "
    "refuses, and only another cluster can stand there"
)
"""https://docs.aws.amazon.com/eks/latest/userguide/network-reqs.html: new subnets must be of the cluster's own VPC."""


def loss(old: Node) -> str:
    """What is lost with the resource; empty where nothing is, or where it is kept when the stack lets it go."""
    return "" if old.options.get("retainOnDelete") else _types().get(old.type, "")


def stranded(fate: Fate, fates: Mapping[str, Fate]) -> str:
    """What is lost with a cluster whose subnets all go to another VPC; empty where it can stay.

    Args:
        fate: of the cluster.
        fates: of everything, by URN.
    """
    if fate.node.type != CLUSTER or fate.action != UPDATE:
        return ""
    hung_on = (fates.get(urn) for urn in fate.node.hangs_on("vpcConfig"))
    subnets = [one for one in hung_on if one is not None and one.node.type == _SUBNET]
    moved = [one for one in subnets if one.action == REPLACE and "vpcId" in one.verdict.replaces]
    return _STRANDED if subnets and len(moved) == len(subnets) else ""


def types() -> tuple[str, ...]:
    """The types that are guarded, sorted."""
    return tuple(sorted(_types()))


@cache
def _types() -> Mapping[str, str]:
    return json.loads((Path(__file__).parent / "data" / "guarded.json").read_bytes())["types"]
