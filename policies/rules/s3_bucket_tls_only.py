"""Without a policy that refuses plain HTTP, data and signed requests can be read on the way."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._buckets import BUCKETS, side
from ._documents import Statement, statements
from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, read

_DIRECTORY = "--x-s3"
"""How the name of a directory bucket ends."""


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "policy")
    if policy is UNKNOWN or (policy is None and args.resource_type in BUCKETS):
        return
    name = read(args.props, "bucket")
    directory = str(name).endswith(_DIRECTORY)
    kinds = (False, True) if name is UNKNOWN else (directory,)
    if not any(_refuses_http(statement, kind) for statement in statements(policy) or () for kind in kinds):
        what = "s3express:* on the bucket" if directory else "s3:* on the bucket and its objects"
        report(
            f"no statement of the policy refuses plain HTTP; one must deny everyone {what} on the one condition Bool "
            "aws:SecureTransport false (a minimum TLS version needs a second statement)."
        )


def _refuses_http(statement: Statement, directory: bool) -> bool:
    """Tell whether the statement does, as far as it is known: what is unknown is given the benefit of the doubt.

    The policy of a directory bucket speaks of sessions with the bucket (s3express), never of its objects.
    """
    everything = ("*", "s3express:*" if directory else "s3:*", UNKNOWN)
    return (
        statement.effect in ("Deny", UNKNOWN)
        and statement.anyone in (True, UNKNOWN)
        and not statement.excludes
        and any(action in everything for action in statement.actions)
        and (directory or _covers_bucket_and_objects(statement))
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


RULE = ResourceValidationPolicy(
    name="s3-bucket-tls-only",
    description="Without a policy that refuses plain HTTP, data and signed requests can be read on the way.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("S3.5"),
    tags=["data", "encryption"],
    remediation_steps="Add aws.s3.BucketPolicy with {Effect: Deny, Principal: '*', Action: 's3:*', Resource: [BUCKET, "
    "BUCKET/*], Condition: {Bool: {aws:SecureTransport: false}}}.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/security-best-practices.html",
    validate=for_type(_check, *side("BucketPolicy"), *BUCKETS),
)
