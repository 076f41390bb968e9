"""Why data did not arrive from the bucket, or did not get back into it, stands in a log or nowhere."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    level = read(args.props, "logConfiguration", "level")
    if level in (None, "DISABLED"):
        report("logConfiguration has no level (AWS default DISABLED); it should be WARN_ERROR.")


RULE = ResourceValidationPolicy(
    name="fsx-lustre-logged",
    description="Why data did not arrive from the bucket, or did not get back into it, stands in a log or nowhere.",
    severity=Severity.LOW,
    # Only a file system that is linked to a bucket has much to tell.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data"],
    remediation_steps="Set log_configuration {level: WARN_ERROR, destination: a log group whose name begins with "
    "/aws/fsx/}.",
    url="https://docs.aws.amazon.com/fsx/latest/LustreGuide/cw-event-logging.html",
    validate=for_type(_check, "aws:fsx/lustreFileSystem:LustreFileSystem"),
)
