import pulumi_aws as aws

from policies.rules.eks_cluster_log_group_of_ones_own import RULE
from tests.policies.clusters import cluster
from tests.policies.judging import messages


def test_a_cluster_whose_logs_have_no_group_is_reported(preview: bool) -> None:
    def build() -> None:
        cluster(name="c")

    assert messages(RULE, build, preview=preview) == [
        "cluster: writes logs, and the stack has no log group /aws/eks/c/cluster; it must have one, made first.",
    ]


def test_a_group_of_that_name_and_a_cluster_named_by_the_engine_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.cloudwatch.LogGroup("logs", name="/aws/eks/c/cluster")
        cluster(name="c")

    assert messages(RULE, build, preview=preview) == []
