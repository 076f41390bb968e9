import pytest
from pulumi_policy import EnforcementLevel

from policies.rules.eks_cluster_deletion_protected import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages


@pytest.mark.parametrize(("setting", "found"), [(None, "not set"), (False, "false")])
def test_an_unprotected_cluster_is_reported(setting: bool | None, found: str, preview: bool) -> None:
    assert messages(RULE, lambda: cluster(deletion_protection=setting), preview=preview) == [
        f"cluster: deletionProtection is {found} (AWS default false); it must be true."
    ]


def test_it_is_only_an_advice() -> None:
    assert RULE.enforcement_level is EnforcementLevel.ADVISORY


def test_a_protected_cluster_is_quiet(preview: bool) -> None:
    assert messages(RULE, cluster, preview=preview) == []


def test_an_unknown_setting_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        cluster(deletion_protection=later(False))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
