"""The teams of a region: who may enter, and what their workloads may do."""

from collections.abc import Mapping, Sequence

import pulumi

from components import EncryptionKey, GpuCluster, PodRole, PodRoleArgs, WorkspaceAccess, WorkspaceAccessArgs
from components.identity.grants import checkpoint_writer, dataset_reader, scratch_user
from components.identity.grants.artifact_publisher import statements as artifact_publisher
from components.identity.grants.place import Place as GrantPlace
from components.identity.statements import Statement, managed
from stacks.platform.data import Built
from stacks.platform.place import Place
from stacks.settings import Region, Settings, Workspace

SERVICE_ACCOUNT = "workload"
"""The service account of each namespace whose pods get the team's role."""


def admit(
    place: Place, region: Region, settings: Settings, cluster: GpuCluster, data: Built, data_key: EncryptionKey
) -> None:
    """An access entry for each person's role, and a role for each team's pods."""
    if not settings.workspaces:
        return

    def members(part: str) -> Mapping[str, Sequence[str]]:
        return {
            workspace.name: [place.principal(given) for given in getattr(workspace, part)]
            for workspace in settings.workspaces
        }

    WorkspaceAccess(
        place.named("workspaces"),
        WorkspaceAccessArgs(
            cluster_name=cluster.cluster_name,
            partition=place.partition,
            admins=members("admins"),
            developers=members("developers"),
            viewers=members("viewers"),
            cluster_admin_principal_arns=[place.principal(admin) for admin in region.cluster.admins],
        ),
        place.opts,
    )
    for workspace in settings.workspaces:
        policies = _policies(place, workspace, data, data_key)
        if policies:
            PodRole(
                place.named(f"workspace-{workspace.name}-{SERVICE_ACCOUNT}"),
                PodRoleArgs(
                    account_id=place.account_id,
                    cluster_name=cluster.cluster_name,
                    cluster_arn=cluster.cluster_arn,
                    namespace=workspace.name,
                    service_account=SERVICE_ACCOUNT,
                    policies=policies,
                    permissions_boundary_arn=place.boundary_arn,
                ),
                place.opts,
            )


def _policies(
    place: Place, workspace: Workspace, data: Built, data_key: EncryptionKey
) -> Mapping[str, pulumi.Output[str]]:
    """Read data sets; save checkpoints and use scratch under the team's own prefix; use the team's own bucket."""
    where = GrantPlace(account_id=place.account_id, region=place.region, partition=place.partition)
    grants = {
        "datasets": dataset_reader.statements,
        "checkpoints": checkpoint_writer.statements,
        "scratch": scratch_user.statements,
    }
    parts: dict[str, Sequence[Statement]] = {
        purpose: grant(where, data.buckets[purpose].bucket_arn, data_key.key_arn)
        for purpose, grant in grants.items()
        if purpose in data.buckets
    }
    if workspace.name in data.workspaces:
        bucket, key = data.workspaces[workspace.name]
        parts["own"] = artifact_publisher(where, bucket.bucket_arn, key.key_arn, prefix="")
    return managed(parts)
