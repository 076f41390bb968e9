"""One component at a time, each with the least it needs; a test states only what it is about."""

from collections.abc import Callable
from typing import Any

from components import (
    ClusterDns,
    ClusterDnsArgs,
    EncryptedBucket,
    EncryptedBucketArgs,
    EncryptionKey,
    EncryptionKeyArgs,
    GpuCluster,
    GpuClusterArgs,
    GpuPool,
    GpuPoolArgs,
    NodeRole,
    NodeRoleArgs,
    PrivateNetwork,
    PrivateNetworkArgs,
    SpendBudget,
    SpendBudgetArgs,
    SystemNodes,
    SystemNodesArgs,
)

ACCOUNT = "111122223333"
KEY = f"arn:aws:kms:us-east-1:{ACCOUNT}:key/one"
REGION = {"account_id": ACCOUNT, "region": "us-east-1", "partition": "aws"}
NODES: dict[str, Any] = {
    "cluster_name": "demo",
    "kubernetes_version": "1.35",
    "node_role_arn": f"arn:aws:iam::{ACCOUNT}:role/node",
    "subnet_ids": ["subnet-a", "subnet-b"],
    "security_group_ids": ["sg-nodes"],
    "volume_key_arn": KEY,
}

Build = Callable[[], object]


def network_args(**changes: Any) -> PrivateNetworkArgs:
    defaults: dict[str, Any] = {
        "account_id": ACCOUNT,
        "region": "us-east-1",
        "cidr": "10.20.0.0/16",
        "zones": ["us-east-1a", "us-east-1b", "us-east-1c"],
        "flow_log_key_arn": KEY,
    }
    return PrivateNetworkArgs(**(defaults | changes))


def network(**changes: Any) -> Build:
    return lambda: PrivateNetwork("net", network_args(**changes))


def key_args(**changes: Any) -> EncryptionKeyArgs:
    defaults: dict[str, Any] = {**REGION, "purpose": "node volumes", "alias": "gpufleet/dev/volumes"}
    return EncryptionKeyArgs(**(defaults | changes))


def key(**changes: Any) -> Build:
    return lambda: EncryptionKey("key", key_args(**changes))


def node_role(**changes: Any) -> Build:
    defaults: dict[str, Any] = {"partition": "aws"}
    return lambda: NodeRole("node", NodeRoleArgs(**(defaults | changes)))


def bucket(**changes: Any) -> Build:
    defaults: dict[str, Any] = {"purpose": "datasets", "key_arn": KEY, "partition": "aws"}
    return lambda: EncryptedBucket("data", EncryptedBucketArgs(**(defaults | changes)))


def cluster_args(**changes: Any) -> GpuClusterArgs:
    defaults: dict[str, Any] = {
        **REGION,
        "cluster_name": "demo",
        "kubernetes_version": "1.35",
        "vpc_id": "vpc-one",
        "vpc_cidr": "10.20.0.0/16",
        "subnet_ids": ["subnet-a", "subnet-b"],
        "secrets_key_arn": KEY,
        "log_key_arn": KEY,
    }
    return GpuClusterArgs(**(defaults | changes))


def cluster(**changes: Any) -> Build:
    return lambda: GpuCluster("cluster", cluster_args(**changes))


def system_nodes(**changes: Any) -> Build:
    return lambda: SystemNodes("system", SystemNodesArgs(**(NODES | changes)))


def cluster_dns(**changes: Any) -> Build:
    return lambda: ClusterDns("dns", ClusterDnsArgs(**({"cluster_name": "demo"} | changes)))


POOL: dict[str, Any] = {
    **NODES,
    "pool_name": "train",
    "region": "us-east-1",
    "zones": ["us-east-1a", "us-east-1b"],
    "subnet_ids": {"us-east-1a": "subnet-a", "us-east-1b": "subnet-b", "us-east-1c": "subnet-c"},
    "efa_security_group_id": "sg-efa",
    "instance_types": ["g6.xlarge"],
    "max_nodes": 4,
}


def pool_args(**changes: Any) -> GpuPoolArgs:
    defaults: dict[str, Any] = POOL
    return GpuPoolArgs(**(defaults | changes))


def pool(**changes: Any) -> Build:
    return lambda: GpuPool("pool", pool_args(**changes))


def budget(**changes: Any) -> Build:
    defaults: dict[str, Any] = {
        "budget_name": "gpufleet-dev",
        "monthly_usd": 4000,
        "max_hourly_usd": 60,
        "alert_emails": ["gpu-costs@example.com"],
        "tag_key": "gpufleet-stack",
        "tag_value": "dev",
    }
    return lambda: SpendBudget("budget", SpendBudgetArgs(**(defaults | changes)))
