"""Reading the engine's event log."""

import json
from typing import Any

from gpufleet.rehearsal.events import EngineViolation, Events, Problem

STACK = "urn:pulumi:dev::small::pulumi:pulumi:Stack::small-dev"
TRACEBACK = 'Traceback (most recent call last):\n  File "x", line 1\n'
VPC = "urn:pulumi:dev::small::aws:ec2/vpc:Vpc::main"


def feed(events: Events, **event: Any) -> None:
    """Give the reader one event."""
    events.feed(json.dumps({"sequence": 1, **event}))


def done(urn: str, operation: str) -> dict[str, Any]:
    """The event of a resource that is done."""
    return {"metadata": {"urn": urn, "op": operation, "type": urn.split("::")[2]}}


def error(message: str, urn: str = "") -> dict[str, Any]:
    """A diagnostic of severity error."""
    return {"severity": "error", "message": message, **({"urn": urn} if urn else {})}


def test_resources_are_counted_once_though_the_stack_reports_twice() -> None:
    told: list[tuple[int, int, str]] = []
    events = Events(expected=2, on_progress=lambda count, expected, urn: told.append((count, expected, urn)))
    feed(events, resOutputsEvent=done(STACK, "create"))
    feed(events, resOutputsEvent=done(VPC, "create"))
    feed(events, resOutputsEvent=done(STACK, "same"))
    assert events.counted() == {"create": 2}
    assert told == [(1, 2, STACK), (2, 2, VPC)]


def test_a_change_is_told_from_same_and_read() -> None:
    events = Events()
    feed(events, resOutputsEvent=done(STACK, "same"))
    feed(events, resOutputsEvent=done(VPC, "update"))
    feed(events, resOutputsEvent=done(VPC + "-2", "read"))
    assert events.changed() == [(VPC, "update")]


def test_a_failed_resource_is_reported_with_the_engines_message() -> None:
    events = Events()
    feed(events, resOpFailedEvent=done(VPC, "create"))
    feed(events, diagnosticEvent=error("<{%reset%}>InvalidVpc.Range: too large<{%reset%}>\n", VPC))
    feed(events, diagnosticEvent=error("update failed\n"))
    assert events.problems == [Problem("InvalidVpc.Range: too large", VPC, "InvalidVpc.Range: too large")]


def test_an_exception_of_the_program_is_named_once_and_without_its_traceback() -> None:
    events = Events()
    text = f"python inline source runtime error: boom\n{TRACEBACK}ValueError: boom\n"
    feed(events, diagnosticEvent=error(text))
    feed(events, diagnosticEvent=error("an unhandled error occurred: " + text))
    assert [problem.message for problem in events.problems] == ["ValueError: boom"]
    assert 'File "x", line 1' in events.problems[0].detail


def test_an_exception_as_the_official_host_reports_it_reads_the_same() -> None:
    events = Events()
    text = f"Program failed with an unhandled exception:\n{TRACEBACK}ValueError: boom\nmore\n"
    feed(events, diagnosticEvent=error(text))
    assert events.problems[0].message == "ValueError: boom\nmore"


def test_warnings_and_debug_messages_are_no_problems() -> None:
    events = Events()
    feed(events, diagnosticEvent={"severity": "warning", "message": "using pulumi-language-python from $PATH"})
    feed(events, preludeEvent={"config": {}})
    assert events.problems == []


def test_a_violation_loses_the_description_the_engine_puts_before_it() -> None:
    events = Events()
    violation = {
        "resourceUrn": VPC,
        "message": "Networks are small.\ncidrBlock is 10.0.0.0/8\n",
        "policyName": "vpc-small",
        "enforcementLevel": "mandatory",
    }
    feed(events, policyEvent=violation)
    feed(events, policyEvent=violation)
    assert events.violations == [EngineViolation("vpc-small", "mandatory", VPC, "cidrBlock is 10.0.0.0/8")]


def test_a_violation_of_the_whole_stack_names_no_resource() -> None:
    events = Events()
    feed(
        events,
        policyEvent={"resourceUrn": STACK, "message": "A.\nb", "policyName": "r", "enforcementLevel": "advisory"},
    )
    assert events.violations == [EngineViolation("r", "advisory", "", "b")]
