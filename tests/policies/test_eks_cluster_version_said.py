from policies.rules.eks_cluster_version_said import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import later, messages


def test_a_cluster_without_a_version_is_reported(preview: bool) -> None:
    def build() -> None:
        cluster(version=None)

    assert messages(RULE, build, preview=preview) == [
        "cluster: version is not set (AWS default: its newest); it should be, so that the plan says what will be made.",
    ]


def test_a_version_and_an_unknown_one_are_quiet(preview: bool) -> None:
    def build() -> None:
        cluster(version=later("1.35"))

    assert messages(RULE, build, preview=preview) == []
