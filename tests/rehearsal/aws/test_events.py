"""What EventBridge keeps, changes and refuses of rules and targets."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gpufleet.rehearsal.aws.errors import AwsError
from tests.rehearsal.aws.stack import Stack

Client = Callable[[str], Any]

RULE, TARGET = "aws:cloudwatch/eventRule:EventRule", "aws:cloudwatch/eventTarget:EventTarget"
QUEUE = "aws:sqs/queue:Queue"


def test_a_rule_changes_its_pattern_its_state_and_its_tags_in_place_and_keeps_its_targets(
    stack: Stack, client: Client
) -> None:
    stack.get(TARGET)
    pattern = {"source": ["aws.health"]}
    changed = {"eventPattern": json.dumps(pattern), "state": "DISABLED", "tags": {"team": "vision"}}
    rule = stack.program.update(stack.get(RULE), {**stack.declared[RULE], **changed})

    found = client("events").describe_rule(Name=rule.id)
    assert (json.loads(found["EventPattern"]), found["State"]) == (pattern, "DISABLED")
    assert rule.state["tagsAll"] == {"owner": "ml", "team": "vision"}
    assert [one["Id"] for one in client("events").list_targets_by_rule(Rule=rule.id)["Targets"]] == ["queue"]


def test_the_order_of_a_patterns_keys_makes_no_difference(stack: Stack) -> None:
    rule = stack.get(RULE)
    turned = dict(reversed(json.loads(stack.declared[RULE]["eventPattern"]).items()))
    assert stack.program.diff(rule, {**stack.declared[RULE], "eventPattern": json.dumps(turned)}).changes is False


def test_a_rule_that_has_targets_stays_until_they_are_gone(stack: Stack) -> None:
    stack.get(TARGET)
    with pytest.raises(AwsError, match="Rule can't be deleted since it has targets"):
        stack.program.delete(stack.get(RULE))
    stack.program.delete(stack.get(TARGET))
    stack.program.delete(stack.get(RULE))
    assert stack.program.read(stack.get(RULE)) is None


def test_a_rule_that_may_be_forced_takes_its_targets_with_it(stack: Stack) -> None:
    rule = stack.add(RULE, {"scheduleExpression": "rate(5 minutes)", "forceDestroy": True})
    stack.add(TARGET, {"rule": rule.id, "arn": stack.get(QUEUE)["arn"]})
    stack.program.delete(rule)
    assert stack.program.read(rule) is None


def test_a_target_without_a_name_gets_one_and_can_be_pointed_elsewhere(stack: Stack, client: Client) -> None:
    inputs = {"rule": stack.id(RULE), "arn": stack.get(QUEUE)["arn"]}
    target = stack.add(TARGET, inputs)
    other = stack.add(QUEUE, {"sqsManagedSseEnabled": True})
    stack.program.update(target, {**inputs, "arn": other["arn"]})

    (found,) = client("events").list_targets_by_rule(Rule=stack.id(RULE))["Targets"]
    assert found["Id"].startswith("terraform-")
    assert found["Arn"] == other["arn"]


def test_an_old_program_says_by_a_boolean_whether_a_rule_is_on(stack: Stack, client: Client) -> None:
    rule = stack.add(RULE, {"scheduleExpression": "rate(5 minutes)", "isEnabled": False})
    assert client("events").describe_rule(Name=rule.id)["State"] == "DISABLED"
