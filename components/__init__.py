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
    from .cluster.workspace_access import WorkspaceAccess as WorkspaceAccess
    from .cluster.workspace_access import WorkspaceAccessArgs as WorkspaceAccessArgs
    from .compute.gpu_pool import GpuPool as GpuPool
    from .compute.gpu_pool import GpuPoolArgs as GpuPoolArgs
    from .cost.spend_budget import SpendBudget as SpendBudget
    from .cost.spend_budget import SpendBudgetArgs as SpendBudgetArgs
    from .devices.device_plugins import DevicePlugins as DevicePlugins
    from .devices.device_plugins import DevicePluginsArgs as DevicePluginsArgs
    from .devices.node_health import NodeHealth as NodeHealth
    from .devices.node_health import NodeHealthArgs as NodeHealthArgs
    from .identity.account_guard_rails import AccountGuardRails as AccountGuardRails
    from .identity.account_guard_rails import AccountGuardRailsArgs as AccountGuardRailsArgs
    from .identity.encryption_key import EncryptionKey as EncryptionKey
    from .identity.encryption_key import EncryptionKeyArgs as EncryptionKeyArgs
    from .identity.node_role import NodeRole as NodeRole
    from .identity.node_role import NodeRoleArgs as NodeRoleArgs
    from .identity.pod_role import PodRole as PodRole
    from .identity.pod_role import PodRoleArgs as PodRoleArgs
    from .identity.service_linked_roles import ServiceLinkedRoles as ServiceLinkedRoles
    from .identity.service_linked_roles import ServiceLinkedRolesArgs as ServiceLinkedRolesArgs
    from .network.efa_group import EfaGroup as EfaGroup
    from .network.efa_group import EfaGroupArgs as EfaGroupArgs
    from .network.file_system_group import FileSystemGroup as FileSystemGroup
    from .network.file_system_group import FileSystemGroupArgs as FileSystemGroupArgs
    from .network.private_network import PrivateNetwork as PrivateNetwork
    from .network.private_network import PrivateNetworkArgs as PrivateNetworkArgs
    from .scheduling.karpenter import Karpenter as Karpenter
    from .scheduling.karpenter import KarpenterArgs as KarpenterArgs
    from .scheduling.karpenter_access import KarpenterAccess as KarpenterAccess
    from .scheduling.karpenter_access import KarpenterAccessArgs as KarpenterAccessArgs
    from .scheduling.karpenter_pool import KarpenterPool as KarpenterPool
    from .scheduling.karpenter_pool import KarpenterPoolArgs as KarpenterPoolArgs
    from .storage.access_log_bucket import AccessLogBucket as AccessLogBucket
    from .storage.access_log_bucket import AccessLogBucketArgs as AccessLogBucketArgs
    from .storage.encrypted_bucket import EncryptedBucket as EncryptedBucket
    from .storage.encrypted_bucket import EncryptedBucketArgs as EncryptedBucketArgs
    from .storage.express_bucket import ExpressBucket as ExpressBucket
    from .storage.express_bucket import ExpressBucketArgs as ExpressBucketArgs
    from .storage.lustre_cache import LustreCache as LustreCache
    from .storage.lustre_cache import LustreCacheArgs as LustreCacheArgs
    from .storage.mountpoint_driver import MountpointDriver as MountpointDriver
    from .storage.mountpoint_driver import MountpointDriverArgs as MountpointDriverArgs
    from .storage.pull_through_cache import PullThroughCache as PullThroughCache
    from .storage.pull_through_cache import PullThroughCacheArgs as PullThroughCacheArgs
    from .storage.registry import ImageRegistry as ImageRegistry
    from .storage.registry import ImageRegistryArgs as ImageRegistryArgs
    from .storage.replication import BucketReplication as BucketReplication
    from .storage.replication import BucketReplicationArgs as BucketReplicationArgs

_MODULES = {
    "ClusterDns": ".cluster.dns",
    "GpuCluster": ".cluster.gpu_cluster",
    "SystemNodes": ".cluster.system_nodes",
    "WorkspaceAccess": ".cluster.workspace_access",
    "GpuPool": ".compute.gpu_pool",
    "SpendBudget": ".cost.spend_budget",
    "DevicePlugins": ".devices.device_plugins",
    "NodeHealth": ".devices.node_health",
    "AccountGuardRails": ".identity.account_guard_rails",
    "EncryptionKey": ".identity.encryption_key",
    "NodeRole": ".identity.node_role",
    "PodRole": ".identity.pod_role",
    "ServiceLinkedRoles": ".identity.service_linked_roles",
    "EfaGroup": ".network.efa_group",
    "FileSystemGroup": ".network.file_system_group",
    "PrivateNetwork": ".network.private_network",
    "Karpenter": ".scheduling.karpenter",
    "KarpenterAccess": ".scheduling.karpenter_access",
    "KarpenterPool": ".scheduling.karpenter_pool",
    "AccessLogBucket": ".storage.access_log_bucket",
    "EncryptedBucket": ".storage.encrypted_bucket",
    "ExpressBucket": ".storage.express_bucket",
    "LustreCache": ".storage.lustre_cache",
    "MountpointDriver": ".storage.mountpoint_driver",
    "PullThroughCache": ".storage.pull_through_cache",
    "ImageRegistry": ".storage.registry",
    "BucketReplication": ".storage.replication",
}
_WHERE = {name: module for component, module in _MODULES.items() for name in (component, f"{component}Args")}

__all__ = sorted(_WHERE)  # pyright: ignore[reportUnsupportedDunderAll] -- the names above, resolved on first use


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no component {name!r}; there are {', '.join(sorted(_MODULES))}")
    return getattr(import_module(_WHERE[name], __name__), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
