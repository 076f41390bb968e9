"""A policy judges an upload as it was sent, before default encryption applies, so a guard can refuse what is right.

Ordinary clients send no encryption header and the parts of a large upload never do. Negated operators hold for an
absent key, with or without IfExists. Only a guard that first demands the header's presence (Null false) refuses the
wrong algorithm or key and lets everybody else through.
"""

from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._buckets import BUCKETS, side
from ._documents import Condition, Statement, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read

_HEADERS: Final = ("s3:x-amz-server-side-encryption", "s3:x-amz-server-side-encryption-aws-kms-key-id")
_FORM: Final = "by Null false and StringNotEquals of that header, in one statement."


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        if fault := _fault(statement):
            report(f"policy, {statement.label}: {fault}")


def _fault(statement: Statement) -> str | None:
    if statement.effect != "Deny" or statement.conditions is None or not statement.grants("s3:PutObject"):
        return None
    about = [condition for condition in statement.conditions if condition.key in _HEADERS]
    if any(_is_null(condition, "false") for condition in about):
        return None
    absent = [condition.key for condition in about if _is_null(condition, "true")]
    negated = [condition.key for condition in about if "Not" in condition.operator]
    if absent and negated:
        return (
            f"Null true beside a comparison refuses uploads without {negated[0]} and never one with a wrong value; a "
            f"wrong value must be refused: {_FORM}"
        )
    if absent or negated:
        return (
            f"refuses uploads without {(absent or negated)[0]}, as ordinary clients and multipart uploads are; a wrong "
            f"value alone must be refused: {_FORM}"
        )
    return None


def _is_null(condition: Condition, wanted: str) -> bool:
    return condition.operator == "Null" and any(
        value is UNKNOWN or str(value).lower() == wanted for value in condition.values
    )


RULE = ResourceValidationPolicy(
    name="s3-bucket-encryption-header-guard",
    description="A guard that refuses uploads without an encryption header breaks default encryption, multipart "
    "uploads and log delivery.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "encryption"],
    remediation_steps="Leave a missing header to the bucket's default encryption and refuse a wrong one: {Null: "
    "{HEADER: false}, StringNotEquals: {HEADER: VALUE}}.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html",
    validate=for_type(_check, *side("BucketPolicy"), *BUCKETS),
)
