import pulumi_aws as aws
import pytest

from components.identity.grants import karpenter_controller
from components.identity.statements import Statement, managed
from tests.components.identity.grants.catalogue import CLUSTER, HOME, KEY, NODE_ROLE, QUEUE, by_sid
from tests.harness import record


def whole(**changes: bool) -> dict[str, Statement]:
    parts = karpenter_controller.parts(HOME, CLUSTER, NODE_ROLE, QUEUE, **changes)  # pyright: ignore[reportArgumentType] -- flags only
    return {statement.sid: statement for statements in parts.values() for statement in statements}


def actions(granted: dict[str, Statement]) -> set[str]:
    return {action for statement in granted.values() for action in statement.actions}


def test_it_passes_exactly_the_node_role_path_and_all_to_ec2() -> None:
    assert whole()["PassNodeRoleToEc2"].as_dict() == {
        "Sid": "PassNodeRoleToEc2",
        "Effect": "Allow",
        "Action": ["iam:PassRole"],
        "Resource": [NODE_ROLE],
        "Condition": {"StringEquals": {"iam:PassedToService": "ec2.amazonaws.com"}},
    }


def test_a_role_that_is_made_in_the_same_stack_is_the_one_that_is_passed() -> None:
    def build() -> None:
        role = aws.iam.Role("node", assume_role_policy="{}")
        parts = karpenter_controller.parts(HOME, CLUSTER, role.arn, QUEUE)
        aws.iam.Policy("roles", policy=managed(parts)["roles"])

    recorded = record(build)

    role = recorded.one("aws:iam/role:Role")
    policy = recorded.one("aws:iam/policy:Policy")
    assert f'"Resource": ["{role.outputs["arn"]}"]' in policy.inputs["policy"]
    assert policy.dependencies == (role.urn,)


@pytest.mark.parametrize("role", ["KarpenterNodeRole-demo", "arn:aws:iam::111122223333:role/node-*"])
def test_a_role_by_name_or_pattern_is_refused(role: str) -> None:
    with pytest.raises(ValueError, match="node_role_arn: .* does not name one resource"):
        karpenter_controller.parts(HOME, CLUSTER, role, QUEUE)


def test_where_iam_cannot_be_reached_it_makes_no_instance_profiles_and_asks_no_prices() -> None:
    unreachable = {"iam:ListInstanceProfiles", "iam:GetInstanceProfile", "pricing:GetProducts"}
    managing = {f"iam:{verb}InstanceProfile" for verb in ("Create", "Delete", "Tag", "AddRoleTo", "RemoveRoleFrom")}

    assert unreachable | managing <= actions(whole())
    assert actions(whole(isolated=True)) == actions(whole()) - unreachable - managing
    assert "iam:PassRole" in actions(whole(isolated=True))


def test_it_launches_only_what_it_tags_for_its_cluster() -> None:
    launch = by_sid(karpenter_controller.parts(HOME, CLUSTER, NODE_ROLE, QUEUE)["launch"])

    assert launch["LaunchTaggedNodes"]["Condition"] == {
        "StringEquals": {
            "aws:RequestTag/kubernetes.io/cluster/demo": "owned",
            "aws:RequestTag/eks:eks-cluster-name": "demo",
        },
        "StringLike": {"aws:RequestTag/karpenter.sh/nodepool": "*"},
    }
    assert launch["EndOwnNodes"]["Condition"] == {
        "StringEquals": {"aws:ResourceTag/kubernetes.io/cluster/demo": "owned"},
        "StringLike": {"aws:ResourceTag/karpenter.sh/nodepool": "*"},
    }


def test_with_a_key_for_node_volumes_ec2_may_be_granted_it_and_nobody_else() -> None:
    launch = by_sid(karpenter_controller.parts(HOME, CLUSTER, NODE_ROLE, QUEUE, volume_key_arns=[KEY])["launch"])

    assert launch["GrantVolumeKeysToService"]["Resource"] == [KEY]
    assert launch["GrantVolumeKeysToService"]["Condition"] == {
        "Bool": {"kms:GrantIsForAWSResource": "true"},
        "StringEquals": {"kms:ViaService": ["ec2.us-east-1.amazonaws.com"]},
    }
    assert "UseVolumeKeys" not in by_sid(karpenter_controller.parts(HOME, CLUSTER, NODE_ROLE, QUEUE)["launch"])
