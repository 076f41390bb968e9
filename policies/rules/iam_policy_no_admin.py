"""AWS's own broad policies grant far more than any job here needs, and grow with every new service."""

from fnmatch import fnmatchcase

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import elements, read

_BROAD = ("AdministratorAccess*", "PowerUserAccess*", "*FullAccess", "*FullAccess_v?", "*FullAccessV?")
_KEYS = ("policyArn", "policyArns", "managedPolicyArns")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for key in _KEYS:
        for arn in elements(read(args.props, key)):
            if isinstance(arn, str) and _is_broad(arn):
                report(f"{key} holds {arn}; it must be a policy that names the actions and resources of the job.")


def _is_broad(arn: str) -> bool:
    """A customer's policy of such a name is judged by what it says, AWS's own by its name."""
    return ":aws:policy/" in arn and any(fnmatchcase(arn.rsplit("/", 1)[1], pattern) for pattern in _BROAD)


RULE = ResourceValidationPolicy(
    name="iam-policy-no-admin",
    description="AWS's own broad policies grant far more than any job here needs, and grow with every new service.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("IAM.1"),
    tags=["identity"],
    remediation_steps="Attach a policy of your own with the actions and ARNs that are needed; IAM Access Analyzer "
    "writes one from what was used.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-policy-generation.html",
    validate=for_type(
        _check,
        "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        "aws:iam/userPolicyAttachment:UserPolicyAttachment",
        "aws:iam/groupPolicyAttachment:GroupPolicyAttachment",
        "aws:iam/policyAttachment:PolicyAttachment",
        "aws:iam/rolePolicyAttachmentsExclusive:RolePolicyAttachmentsExclusive",
        "aws:iam/role:Role",
    ),
)
