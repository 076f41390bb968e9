"""A rule that is there and disabled reads like one that is in force, until somebody misses what it should have done."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._buckets import side
from ._for_type import Report, for_type
from ._reading import elements, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for index, rule in enumerate(elements(read(args.props, "rules"))):
        if read(rule, "status") == "Disabled":
            report(f"rules[{index}] ({shown(read(rule, 'id'))}) is Disabled; it should be Enabled, or go.")


RULE = ResourceValidationPolicy(
    name="s3-lifecycle-rule-enabled",
    description="A rule that is there and disabled reads like one that is in force, until somebody misses what it "
    "should have done.",
    severity=Severity.LOW,
    # Suspending a rule for a while is a good reason.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data", "money"],
    remediation_steps="Set the rule's status Enabled, or remove the rule.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html",
    validate=for_type(_check, *side("BucketLifecycleConfiguration"), *side("BucketReplicationConfig")),
)
