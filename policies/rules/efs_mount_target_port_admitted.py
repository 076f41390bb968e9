"""A mount target whose group does not let in NFS makes every pod that mounts it hang."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._admission import Admission
from ._stack import Report, Stack, for_stack

_NFS = 2049


def _check(stack: Stack, report: Report) -> None:
    admission = Admission(stack)
    for target in stack.of("aws:efs/mountTarget:MountTarget"):
        if admission.lacking(target, "securityGroups", (_NFS,)):
            report(f"no ingress rule of its security groups lets in TCP {_NFS}; clients need it.", target.urn)


RULE = StackValidationPolicy(
    name="efs-mount-target-port-admitted",
    description="A mount target whose security group does not let in NFS makes every pod that mounts it hang.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network", "data"],
    remediation_steps="Let TCP 2049 into the mount target's security group from the nodes' group.",
    url="https://docs.aws.amazon.com/efs/latest/ug/network-access.html",
    validate=for_stack(_check),
)
