"""Where most roles of a stack have a boundary, the one without is the way past it."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._reading import read
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    roles = stack.of("aws:iam/role:Role")
    without = [role for role in roles if read(role.props, "permissionsBoundary") is None]
    if len(without) * 2 >= len(roles):
        return
    for role in without:
        report(
            f"permissionsBoundary is not set, and {len(roles) - len(without)} other roles of the stack have one; it "
            "must be set.",
            role.urn,
        )


RULE = StackValidationPolicy(
    name="iam-role-boundaries-agree",
    description="Where most roles of a stack have a boundary, the one without is the way past it.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity"],
    remediation_steps="Set permissions_boundary on the role, as the others have it.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html",
    validate=for_stack(_check),
)
