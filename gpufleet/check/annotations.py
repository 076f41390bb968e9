"""A verdict as workflow commands: GitHub shows each violation on the pull request.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from gpufleet.check.verdict import Verdict, shown
from gpufleet.plan.violations import Violation


def text(verdict: Verdict) -> str:
    """Return one command a violation (error, warning, or notice for a waived one), then a line for the log."""
    file = shown(verdict.source)
    lines = [_command(violation, file) for violation in verdict.violations]
    failing = sum(violation.mandatory for violation in verdict.violations)
    waived = sum(violation.waiver is not None for violation in verdict.violations)
    advisory = len(verdict.violations) - failing - waived
    lines.append(
        f"{verdict.name}: {len(verdict.rules)} rules, {failing} mandatory, {advisory} advisory, {waived} waived"
    )
    return "\n".join(lines) + "\n"


def _command(violation: Violation, file: str) -> str:
    name = violation.urn.rsplit("::", 1)[-1] or "the stack"
    if violation.waiver is not None:
        kind, ending = "notice", violation.waiver.told()
    else:
        kind, ending = ("error" if violation.mandatory else "warning"), f"fix: {violation.fix}"
    title = _property(f"{violation.rule} on {name}")
    message = _data(f"{violation.message}\n{ending}")
    return f"::{kind} file={_property(file)},line=1,title={title}::{message}"


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")
