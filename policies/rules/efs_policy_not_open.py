"""A file system whose policy lets everybody in is read by whoever reaches its mount target."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import Statement, open_statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read
from ._resource_policies import FILE_SYSTEMS


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    for statement, how in () if policy is UNKNOWN else open_statements(policy):
        if not _through_mount_target(statement):
            report(
                f"policy, {statement.label}: {how}; it must name roles, or demand "
                "elasticfilesystem:AccessedViaMountTarget."
            )


def _through_mount_target(statement: Statement) -> bool:
    """EFS does not call such a policy public: who may mount, the network decides."""
    return any(one.key == "elasticfilesystem:accessedviamounttarget" for one in statement.conditions or ())


RULE = ResourceValidationPolicy(
    name="efs-policy-not-open",
    description="A file system whose policy lets everybody in is read by whoever reaches its mount target.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "identity"],
    remediation_steps="Allow elasticfilesystem:ClientMount and ClientWrite to named roles, under aws:SecureTransport "
    "true.",
    url="https://docs.aws.amazon.com/efs/latest/ug/access-control-block-public-access.html",
    validate=for_type(_check, *FILE_SYSTEMS),
)
