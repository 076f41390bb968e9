"""One careless policy or ACL makes a data set public, unless the bucket refuses to be."""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._buckets import unmet
from ._frameworks import security_hub
from ._reading import differs, read, shown
from ._stack import Report, Stack, for_stack

_ACCOUNT = "aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock"
_FLAGS = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")


def _check(stack: Stack, report: Report) -> None:
    for resource, fault in unmet(stack, "BucketPublicAccessBlock", _faults):
        report(f"{fault}; the bucket must have one with {', '.join(_FLAGS)} all true.", resource.urn)

    for account in stack.of(_ACCOUNT):
        for fault in _faults(account.props):
            report(f"{fault}; the account's block must have {', '.join(_FLAGS)} all true.", account.urn)


def _faults(settings: Any) -> list[str]:
    found = {flag: read(settings, flag) for flag in _FLAGS}
    return [f"{flag} is {shown(value)}" for flag, value in found.items() if differs(value, True, absent=False)]


RULE = StackValidationPolicy(
    name="s3-bucket-public-access-blocked",
    description="One careless policy or ACL makes a data set public, unless the bucket refuses to be.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("S3.8"),
    tags=["data"],
    remediation_steps="Add aws.s3.BucketPublicAccessBlock for the bucket with all four flags true.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html",
    validate=for_stack(_check),
)
