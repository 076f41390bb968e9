"""Karpenter's components, each with the least it needs, and a pool of each kind."""

from typing import Any

import pulumi
import pulumi_aws as aws

from components.scheduling.karpenter import Karpenter, KarpenterArgs
from components.scheduling.karpenter_access import KarpenterAccess, KarpenterAccessArgs
from components.scheduling.karpenter_pool import KarpenterPool, KarpenterPoolArgs
from tests.components.builds import ACCOUNT, KEY, REGION, Build

NODE_ROLE = f"arn:aws:iam::{ACCOUNT}:role/karpenter-nodes"
CONTROLLER: dict[str, Any] = {"cluster_name": "demo", "queue_name": "interruptions", "service_account": "karpenter"}
POOL: dict[str, Any] = {
    "pool_name": "train",
    "region": "us-east-1",
    "kubernetes_version": "1.35",
    "cluster_name": "demo",
    "zones": ["us-east-1a", "us-east-1b"],
    "subnet_ids": {"us-east-1a": "subnet-a", "us-east-1b": "subnet-b", "us-east-1c": "subnet-c"},
    "security_group_ids": ["sg-nodes"],
    "volume_key_arn": KEY,
    "node_role_name": "karpenter-nodes",
    "instance_types": ["g6.xlarge", "g6.2xlarge"],
    "max_nodes": 4,
    "tags": {"team": "vision"},
}
POOLS: dict[str, dict[str, Any]] = {
    "on demand": {},
    "spot": {"purchase": "spot"},
    "dedicated": {"dedicated": True},
    "reservation": {
        "purchase": "reservation",
        "instance_types": ["g6.12xlarge"],
        "zones": ["us-east-1a"],
        "efa_security_group_id": "sg-efa",
        "reservation_id": "cr-0123456789abcdef0",
        "reservation_zone": "us-east-1a",
        "reservation_count": 4,
    },
    "capacity block": {
        "purchase": "capacity-block",
        "instance_types": ["p5.48xlarge"],
        "zones": ["us-east-1a"],
        "efa_security_group_id": "sg-efa",
        "reservation_id": "cr-0123456789abcdef0",
        "reservation_zone": "us-east-1a",
        "reservation_count": 4,
        "reservation_starts": "2027-03-01T11:30:00Z",
        "reservation_ends": "2027-03-15T11:30:00Z",
    },
    "efa": {
        "instance_types": ["p5.48xlarge"],
        "efa": True,
        "zones": ["us-east-1a"],
        "use": "training",
        "efa_security_group_id": "sg-efa",
    },
    "inference": {"use": "inference", "instance_types": ["g6e.xlarge"]},
    "bottlerocket": {"image": "bottlerocket"},
    "pinned release": {"image_release": "1.35.2-20260724", "protected": True},
    "pinned image": {"image_id": "ami-0123456789abcdef0", "protected": True},
    "arm": {"instance_types": ["g5g.xlarge"]},
    "neuron": {"instance_types": ["inf2.xlarge"]},
    "time-slicing": {"sharing": "time-slicing", "time_slicing_replicas": 4},
    "closed": {"closed": True, "node_role_name": None, "instance_profile_name": "karpenter-nodes"},
}
"""A pool of each kind, as it differs from `POOL`."""
MARKER = "aws:cloudwatch/logGroup:LogGroup"
"""Of which Karpenter's components make none."""


def marker(name: str, value: pulumi.Input[str]) -> None:
    """A resource that takes an output, so that what it then waits for can be seen."""
    aws.cloudwatch.LogGroup(name, name=value)


def access_args(**changes: Any) -> KarpenterAccessArgs:
    defaults: dict[str, Any] = {
        **REGION,
        "cluster_name": "demo",
        "cluster": "demo",
        "node_role_arn": NODE_ROLE,
        "node_role_name": "karpenter-nodes",
        "volume_key_arns": [KEY],
    }
    return KarpenterAccessArgs(**(defaults | changes))


def access(**changes: Any) -> Build:
    return lambda: KarpenterAccess("karpenter", access_args(**changes))


def controller_args(**changes: Any) -> KarpenterArgs:
    return KarpenterArgs(**(CONTROLLER | changes))


def controller(**changes: Any) -> Build:
    return lambda: Karpenter("karpenter", controller_args(**changes))


def pool_args(**changes: Any) -> KarpenterPoolArgs:
    return KarpenterPoolArgs(**(POOL | changes))


def pool(**changes: Any) -> Build:
    return lambda: KarpenterPool("pool", pool_args(**changes))


BUILDS = {"KarpenterAccess": access(isolated=True), "Karpenter": controller(), "KarpenterPool": pool()}
"""One of each component."""


def both(*pools: dict[str, Any]) -> Build:
    """Several pools, named after themselves."""

    def build() -> None:
        for changes in pools:
            KarpenterPool(changes["pool_name"], pool_args(**changes))

    return build
