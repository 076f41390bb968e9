"""A verdict as SARIF 2.1.0, which code scanning, editors and dashboards read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; what GitHub makes of it:
https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support-for-code-scanning
"""

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gpufleet import __version__
from gpufleet.check.verdict import Verdict, shown
from gpufleet.plan.violations import Rule, Violation
from gpufleet.plan.waiving import stack_urn

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {"mandatory": "error", "remediate": "error", "advisory": "warning", "disabled": "none"}

# GitHub calls 9.0 and more critical, 7.0 and more high, 4.0 and more medium.
_SCORES = {"critical": "9.5", "high": "8.0", "medium": "5.0", "low": "2.0", "unspecified": "1.0"}


def document(verdict: Verdict) -> dict[str, Any]:
    """Return the log: one run, every rule with its help, every violation; a waived one is a suppressed result."""
    order = {rule.name: index for index, rule in enumerate(verdict.rules)}
    uri = _uri(verdict.source)
    seen: Counter[tuple[str, str]] = Counter()
    results: list[dict[str, Any]] = []
    for violation in verdict.violations:
        seen[violation.rule, violation.urn] += 1
        results.append(_result(violation, verdict, order, uri, seen[violation.rule, violation.urn]))
    return {
        "$schema": SCHEMA_URI,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "gpufleet",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(rule) for rule in verdict.rules],
                    }
                },
                # Code scanning keeps the alerts of several stacks apart by what stands before the last slash.
                "automationDetails": {"id": f"gpufleet/{verdict.command}/{verdict.name}/"},
                "artifacts": [{"location": {"uri": uri}}],
                "invocations": [{"executionSuccessful": True, "exitCode": 0 if verdict.ok else 1}],
                "results": results,
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    described: dict[str, Any] = {
        "id": rule.name,
        "shortDescription": {"text": rule.description},
        "fullDescription": {"text": rule.description},
        "help": {"text": f"{rule.description}\n\nFix: {rule.fix}", "markdown": _markdown(rule)},
        "defaultConfiguration": {"level": _LEVELS[rule.level], "enabled": rule.level != "disabled"},
        "properties": {
            "tags": ["security", *rule.tags, *([rule.framework] if rule.framework else [])],
            "precision": "very-high",
            "problem.severity": "error" if _LEVELS[rule.level] == "error" else "warning",
            "security-severity": _SCORES[rule.severity],
        },
    }
    if rule.url:
        described["helpUri"] = rule.url
    return described


def _markdown(rule: Rule) -> str:
    parts = [rule.description, f"**Fix:** {rule.fix}"]
    if rule.framework:
        parts.append(f"Answers {rule.framework}.")
    if rule.url:
        parts.append(f"[Read on]({rule.url})")
    return "\n\n".join(parts)


def _result(violation: Violation, verdict: Verdict, order: dict[str, int], uri: str, ordinal: int) -> dict[str, Any]:
    urn = violation.urn or stack_urn(verdict.stack, verdict.project)
    result: dict[str, Any] = {
        "ruleId": violation.rule,
        "ruleIndex": order[violation.rule],
        "kind": "fail",
        "level": _LEVELS[violation.level],
        "message": {"text": f"{violation.message}\n\nFix: {violation.fix}" if violation.fix else violation.message},
        "locations": [
            {
                # No line of a program or of its settings can be named for a resource; what has none is not shown.
                "physicalLocation": {"artifactLocation": {"uri": uri, "index": 0}, "region": {"startLine": 1}},
                "logicalLocations": [{"name": urn.rsplit("::", 1)[-1], "fullyQualifiedName": urn, "kind": "resource"}],
            }
        ],
        "partialFingerprints": {"primaryLocationLineHash": _fingerprint(violation.rule, urn, ordinal)},
    }
    if violation.waiver is not None:
        told = violation.waiver.told()
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": told}]
    return result


def _fingerprint(rule: str, urn: str, ordinal: int) -> str:
    """The same for the same violation in the next run, though its message counts days or dollars."""
    return f"{hashlib.sha256(f'{rule} {urn}'.encode()).hexdigest()[:32]}:{ordinal}"


def _uri(path: Path) -> str:
    text = shown(path)
    return f"file://{quote(text)}" if text.startswith("/") else quote(text)
