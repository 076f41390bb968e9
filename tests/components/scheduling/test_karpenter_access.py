import json
from typing import Any

import pytest

from components.scheduling.karpenter_access import KarpenterAccess
from gpufleet.plan import police
from policies import rules
from tests.components import builds as common
from tests.components.scheduling import builds
from tests.harness import Recorded, record

QUEUE, QUEUE_POLICY = "aws:sqs/queue:Queue", "aws:sqs/queuePolicy:QueuePolicy"
RULE, TARGET = "aws:cloudwatch/eventRule:EventRule", "aws:cloudwatch/eventTarget:EventTarget"
ENTRY, PROFILE = "aws:eks/accessEntry:AccessEntry", "aws:iam/instanceProfile:InstanceProfile"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
ASSOCIATION = "aws:eks/podIdentityAssociation:PodIdentityAssociation"


def made(**changes: Any) -> Recorded:
    return record(builds.access(**changes))


def statements(document: str) -> dict[str, Any]:
    return {statement["Sid"]: statement for statement in json.loads(document)["Statement"]}


def granted(recorded: Recorded) -> set[str]:
    documents = [policy.inputs["policy"] for policy in recorded.all("aws:iam/policy:Policy")]
    return {action for text in documents for one in statements(text).values() for action in one["Action"]}


