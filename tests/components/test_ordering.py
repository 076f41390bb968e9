import pulumi_aws as aws

from components.ordering import after
from gpufleet.plan.graph import UNKNOWN
from tests.harness import record


def build() -> None:
    role = aws.iam.Role("role", assume_role_policy="{}")
    attachment = aws.iam.RolePolicyAttachment("attached", role=role.name, policy_arn="arn:aws:iam::aws:policy/X")
    aws.eks.PodIdentityAssociation(
        "user",
        cluster_name=after("demo", attachment),
        namespace="a",
        service_account="b",
        role_arn=after(role.arn, attachment),
    )


def test_a_value_taken_after_others_depends_on_them_too() -> None:
    recorded = record(build)

    role, attachment = (
        recorded.one("aws:iam/role:Role"),
        recorded.one("aws:iam/rolePolicyAttachment:RolePolicyAttachment"),
    )
    user = recorded.one("aws:eks/podIdentityAssociation:PodIdentityAssociation")
    assert user.dependencies == tuple(sorted([role.urn, attachment.urn]))
    assert user.inputs["roleArn"] == role.outputs["arn"]


def test_a_known_value_stays_known_in_a_preview_although_what_it_waits_for_is_new() -> None:
    user = record(build, preview=True).one("aws:eks/podIdentityAssociation:PodIdentityAssociation")

    assert user.inputs["clusterName"] == "demo"
    assert user.inputs["roleArn"] == UNKNOWN
