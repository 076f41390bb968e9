"""What components declare is what the table has a place for, whether a shipped stack uses them or not."""

from collections.abc import Callable

import pytest

from components.identity.account_guard_rails import AccountGuardRails, AccountGuardRailsArgs
from gpufleet.rehearsal.aws.table import table
from tests.components import builds
from tests.components.scheduling import builds as scheduling
from tests.components.storage import compositions
from tests.harness import record

BUILDS: dict[str, Callable[[], object]] = {
    **{name: build() for name, build in compositions.BUILDS.items()},
    "Budget": builds.budget(),
    "ClusterDns": builds.cluster_dns(),
    "EncryptedBucket": builds.bucket(),
    "EncryptionKey": builds.key(),
    "GpuCluster": builds.cluster(),
    "GpuPool": builds.pool(),
    "KarpenterAccess": scheduling.access(isolated=True),
    "KarpenterPool": scheduling.pool(**scheduling.POOLS["efa"]),
    "NodeRole": builds.node_role(),
    "PrivateNetwork": builds.network(),
    "SystemNodes": builds.system_nodes(),
    "AccountGuardRails": lambda: AccountGuardRails(
        "rails", AccountGuardRailsArgs(account_id=builds.ACCOUNT, ebs_key_arn=builds.KEY)
    ),
    "storage": compositions.everything,
}


@pytest.mark.parametrize("name", sorted(BUILDS))
def test_every_input_that_a_component_gives_is_one_the_table_knows(name: str) -> None:
    resources = [resource for resource in record(BUILDS[name]).resources if resource.type.startswith("aws:")]
    assert resources
    unknown = {
        f"{resource.type} {given}"
        for resource in resources
        for given in resource.inputs.keys() - table()[resource.type].all_inputs.keys()
    }
    assert sorted(unknown) == []
