"""Who may read one folder of a bucket and list all of it learns what the other teams work on."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import CARRIERS, Statement, attached, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN

_LIST: Final = ("s3:ListBucket", "s3:ListBucketVersions")
_BUCKET: Final = ":s3:::"


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        for label, bucket in _too_far(policy):
            report(
                f"{where}, {label}: lists all of {bucket}, of which only folders may be read; a condition on s3:prefix "
                "should name them."
            )


def _too_far(policy: Any) -> Iterator[tuple[str, str]]:
    found = [one for one in (None if policy is UNKNOWN else statements(policy)) or () if one.allows]
    folders: set[str] = set()
    whole: set[str] = set()
    for bucket, path in (split for one in found for split in _objects(one)):
        (whole if path.strip("*") == "" else folders).add(bucket)
    for statement in found:
        conditions = statement.conditions
        free = conditions is not None and not any(one.key == "s3:prefix" for one in conditions)
        if free and any(statement.grants(action) for action in _LIST):
            for resource in statement.known_resources:
                bucket = resource.partition(_BUCKET)[2]
                if bucket in folders - whole:
                    yield statement.label, bucket


def _objects(statement: Statement) -> Iterator[tuple[str, str]]:
    """(bucket, path) of each resource that is objects."""
    for resource in statement.known_resources:
        bucket, slash, path = resource.partition(_BUCKET)[2].partition("/")
        if bucket and slash:
            yield bucket, path


RULE = ResourceValidationPolicy(
    name="iam-list-as-far-as-read",
    description="Who may read one folder of a bucket and list all of it learns what the other teams work on.",
    severity=Severity.LOW,
    # Names alone may be meant for everybody.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data", "identity"],
    remediation_steps="Add the condition StringLike s3:prefix: [FOLDER/*] to the statement with s3:ListBucket.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/amazon-s3-policy-keys.html",
    validate=for_type(_check, *CARRIERS),
)
