"""The engine's event log: what an operation did, and why it failed, as data."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

# Markup for colours, which messages carry also when colours are off.
_COLOUR = re.compile(r"<\{%[^%]*%\}>")

# Said beside the cause, never instead of it.
_ECHOES = frozenset({"preview failed", "update failed", "destroy failed", "refresh failed"})

# How the SDK's language server introduces an exception of the program.
_PROGRAM_ERROR = "python inline source runtime error: "
_UNHANDLED = "an unhandled error occurred: "
_TRACEBACK = "\nTraceback (most recent call last):"
# How the official language host introduces one.
_PROGRAM_FAILED = "Program failed with an unhandled exception:"
# The line after a traceback's frames, which are indented: the exception's class and message.
_RAISED = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*)(?:: (?P<message>.*))?\Z", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Problem:
    """One error the engine reported."""

    message: str
    """The error in its own words, without a traceback."""
    urn: str
    """The resource it is about, empty where it is about the program or the operation."""
    detail: str
    """The whole text, with the traceback where there is one."""


@dataclass(frozen=True)
class EngineViolation:
    """One violation as the engine reports it: without the rule's severity and fix, which only the pack knows."""

    rule: str
    level: str
    urn: str
    """Empty where the rule is about the whole stack."""
    message: str
    """What the rule said, without its description, which the engine puts on a line before."""
    exempt: bool = False
    """Whether an exception of the pack's configuration covers it: it is shown and does not fail."""


@dataclass
class Events:
    """A reader of the event log, fed line by line while the engine writes it."""

    expected: int = 0
    """How many resources will be touched, 0 where that is not known; only for progress."""
    on_progress: Callable[[int, int, str], None] = lambda done, expected, urn: None
    """Called with (resources done, resources expected or 0, URN) each time one is done."""
    operations: dict[str, str] = field(default_factory=lambda: {})
    """URN to what was done to it: create, same, update, delete, replace, ..."""
    types: dict[str, str] = field(default_factory=lambda: {})
    """URN to type token."""
    problems: list[Problem] = field(default_factory=lambda: [])
    violations: list[EngineViolation] = field(default_factory=lambda: [])

    def feed(self, line: str) -> None:
        """Take one line of the log. Kinds of events that are not known are passed over."""
        event: Mapping[str, Any] = json.loads(line)
        if "resOutputsEvent" in event or "resOpFailedEvent" in event:
            kind = "resOutputsEvent" if "resOutputsEvent" in event else "resOpFailedEvent"
            self._resource(event[kind]["metadata"])
        elif "resourcePreEvent" in event:
            metadata = event["resourcePreEvent"]["metadata"]
            self.types[metadata["urn"]] = metadata["type"]
        elif "diagnosticEvent" in event:
            self._diagnostic(event["diagnosticEvent"])
        elif "policyEvent" in event:
            self._violation(event["policyEvent"])

    def counted(self) -> dict[str, int]:
        """How many resources saw each kind of operation, sorted by its name."""
        operations = list(self.operations.values())
        return {operation: operations.count(operation) for operation in sorted(set(operations))}

    def changed(self) -> list[tuple[str, str]]:
        """(URN, operation) of every resource that was not left as it was."""
        return sorted(
            (urn, operation) for urn, operation in self.operations.items() if operation not in ("same", "read")
        )

    def _resource(self, metadata: Mapping[str, Any]) -> None:
        urn = metadata["urn"]
        first = urn not in self.operations
        # A component's outputs are reported again as `same`; the first report is the one of the operation.
        if first or self.operations[urn] == "same":
            self.operations[urn] = metadata["op"]
        self.types[urn] = metadata["type"]
        if first:
            self.on_progress(len(self.operations), self.expected, urn)

    def _diagnostic(self, event: Mapping[str, Any]) -> None:
        if event.get("severity") != "error":
            return
        detail = _COLOUR.sub("", event.get("message", "")).strip()
        message = _without_traceback(detail)
        known = {(problem.message, problem.urn) for problem in self.problems}
        urn = event.get("urn", "")
        if message and message not in _ECHOES and (message, urn) not in known:
            self.problems.append(Problem(message=message, urn=urn, detail=detail))

    def _violation(self, event: Mapping[str, Any]) -> None:
        text = _COLOUR.sub("", event["message"]).strip()
        violation = EngineViolation(
            rule=event["policyName"],
            level=cast(str, event["enforcementLevel"]),
            urn="" if "::pulumi:pulumi:Stack::" in event.get("resourceUrn", "") else event.get("resourceUrn", ""),
            message=text.partition("\n")[2] or text,
            exempt=bool(event.get("exceptions")),
        )
        if violation not in self.violations:
            self.violations.append(violation)


def _without_traceback(detail: str) -> str:
    """Say what was raised, `ValueError: ...`, without where; a text without a traceback is returned as it is."""
    head, traceback, frames = detail.partition(_TRACEBACK)
    head = head.removeprefix(_UNHANDLED).removeprefix(_PROGRAM_ERROR).strip()
    raised = _RAISED.search(frames) if traceback else None
    if raised is None:
        return head
    message = raised["message"] if head in ("", _PROGRAM_FAILED) else head
    return f"{raised['kind']}: {message}" if message else raised["kind"]
