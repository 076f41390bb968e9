import pulumi_aws as aws

from policies.rules.eks_addon_has_its_role import RULE
from tests.policies.judging import messages


def test_an_addon_that_calls_aws_without_a_role_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.eks.Addon("cni", cluster_name="c", addon_name="vpc-cni")

    assert messages(RULE, build, preview=preview) == [
        "cni: vpc-cni calls AWS as aws-node and has no role; podIdentityAssociations must give it one.",
    ]


def test_a_role_by_association_by_oidc_and_an_addon_that_calls_nothing_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.eks.Addon(
            "cni",
            cluster_name="c",
            addon_name="vpc-cni",
            pod_identity_associations=[{"service_account": "aws-node", "role_arn": "r"}],
        )
        aws.eks.Addon("ebs", cluster_name="c", addon_name="aws-ebs-csi-driver", service_account_role_arn="r")
        aws.eks.Addon("efs", cluster_name="c", addon_name="aws-efs-csi-driver")
        aws.eks.PodIdentityAssociation(
            "efs", cluster_name="c", namespace="kube-system", service_account="efs-csi-controller-sa", role_arn="r"
        )
        aws.eks.Addon("dns", cluster_name="c", addon_name="coredns")

    assert messages(RULE, build, preview=preview) == []
