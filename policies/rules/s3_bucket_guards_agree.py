"""The bucket that is guarded less than its neighbours is the one that gets the object nobody meant to store so."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._buckets import BUCKETS, side
from ._documents import Statement, statements
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_ENCRYPTION: Final = "s3:x-amz-server-side-encryption"

_DIRECTORY: Final = "aws:s3/directoryBucket:DirectoryBucket"

Guard = tuple[tuple[str, ...], tuple[tuple[str, str, tuple[str, ...]], ...]]
"""Actions and conditions of a Deny; ARNs differ by nature and all count as one."""


def _check(stack: Stack, report: Report) -> None:
    alike: defaultdict[str, list[tuple[PolicyResource, set[Guard]]]] = defaultdict(list)
    for policy in stack.of(*side("BucketPolicy")):
        if _of_a_directory_bucket(stack, policy):
            continue  # its actions and keys are others: s3express
        document = read(policy.props, "policy")
        found = None if document is UNKNOWN else statements(document)
        if found is not None and not any(one.effect is UNKNOWN or one.conditions is None for one in found):
            guards = {_guard(one) for one in found if one.effect == "Deny" and one.anyone is True and one.conditions}
            alike[_encryption(stack, policy)].append((policy, guards))
    every = [pair for policies in alike.values() for pair in policies]
    widespread = {guard for guard in _usual(every) if not _about_encryption(guard)}
    for policies in alike.values():
        counts = Counter(guard for _, guards in every for guard in guards)
        for policy, guards in policies:
            for guard in sorted((set(_usual(policies)) | widespread) - guards):
                keys = ", ".join(f"{operator} {key}" for operator, key, _ in guard[1])
                report(
                    f"{counts[guard]} other bucket policies of the stack refuse {', '.join(guard[0])} by {keys}, and "
                    "this one does not; it should too.",
                    policy.urn,
                )


def _of_a_directory_bucket(stack: Stack, policy: PolicyResource) -> bool:
    named = read(policy.props, "bucket")
    is_named_so = isinstance(named, str) and named.endswith("--x-s3")
    return is_named_so or bool(stack.links(policy, "bucket", named, _DIRECTORY).certain)


def _usual(policies: list[tuple[PolicyResource, set[Guard]]]) -> Iterator[Guard]:
    """What more than half of the policies refuse, and more than one."""
    for guard, times in Counter(guard for _, guards in policies for guard in guards).items():
        if times > 1 and times * 2 > len(policies):
            yield guard


def _about_encryption(guard: Guard) -> bool:
    """Whether it is for buckets under one kind of key alone; a client's own key is for none."""
    return any(key.startswith(_ENCRYPTION) and not key.endswith("customer-algorithm") for _, key, _ in guard[1])


def _guard(statement: Statement) -> Guard:
    conditions = tuple(
        sorted((one.operator, one.key, tuple(sorted(map(_plain, one.values)))) for one in statement.conditions or ())
    )
    return tuple(sorted(map(str, statement.actions))), conditions


def _plain(value: Any) -> str:
    return "ARN" if value is UNKNOWN or str(value).startswith("arn:") else str(value)


def _encryption(stack: Stack, policy: PolicyResource) -> str:
    """Buckets under different kinds of keys need different guards."""
    own = stack.links(policy, "bucket", read(policy.props, "bucket"), *BUCKETS).certain
    for setting in stack.of(*side("BucketServerSideEncryptionConfiguration")):
        of = stack.links(setting, "bucket", read(setting.props, "bucket"), *BUCKETS).certain
        if of and of[0] in own:
            rule = next(iter(elements(read(setting.props, "rules"))), None)
            return str(read(rule, "applyServerSideEncryptionByDefault", "sseAlgorithm"))
    return ""


RULE = StackValidationPolicy(
    name="s3-bucket-guards-agree",
    description="The bucket that is guarded less than its neighbours is the one that gets the object nobody meant to "
    "store so.",
    severity=Severity.LOW,
    # A bucket may well be another kind of bucket.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data", "encryption"],
    remediation_steps="Write the bucket's policy by the same component or function as the others'.",
    url="https://docs.aws.amazon.com/AmazonS3/latest/userguide/security-best-practices.html",
    validate=for_stack(_check),
)
