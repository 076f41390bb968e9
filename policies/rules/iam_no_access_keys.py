"""A key that never expires is copied into files and images, and works from anywhere until somebody finds out."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub

_LASTING = ("aws:iam/accessKey:AccessKey", "aws:iam/serviceSpecificCredential:ServiceSpecificCredential")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    report("is a credential that does not expire; it must be a role, whose credentials expire by themselves.")


RULE = ResourceValidationPolicy(
    name="iam-no-access-keys",
    description="A key that never expires is copied into files and images, and works from anywhere until somebody "
    "finds out.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("IAM.3"),
    tags=["identity"],
    remediation_steps="Give pods roles by EKS Pod Identity, builds a role by OIDC, people IAM Identity Center.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html",
    validate=for_type(_check, *_LASTING),
)
