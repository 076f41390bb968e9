"""Readers for EventBridge's rules and where they send what they match."""

from collections.abc import Iterator

from gpufleet.rehearsal.read_back.asking import Declared, Fact, Reader, document


def rule(resource: Declared) -> Iterator[Fact]:
    """What it matches, and whether it does so now."""
    inputs = resource.inputs
    found = resource.client("events").describe_rule(Name=inputs["name"], EventBusName=inputs["eventBusName"])
    yield Fact("pattern", document(inputs.get("eventPattern")), document(found.get("EventPattern")))
    yield Fact("schedule", inputs.get("scheduleExpression"), found.get("ScheduleExpression"))
    yield Fact("state", inputs.get("state", "ENABLED"), found["State"])


def target(resource: Declared) -> Iterator[Fact]:
    """What the events go to."""
    inputs, name = resource.inputs, resource.outputs["targetId"]
    answer = resource.client("events").list_targets_by_rule(Rule=inputs["rule"], EventBusName=inputs["eventBusName"])
    found = next(target for target in answer["Targets"] if target["Id"] == name)
    yield Fact("target", inputs["arn"], found["Arn"])


READERS: dict[str, Reader] = {
    "aws:cloudwatch/eventRule:EventRule": rule,
    "aws:cloudwatch/eventTarget:EventTarget": target,
}
