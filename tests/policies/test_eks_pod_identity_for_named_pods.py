import pulumi_aws as aws

from policies.rules.eks_pod_identity_for_named_pods import RULE
from tests.policies.judging import later, messages


def test_a_role_for_the_default_pods_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.eks.PodIdentityAssociation(
            "a", cluster_name="c", namespace="default", service_account="default", role_arn="r"
        )

    assert messages(RULE, build, preview=preview) == [
        "a: namespace is default, which pods have that ask for nothing; it must be one of the workload's own.",
        "a: serviceAccount is default, which pods have that ask for nothing; it must be one of the workload's own.",
    ]


def test_a_role_for_named_pods_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.eks.PodIdentityAssociation(
            "a", cluster_name="c", namespace="vision", service_account="trainer", role_arn="r"
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_namespace_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.eks.PodIdentityAssociation(
            "a", cluster_name="c", namespace=later("default"), service_account="trainer", role_arn="r"
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "a: namespace is default, which pods have that ask for nothing; it must be one of the workload's own.",
    ]
