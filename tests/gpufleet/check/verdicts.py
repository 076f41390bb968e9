"""A verdict with everything that a format has to show: failing, advising, waived, disabled and quiet rules."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from gpufleet.check.verdict import Verdict
from gpufleet.plan.violations import Rule, Violation
from gpufleet.plan.waivers import Waiver

PREFIX = "urn:pulumi:prod::fleet::aws:s3/bucket:Bucket::"

WAIVER = Waiver(
    rule="versioned",
    resource="scratch",
    reason="made again by every job",
    owner="ml-platform",
    expires=date(2027, 1, 31),
    origin="Pulumi.prod.yaml: waivers.0",
)


def rule(name: str, level: str = "mandatory", severity: str = "high", url: str = "", framework: str = "") -> Rule:
    return Rule(
        name=name,
        level=level,
        severity=severity,
        description=f"What {name} guards against.",
        fix=f"Mend {name}.",
        url=url,
        tags=("data",),
        framework=framework,
    )


ENCRYPTED = rule("encrypted", severity="critical", url="https://example.com/encrypted", framework="CIS 1")
LOGGED = rule("logged", level="advisory", severity="low")
OFF = rule("off", level="disabled", severity="unspecified")
QUIET = rule("quiet")
VERSIONED = rule("versioned", severity="medium")

VIOLATIONS = (
    ENCRYPTED.violated(f"{PREFIX}datasets", "100% open,\nand: so on \x00"),
    ENCRYPTED.violated(f"{PREFIX}datasets", "a second fault"),
    LOGGED.violated("", "nobody logs"),
    replace(VERSIONED.violated(f"{PREFIX}scratch", "no versions"), waiver=WAIVER),
)


def verdict(*violations: Violation, source: Path = Path("/elsewhere/Pulumi.prod.yaml")) -> Verdict:
    return Verdict(
        command="check",
        project="fleet",
        stack="prod",
        source=source,
        kind="program",
        urns=(f"{PREFIX}datasets", f"{PREFIX}scratch"),
        rules=(ENCRYPTED, LOGGED, OFF, QUIET, VERSIONED),
        violations=violations,
        waivers=(WAIVER,),
        seconds=1.5,
    )


EVERYTHING = verdict(*VIOLATIONS)
