"""A verdict as JUnit XML: one test case a rule, which every CI server shows.

There is no standard; the attributes are those that Jenkins, GitLab and Azure read:
https://github.com/testmoapp/junitxml
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from xml.etree import ElementTree

from gpufleet.check.verdict import Verdict
from gpufleet.plan.violations import Rule, Violation

# What XML 1.0 cannot hold, however it is written.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(verdict: Verdict) -> str:
    """Return the document.

    A rule fails with a mandatory violation that is not waived; it is skipped where all of its violations are waived or
    the configuration disables it; one that only advises passes and says so.
    """
    by_rule: dict[str, list[Violation]] = defaultdict(list)
    for violation in verdict.violations:
        by_rule[violation.rule].append(violation)
    suite = ElementTree.Element("testsuite", name=_clean(f"gpufleet {verdict.command} {verdict.name}"))
    counted = {"failure": 0, "skipped": 0}
    for rule in verdict.rules:
        case = ElementTree.SubElement(suite, "testcase", classname=_clean(verdict.name), name=rule.name, time="0")
        outcome = _outcome(case, rule, by_rule[rule.name])
        if outcome in counted:
            counted[outcome] += 1
    totals = {
        "tests": str(len(verdict.rules)),
        "failures": str(counted["failure"]),
        "errors": "0",
        "skipped": str(counted["skipped"]),
        "time": str(verdict.seconds),
    }
    suite.attrib.update(totals)
    root = ElementTree.Element("testsuites", totals)
    root.append(suite)
    ElementTree.indent(root)
    return f"<?xml version='1.0' encoding='UTF-8'?>\n{ElementTree.tostring(root, encoding='unicode')}\n"


def _outcome(case: ElementTree.Element, rule: Rule, violations: Sequence[Violation]) -> str:
    failing = [violation for violation in violations if violation.mandatory]
    if failing:
        element = ElementTree.SubElement(case, "failure", type=rule.severity, message=_summary(failing))
        element.text = _clean("\n".join(_line(violation) for violation in violations))
        return "failure"
    if rule.level == "disabled":
        ElementTree.SubElement(case, "skipped", message="disabled by the policy configuration")
        return "skipped"
    if violations and all(violation.waiver is not None for violation in violations):
        waived = [f"{_name(v)}: {v.waiver.told()}" for v in violations if v.waiver is not None]
        ElementTree.SubElement(case, "skipped", message=_clean("; ".join(waived)))
        return "skipped"
    if violations:
        ElementTree.SubElement(case, "system-out").text = _clean("\n".join(_line(v) for v in violations))
    return "passed"


def _summary(failing: Sequence[Violation]) -> str:
    first = f"{_name(failing[0])}: {failing[0].message}"
    return _clean(first if len(failing) == 1 else f"{first} (and {len(failing) - 1} more)")


def _line(violation: Violation) -> str:
    ending = violation.waiver.told() if violation.waiver else f"fix: {violation.fix}"
    return f"{violation.urn or 'the stack'}: {violation.message} ({violation.level}; {ending})"


def _name(violation: Violation) -> str:
    return violation.urn.rsplit("::", 1)[-1] or "the stack"


def _clean(value: str) -> str:
    return _FORBIDDEN.sub("\ufffd", value)
