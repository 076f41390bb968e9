"""Own credentials are all that it takes to copy data into a stranger's bucket, unless the way to S3 knows one's own."""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._documents import Statement, is_everything, statements
from ._endpoints import ENDPOINT, service
from ._reading import UNKNOWN, read
from ._stack import Report, Stack, for_stack

_OWN: Final = ("aws:resourceaccount", "aws:resourceorgid", "aws:resourceorgpaths", "s3:resourceaccount")
_WRITES: Final = ("*", "s3:*", "s3:Put*", "s3:PutObject")


def _check(stack: Stack, report: Report) -> None:
    for endpoint in stack.of(ENDPOINT):
        if service(endpoint) in ("s3", "s3express"):
            for label in _open(endpoint):
                report(
                    f"policy, {label}: lets own principals write to every bucket of the world; aws:ResourceAccount "
                    "should be your own.",
                    endpoint.urn,
                )


def _open(endpoint: PolicyResource) -> list[str]:
    policy = read(endpoint.props, "policy")
    found = None if policy is UNKNOWN else statements(policy)
    return [one.label for one in found or () if one.allows and _writes_anywhere(one)]


def _writes_anywhere(statement: Statement) -> bool:
    if statement.conditions is None or not any(map(is_everything, statement.known_resources)):
        return False
    own = any(one.key in _OWN and one.operator == "StringEquals" for one in statement.conditions)
    return not own and any(action in _WRITES for action in statement.actions)


RULE = StackValidationPolicy(
    name="ec2-vpc-endpoint-s3-own-buckets",
    description="Own credentials are all that it takes to copy data into a stranger's bucket, unless the way to S3 "
    "knows one's own.",
    severity=Severity.MEDIUM,
    # Who shares data with partners writes to their buckets.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data", "network"],
    remediation_steps="Add the condition StringEquals aws:ResourceAccount with your account beside "
    "aws:PrincipalAccount; name the partners' buckets in a statement of their own.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies-vpc-endpoint.html",
    validate=for_stack(_check),
)
