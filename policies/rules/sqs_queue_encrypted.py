"""Messages say what runs where and for whom, and SQS keeps them in the clear for a queue that is told to."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import differs, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    # AWS encrypts new queues by its own key unless it is told not to; a key of one's own replaces that.
    managed = read(args.props, "sqsManagedSseEnabled")
    if read(args.props, "kmsMasterKeyId") in (None, "") and differs(managed, True, absent=True):
        report(
            f"sqsManagedSseEnabled is {shown(managed)} (AWS default true) and kmsMasterKeyId is not set; one of them "
            "must encrypt the queue."
        )


RULE = ResourceValidationPolicy(
    name="sqs-queue-encrypted",
    description="Messages say what runs where and for whom, and SQS keeps them in the clear for a queue that is told "
    "to.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("SQS.1"),
    tags=["data", "encryption"],
    remediation_steps="Leave sqs_managed_sse_enabled true, or set kms_master_key_id and let the senders use the key.",
    url="https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-server-side-encryption.html",
    validate=for_type(_check, "aws:sqs/queue:Queue"),
)
