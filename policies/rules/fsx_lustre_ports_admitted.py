"""A Lustre client that the file system's group does not let in hangs at mount, on a node that is paid for."""

from typing import Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._admission import Admission
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_PORTS: Final = (988, *range(1018, 1024))
"""https://docs.aws.amazon.com/fsx/latest/LustreGuide/limit-access-security-groups.html"""


def _check(stack: Stack, report: Report) -> None:
    admission = Admission(stack)
    for system in stack.of("aws:fsx/lustreFileSystem:LustreFileSystem"):
        groups = read(system.props, "securityGroupIds")
        if groups is not UNKNOWN and not elements(groups):
            if lacking := admission.default_lacks(_PORTS):
                report(
                    f"securityGroupIds is not set, and the VPC's default group lets in no TCP {_listed(lacking)}; it "
                    "must name a group that does.",
                    system.urn,
                )
        elif lacking := admission.lacking(system, "securityGroupIds", _PORTS):
            report(
                f"no ingress rule of its security groups lets in TCP {_listed(lacking)}; clients need 988 and "
                "1018-1023.",
                system.urn,
            )
        elif lacking := admission.lacking(system, "securityGroupIds", _PORTS, from_itself=True):
            report(
                f"its security groups do not let themselves in on TCP {_listed(lacking)}; the file system's servers "
                "talk to each other on 988 and 1018-1023.",
                system.urn,
            )


def _listed(ports: list[int]) -> str:
    return ", ".join(map(str, ports))


RULE = StackValidationPolicy(
    name="fsx-lustre-ports-admitted",
    description="A Lustre client that the file system's group does not let in hangs at mount, on a node that is paid "
    "for.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network", "data"],
    remediation_steps="Let TCP 988 and 1018-1023 into the file system's security group, from the nodes' group and from "
    "itself.",
    url="https://docs.aws.amazon.com/fsx/latest/LustreGuide/limit-access-security-groups.html",
    validate=for_stack(_check),
)
