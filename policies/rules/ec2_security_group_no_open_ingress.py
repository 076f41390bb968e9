"""A port open to the whole internet is found and tried within minutes."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from . import _openings
from ._cidrs import WIDEST, is_open
from ._for_type import Report, for_type
from ._frameworks import security_hub


def _check(args: ResourceValidationArgs, report: Report) -> None:
    # Only what the rule names as a source counts: a rule that refers to a group or a prefix list names no range.
    for opening in _openings.openings(args.resource_type, args.props, "ingress"):
        for cidr in filter(is_open, opening.cidrs):
            report(
                f"{opening.what} of {opening.ports} is open to {cidr}; the source must be a private range, a "
                f"public one no wider than /{WIDEST[4]} (IPv6 /{WIDEST[6]}), a prefix list or a security group."
            )


RULE = ResourceValidationPolicy(
    name="ec2-security-group-no-open-ingress",
    description="A port that is open to the internet is found and tried within minutes.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.18"),
    tags=["network"],
    remediation_steps="Name the security group, prefix list or private range that must get in, and no other source; "
    "people come in through Session Manager or a VPN.",
    url="https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html",
    validate=for_type(_check, *_openings.CARRIERS["ingress"]),
)
