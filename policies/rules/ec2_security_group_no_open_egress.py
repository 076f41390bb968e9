"""A way out to everywhere is how data leaves, and how an intruder's tools come in.

HTTPS to anywhere is the loosening that is named in the settings (`ports`), since registries and APIs move between
addresses and where nodes go is then the route table's and the NAT gateway's business. Take it out of `ports` for a
network without the internet.
"""

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from . import _openings
from ._cidrs import is_open
from ._for_type import Report, for_type
from ._openings import Opening
from ._reading import UNKNOWN, number

_PORTS = [443]


def _check(args: ResourceValidationArgs, report: Report) -> None:
    ports: list[int] = args.get_config().get("ports", _PORTS)
    for opening in _openings.openings(args.resource_type, args.props, "egress"):
        if _may_be_one_of(opening, ports):
            continue
        named = f"TCP port {' or '.join(str(int(port)) for port in ports)} alone" if ports else "nothing"
        for cidr in filter(is_open, opening.cidrs):
            report(
                f"{opening.what} of {opening.ports} is open to {cidr}; to the internet {named} may be open, other "
                "traffic must name a private range, a prefix list or a security group."
            )


def _may_be_one_of(opening: Opening, ports: list[int]) -> bool:
    """Tell whether it is for one TCP port of the list; every protocol is never one port."""
    if opening.protocol is UNKNOWN:
        return True
    if opening.every_protocol or str(opening.protocol).lower() not in ("tcp", "6", "6.0"):
        return False
    known = [number(port) for port in (opening.first, opening.last) if port is not UNKNOWN]
    return all(port in ports for port in known) and len(set(known)) <= 1


RULE = ResourceValidationPolicy(
    name="ec2-security-group-no-open-egress",
    description="A way out to everywhere is how data leaves, and how an intruder's tools come in.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network"],
    remediation_steps="Open TCP 443 to the internet at most; let the rest name the VPC's range, a prefix list or a "
    "group, and set egress (or separate rules), since AWS's default for a group made by hand lets everything out.",
    url="https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html",
    config_schema=PolicyConfigSchema(
        {
            "ports": {
                "type": "array",
                "items": {"type": "integer", "minimum": 1, "maximum": 65535},
                "default": _PORTS,
                "description": "TCP ports that may be open to the internet",
            }
        }
    ),
    validate=for_type(_check, *_openings.CARRIERS["egress"]),
)
