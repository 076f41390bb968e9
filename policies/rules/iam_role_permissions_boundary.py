"""Where a boundary is the rule, a role without one can be given more than anybody meant to allow here."""

from fnmatch import fnmatchcase

from pulumi_policy import (
    EnforcementLevel,
    PolicyConfigSchema,
    ResourceValidationArgs,
    ResourceValidationPolicy,
    Severity,
)

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    config = args.get_config()
    if not config.get("required", False):
        return
    wanted, found = str(config.get("arn", "*")), read(args.props, "permissionsBoundary")
    if found is None:
        report("permissionsBoundary is not set; it must be, for this pack is told so by its setting required.")
    elif found is not UNKNOWN and not fnmatchcase(str(found), wanted):
        report(f"permissionsBoundary is {found}; it must be one like {wanted}.")


RULE = ResourceValidationPolicy(
    name="iam-role-permissions-boundary",
    description="Where a boundary is the rule, a role without one can be given more than anybody meant to allow here.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity"],
    remediation_steps="Set permissionsBoundary of every role to the ARN of the policy that your organisation sets as "
    "the limit.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html",
    config_schema=PolicyConfigSchema(
        {
            "required": {"type": "boolean", "default": False, "description": "whether every role must have one"},
            "arn": {"type": "string", "default": "*", "description": "what its ARN must look like; * for any part"},
        }
    ),
    validate=for_type(_check, "aws:iam/role:Role", "aws:iam/user:User"),
)