def test_the_controller_hears_of_the_five_ways_in_which_ec2_takes_a_node_back() -> None:
    assert {rule.name: json.loads(rule.inputs["eventPattern"]) for rule in made().all(RULE)} == {
        "karpenter-health": {"source": ["aws.health"], "detail-type": ["AWS Health Event"]},
        "karpenter-rebalance": {"source": ["aws.ec2"], "detail-type": ["EC2 Instance Rebalance Recommendation"]},
        "karpenter-reservation": {
            "source": ["aws.ec2"],
            "detail-type": ["EC2 Capacity Reservation Instance Interruption Warning"],
        },
        "karpenter-spot": {"source": ["aws.ec2"], "detail-type": ["EC2 Spot Instance Interruption Warning"]},
        "karpenter-state": {"source": ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"]},
    }


def test_each_rule_sends_to_the_queue_once_the_queue_admits_it() -> None:
    recorded = made()
    queue, admission = recorded.one(QUEUE), recorded.one(QUEUE_POLICY)

    targets = {target.name: target for target in recorded.all(TARGET)}
    assert {name: target.inputs for name, target in targets.items()} == {
        rule.name: {"rule": rule.outputs["name"], "arn": queue.outputs["arn"], "targetId": "karpenter-queue"}
        for rule in recorded.all(RULE)
    }
    assert all(admission.urn in target.dependencies for target in targets.values())


def test_the_queue_is_encrypted_and_forgets_after_five_minutes() -> None:
    assert made().one(QUEUE).inputs == {"sqsManagedSseEnabled": True, "messageRetentionSeconds": 300}


def test_only_these_rules_may_send_to_the_queue_and_nobody_in_the_clear() -> None:
    recorded = made()
    queue = recorded.one(QUEUE).outputs["arn"]

    assert statements(recorded.one(QUEUE_POLICY).inputs["policy"]) == {
        "RulesSendNotices": {
            "Sid": "RulesSendNotices",
            "Effect": "Allow",
            "Principal": {"Service": "events.amazonaws.com"},
            "Action": ["sqs:SendMessage"],
            "Resource": [queue],
            "Condition": {
                "ArnEquals": {
                    "aws:SourceArn": [
                        recorded.one(RULE, f"karpenter-{notice}").outputs["arn"]
                        for notice in ("health", "spot", "rebalance", "state", "reservation")
                    ]
                }
            },
        },
        "RefusePlainText": {
            "Sid": "RefusePlainText",
            "Effect": "Deny",
            "Principal": "*",
            "Action": ["sqs:*"],
            "Resource": [queue],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        },
    }


def test_the_controller_alone_has_the_role_with_the_three_policies_of_the_grant() -> None:
    recorded = made()

    assert recorded.one(ASSOCIATION).inputs["serviceAccount"] == "karpenter"
    assert recorded.one(ASSOCIATION).inputs["namespace"] == "kube-system"
    assert [attachment.name for attachment in recorded.all(ATTACHMENT)] == [
        "karpenter-controller-launch",
        "karpenter-controller-lookups",
        "karpenter-controller-roles",
    ]
    assert {"ec2:CreateFleet", "sqs:ReceiveMessage", "kms:CreateGrant", "iam:CreateInstanceProfile"} <= granted(
        recorded
    )


def test_a_preview_shows_whom_the_role_trusts() -> None:
    trust = record(builds.access(), preview=True).one("aws:iam/role:Role").inputs["assumeRolePolicy"]

    (statement,) = json.loads(trust)["Statement"]
    assert statement["Condition"]["ArnEquals"] == {
        "aws:SourceArn": f"arn:aws:eks:us-east-1:{common.ACCOUNT}:cluster/demo"
    }


def test_nodes_join_by_an_entry_for_nodes() -> None:
    assert made().one(ENTRY).inputs == {
        "clusterName": "demo",
        "principalArn": builds.NODE_ROLE,
        "type": "EC2_LINUX",
    }


def test_with_a_way_out_the_controller_makes_profiles_and_the_stack_none() -> None:
    recorded = made()

    assert recorded.all(PROFILE) == []
    assert recorded.one("gpufleet:index:KarpenterAccess").outputs["instanceProfileName"] == ""


def test_in_a_closed_network_the_stack_makes_the_profile_and_the_controller_may_make_none() -> None:
    recorded = made(isolated=True, path="/gpufleet/")

    profile = recorded.one(PROFILE)
    assert profile.inputs == {"role": "karpenter-nodes", "path": "/gpufleet/"}
    assert recorded.one("gpufleet:index:KarpenterAccess").outputs["instanceProfileName"] == profile.outputs["name"]
    assert not {action for action in granted(recorded) if action.startswith(("iam:", "pricing:"))} - {"iam:PassRole"}


def test_who_uses_the_service_account_waits_for_role_policies_association_and_the_nodes_entry() -> None:
    def build() -> None:
        access = KarpenterAccess("karpenter", builds.access_args())
        builds.marker("controller", access.controller_service_account)
        builds.marker("queue", access.queue_name)

    recorded = record(build)

    controller = recorded.one(builds.MARKER, "controller").dependencies
    assert {urn.split("::")[2].rpartition("$")[2] for urn in controller} >= {ENTRY, ASSOCIATION, ATTACHMENT}
    assert {one.urn for one in recorded.all(ATTACHMENT)} < set(controller)
    queue = recorded.one(builds.MARKER, "queue").dependencies
    assert {one.urn for kind in (QUEUE, QUEUE_POLICY, TARGET) for one in recorded.all(kind)} <= set(queue)


@pytest.mark.parametrize("isolated", [False, True], ids=["open", "closed"])
def test_no_policy_has_anything_to_say_but_that_tags_are_the_providers(isolated: bool) -> None:
    found = police.judge(rules.RULES, made(isolated=isolated).run)

    assert {one.rule for one in found} == {"aws-resource-required-tags"}


def test_everything_lies_below_the_component() -> None:
    recorded = made(isolated=True)

    assert all("gpufleet:index:KarpenterAccess$" in one.urn for one in recorded.resources if one.custom)
    assert all(one.name.startswith("karpenter") for one in recorded.resources if one.custom)


@pytest.mark.parametrize(("region", "partition"), [("cn-north-1", "aws-cn"), ("us-gov-west-1", "aws-us-gov")])
def test_no_arn_of_the_commercial_partition_is_left_in_another(region: str, partition: str) -> None:
    role = f"arn:{partition}:iam::{common.ACCOUNT}:role/karpenter-nodes"
    key = f"arn:{partition}:kms:{region}:{common.ACCOUNT}:key/one"
    build = builds.access(region=region, partition=partition, node_role_arn=role, volume_key_arns=[key], isolated=True)

    for resource in record(build, preview=True).resources:
        assert "arn:aws:" not in json.dumps(resource.inputs), resource.urn


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"node_role_arn": "karpenter-nodes"}, "node_role_arn: 'karpenter-nodes' does not name one resource"),
        ({"path": "gpufleet"}, "path: 'gpufleet' is no path of IAM"),
        ({"cluster": "other"}, "cluster: 'other' is another cluster than cluster_name, 'demo'"),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_the_fix(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        builds.access_args(**changes)
