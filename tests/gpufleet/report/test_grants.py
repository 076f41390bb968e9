"""Who may do what: roles with their trust, their policies and those of resources."""

import pulumi_aws as aws

from gpufleet.report.grants import Grants
from tests.gpufleet.report.world import estate_of, policy

TRUST = {
    "Effect": "Allow",
    "Principal": {"Service": "pods.eks.amazonaws.com"},
    "Action": "sts:AssumeRole",
    "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}},
}


def worker() -> None:
    data = aws.s3.Bucket("data")
    role = aws.iam.Role("worker", assume_role_policy=policy(TRUST), permissions_boundary="arn:aws:iam::1:policy/edge")
    read = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "HERE"}
    own = aws.iam.Policy("read", policy=data.arn.apply(lambda arn: policy({**read, "Resource": f"{arn}/*"})))
    aws.iam.RolePolicyAttachment("own", role=role.name, policy_arn=own.arn)
    aws.iam.RolePolicyAttachment("awss", role=role.name, policy_arn="arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy")
    aws.iam.RolePolicyAttachment("other", role=role.name, policy_arn="arn:aws:iam::1:policy/theirs")
    aws.iam.RolePolicy("inline", role=role.id, policy=policy({**read, "Resource": "*"}))
    aws.eks.PodIdentityAssociation(
        "pods", cluster_name="brain", namespace="vision", service_account="train", role_arn=role.arn
    )
    aws.iam.Role("bystander", assume_role_policy=policy(TRUST))


def test_a_role_says_who_takes_it_and_on_whose_behalf():
    role = Grants(estate_of(worker)).roles()[1]
    assert role.name == "worker"
    assert [(s.who, s.when) for s in role.trust] == [
        (("the service pods.eks.amazonaws.com",), ("it is on behalf of account 111122223333",))
    ]
    assert role.pods == ("pods in namespace vision that run as service account train on brain",)
    assert role.boundary == "IAM policy/edge"


def test_a_role_has_its_own_policies_inline_attached_and_awss():
    role = Grants(estate_of(worker)).roles()[1]
    assert [(grant.name, grant.said, [s.on for s in grant.statements]) for grant in role.grants] == [
        ("AmazonEKS_CNI_Policy", "give pods addresses: create, attach and tag network interfaces", []),
        ("inline", "", [("anything",)]),
        ("read", "", [("everything in bucket data",)]),
        ("theirs", "a managed policy that is not part of this plan", []),
    ]


def test_another_roles_grants_are_not_its_own():
    bystander = Grants(estate_of(worker)).roles()[0]
    assert (bystander.name, bystander.grants, bystander.pods) == ("bystander", (), ())


def test_inline_and_managed_policies_may_stand_in_the_role_itself():
    def build():
        aws.iam.Role(
            "r",
            assume_role_policy=policy(TRUST),
            inline_policies=[{"name": "in", "policy": policy({"Effect": "Allow", "Action": "*", "Resource": "*"})}],
            managed_policy_arns=["arn:aws:iam::aws:policy/AdministratorAccess"],
        )

    (role,) = Grants(estate_of(build)).roles()
    assert [(grant.name, grant.said) for grant in role.grants] == [
        ("AdministratorAccess", "everything in the account"),
        ("in", ""),
    ]


def test_policies_on_resources_are_grants_too():
    def build():
        bucket = aws.s3.Bucket("data")
        refuse = {
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": "*",
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        }
        aws.s3.BucketPolicy("data", bucket=bucket.id, policy=policy(refuse))
        aws.kms.Key("without-one")

    (carried,) = Grants(estate_of(build)).carried()
    assert (carried.kind, carried.name) == ("bucket", "data")
    (statement,) = carried.statements
    assert (statement.allows, statement.who, statement.when) == (
        False,
        ("anyone",),
        ("the connection is not encrypted",),
    )


def test_an_arn_is_said_short():
    say = Grants(estate_of(worker)).say
    assert say("arn:aws:logs:eu-west-1:1:log-group:x:*") == "CloudWatch Logs log-group:x:* in eu-west-1"
    assert say("*") == "anything"
    assert say("${aws:PrincipalTag/team}") == "${aws:PrincipalTag/team}"
    assert say("arn:odd") == "arn:odd"
