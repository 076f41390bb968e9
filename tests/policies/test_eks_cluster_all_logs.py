from policies.rules.eks_cluster_all_logs import RULE
from tests.policies.clusters import LOGS, cluster
from tests.policies.judging import later, messages

MUST = "it must hold api, audit, authenticator, controllerManager, scheduler."


def test_missing_kinds_are_named(preview: bool) -> None:
    assert messages(RULE, lambda: cluster(enabled_cluster_log_types=["api", "audit"]), preview=preview) == [
        f"cluster: enabledClusterLogTypes lacks authenticator, controllerManager, scheduler; {MUST}"
    ]


def test_a_cluster_that_says_nothing_logs_nothing(preview: bool) -> None:
    assert messages(RULE, lambda: cluster(enabled_cluster_log_types=None), preview=preview) == [
        f"cluster: enabledClusterLogTypes lacks {', '.join(LOGS)}; {MUST}"
    ]


def test_all_five_are_quiet(preview: bool) -> None:
    assert messages(RULE, cluster, preview=preview) == []


def test_one_unknown_kind_may_be_the_missing_one_but_not_two() -> None:
    def four_known() -> None:
        cluster(enabled_cluster_log_types=[*LOGS[:4], later("scheduler")])

    def three_known() -> None:
        cluster(enabled_cluster_log_types=[*LOGS[:3], later("scheduler")])

    assert messages(RULE, four_known, preview=True) == []
    assert messages(RULE, four_known) == []
    assert len(messages(RULE, three_known, preview=True)) == 1
    assert messages(RULE, three_known) == [f"cluster: enabledClusterLogTypes lacks controllerManager; {MUST}"]


def test_an_unknown_list_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        cluster(enabled_cluster_log_types=later(["api"]))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
