"""Without a policy that refuses plain HTTP, data and signed requests can be read on the way."""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._buckets import unmet
from ._documents import Statement, statements
from ._frameworks import fsbp
from ._reading import UNKNOWN, read
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for resource, fault in unmet(stack, "BucketPolicy", _faults, _inline):
        report(
            f"{fault}; a statement must deny everyone s3:* on the bucket and its objects on the one condition "
            "Bool aws:SecureTransport false (a minimum TLS version needs a second statement).",
            resource.urn,
        )


def _faults(settings: Any) -> list[str]:
    policy = read(settings, "policy")
    found = statements(policy)
    if policy is UNKNOWN or (found and any(_refuses_http(statement) for statement in found)):
        return []
    return ["no statement of the policy refuses plain HTTP"]


def _refuses_http(statement: Statement) -> bool:
    """Tell whether the statement does, as far as it is known: what is unknown is given the benefit of the doubt."""
    return (
        statement.effect in ("Deny", UNKNOWN)
        and statement.anyone in (True, UNKNOWN)
        and not statement.excludes
        and any(action in ("*", "s3:*", UNKNOWN) for action in statement.actions)
        and _covers_bucket_and_objects(statement)
        and (statement.conditions is None or _only_insecure(statement))
    )


def _only_insecure(statement: Statement) -> bool:
    """Conditions of one statement must all hold, so any second one lets some plain HTTP through."""
    conditions = statement.conditions or ()
    if len(conditions) != 1:
        return False
    condition = conditions[0]
    return (
        condition.operator in ("Bool", "BoolIfExists")
        and condition.key == "aws:securetransport"
        and all(value is UNKNOWN or str(value).lower() == "false" for value in condition.values)
    )


def _covers_bucket_and_objects(statement: Statement) -> bool:
    if UNKNOWN in statement.resources:
        return True
    objects = any(resource.endswith("*") for resource in statement.known_resources)
    bucket = any(not resource.endswith("/*") for resource in statement.known_resources)
    return objects and bucket


def _inline(bucket: Any) -> Any:
    return None if read(bucket, "policy") is None else bucket


RULE = StackValidationPolicy(
    name="s3-bucket-tls-only",
    description="Without a policy that refuses plain HTTP, data and signed requests can be read on the way.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=fsbp("S3.5"),
    tags=["data", "encryption"],
    remediation_steps="Add aws.s3.BucketPolicy with {Effect: Deny, Principal: '*', Action: 's3:*', Resource: [BUCKET, "
    "BUCKET/*], Condition: {Bool: {aws:SecureTransport: false}}}.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/security-best-practices.html",
    validate=for_stack(_check),
)
