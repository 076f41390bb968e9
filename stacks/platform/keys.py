"""The keys of a region: one for each purpose, and one for each team whose data must be destroyable by itself."""

from collections.abc import Mapping

from components import EncryptionKey, EncryptionKeyArgs
from stacks.platform.place import Place
from stacks.settings import Region, Settings

PURPOSES = ("data", "logs", "secrets", "volumes")
SHREDDING_DAYS = 14
"""The shortest that the guard rails allow (KMS: 7): destroying the key is how a workspace's data is deleted, and two
weeks are left to find out that it was the wrong one."""


def build(place: Place, region: Region, settings: Settings, *, first: bool) -> Mapping[str, EncryptionKey]:
    """The keys by purpose; `first` says whether this region makes what the account has once."""
    return {
        purpose: EncryptionKey(
            place.named(f"{purpose}-key"),
            EncryptionKeyArgs(
                purpose=purpose,
                alias=f"{place.stack_name}/{purpose}",
                account_id=place.account_id,
                region=place.region,
                partition=place.partition,
                service_principals=("logs",) if purpose == "logs" else (),
                for_node_volumes=purpose == "volumes",
                for_lustre_buckets=purpose == "data" and region.storage.lustre is not None,
                creates_autoscaling_role=purpose == "volumes"
                and first
                and settings.account.service_linked_roles == "create",
            ),
            place.opts,
        )
        for purpose in PURPOSES
    }


def of_workspace(place: Place, workspace: str) -> EncryptionKey:
    """The key of one team's data."""
    return EncryptionKey(
        place.named(f"workspace-{workspace}-key"),
        EncryptionKeyArgs(
            purpose=f"data of workspace {workspace}",
            workspace=workspace,
            alias=f"{place.stack_name}/workspace/{workspace}",
            account_id=place.account_id,
            region=place.region,
            partition=place.partition,
            deletion_window_days=SHREDDING_DAYS,
        ),
        place.opts,
    )
