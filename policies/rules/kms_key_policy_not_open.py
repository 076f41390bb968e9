"""A key that everyone may use protects nothing, since whoever gets at the data gets at the key."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import open_statements
from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, read

_TYPES = (
    *("aws:kms/key:Key", "aws:kms/keyPolicy:KeyPolicy", "aws:kms/externalKey:ExternalKey"),
    *("aws:kms/replicaKey:ReplicaKey", "aws:kms/replicaExternalKey:ReplicaExternalKey"),
)


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    if policy is UNKNOWN:
        return
    for statement, how in open_statements(policy):
        report(
            f"policy, {statement.label}: {how}; it must name the principals, or demand kms:CallerAccount or "
            "aws:PrincipalOrgID."
        )


RULE = ResourceValidationPolicy(
    name="kms-key-policy-not-open",
    description="A key that everyone may use protects nothing, since whoever gets at the data gets at the key.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("KMS.5"),
    tags=["data", "encryption"],
    remediation_steps="Allow the account's root, so that IAM decides, and name services and roles one by one.",
    url="https://docs.aws.amazon.com/kms/latest/developerguide/key-policies.html",
    validate=for_type(_check, *_TYPES),
)
