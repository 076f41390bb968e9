"""SNS keeps notifications in the clear unless it is given a key, and alarms tell an intruder what was noticed."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    if read(args.props, "kmsMasterKeyId") in (None, ""):
        report("kmsMasterKeyId is not set (AWS default: in the clear); it must name a KMS key.")


RULE = ResourceValidationPolicy(
    name="sns-topic-encrypted",
    description="SNS keeps notifications in the clear unless it is given a key, and alarms tell an intruder what was "
    "noticed.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("SNS.1"),
    tags=["data", "encryption"],
    remediation_steps="Set kms_master_key_id to a key of your own whose policy lets the publishing services "
    "(cloudwatch.amazonaws.com, budgets.amazonaws.com) use it; alias/aws/sns does not let them.",
    url="https://docs.aws.amazon.com/sns/latest/dg/sns-server-side-encryption.html",
    validate=for_type(_check, "aws:sns/topic:Topic"),
)
