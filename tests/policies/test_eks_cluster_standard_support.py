import pytest

from policies.rules.eks_cluster_standard_support import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages


@pytest.mark.parametrize(("policy", "found"), [(None, "not set"), ({"support_type": "EXTENDED"}, "EXTENDED")])
def test_extended_support_is_reported_said_or_unsaid(policy: dict[str, str] | None, found: str, preview: bool) -> None:
    assert messages(RULE, lambda: cluster(upgrade_policy=policy), preview=preview) == [
        f"cluster: upgradePolicy.supportType is {found} (AWS default EXTENDED); it must be STANDARD."
    ]


def test_standard_support_is_quiet(preview: bool) -> None:
    assert messages(RULE, cluster, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        cluster(upgrade_policy={"support_type": later("EXTENDED")})

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
