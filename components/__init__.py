"""Pulumi components for private GPU clusters on AWS.

Each name below is imported when it is first asked for, so a program that needs a bucket does not load the SDK's modules
for clusters and networks.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cluster.dns import ClusterDns as ClusterDns
    from .cluster.dns import ClusterDnsArgs as ClusterDnsArgs
    from .cluster.gpu_cluster import GpuCluster as GpuCluster
    from .cluster.gpu_cluster import GpuClusterArgs as GpuClusterArgs
    from .cluster.system_nodes import SystemNodes as SystemNodes
    from .cluster.system_nodes import SystemNodesArgs as SystemNodesArgs
    from .compute.gpu_pool import GpuPool as GpuPool
    from .compute.gpu_pool import GpuPoolArgs as GpuPoolArgs
    from .cost.spend_budget import SpendBudget as SpendBudget
    from .cost.spend_budget import SpendBudgetArgs as SpendBudgetArgs
    from .identity.encryption_key import EncryptionKey as EncryptionKey
    from .identity.encryption_key import EncryptionKeyArgs as EncryptionKeyArgs
    from .identity.node_role import NodeRole as NodeRole
    from .identity.node_role import NodeRoleArgs as NodeRoleArgs
    from .network.private_network import PrivateNetwork as PrivateNetwork
    from .network.private_network import PrivateNetworkArgs as PrivateNetworkArgs
    from .storage.encrypted_bucket import EncryptedBucket as EncryptedBucket
    from .storage.encrypted_bucket import EncryptedBucketArgs as EncryptedBucketArgs

_MODULES = {
    "ClusterDns": ".cluster.dns",
    "GpuCluster": ".cluster.gpu_cluster",
    "SystemNodes": ".cluster.system_nodes",
    "GpuPool": ".compute.gpu_pool",
    "SpendBudget": ".cost.spend_budget",
    "EncryptionKey": ".identity.encryption_key",
    "NodeRole": ".identity.node_role",
    "PrivateNetwork": ".network.private_network",
    "EncryptedBucket": ".storage.encrypted_bucket",
}
_WHERE = {name: module for component, module in _MODULES.items() for name in (component, f"{component}Args")}

__all__ = sorted(_WHERE)  # pyright: ignore[reportUnsupportedDunderAll] -- the names above, resolved on first use


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no component {name!r}; there are {', '.join(sorted(_MODULES))}")
    return getattr(import_module(_WHERE[name], __name__), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
