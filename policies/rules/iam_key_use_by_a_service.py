"""Who may use a key by itself decrypts all that was written under it, not just what the bucket lets be read."""

from collections.abc import Iterator
from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import CARRIERS, Statement, attached, matching, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN

_ACTIONS: Final = ("kms:Decrypt", "kms:Encrypt")
_LIMITS: Final = ("kms:viaservice", "kms:encryptioncontext:", "kms:encryptioncontextkeys", "kms:grantisforawsresource")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        for statement in _unlimited(policy):
            report(
                f"{where}, {statement.label}: use of a key in whatever way; kms:ViaService should name the service "
                "whose data it is, or kms:EncryptionContext the data."
            )


def _unlimited(policy: object) -> Iterator[Statement]:
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        limited = statement.conditions is None or any(one.key.startswith(_LIMITS) for one in statement.conditions)
        if statement.allows and not limited and any(_uses(action) for action in statement.actions):
            yield statement


def _uses(action: object) -> bool:
    return isinstance(action, str) and any(matching(action, one) for one in _ACTIONS)


RULE = ResourceValidationPolicy(
    name="iam-key-use-by-a-service",
    description="Who may use a key by itself decrypts whatever was written under it, not just what the bucket's policy "
    "lets be read.",
    severity=Severity.LOW,
    # Programs that encrypt by themselves call KMS by themselves.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["encryption", "identity"],
    remediation_steps="Add the condition StringEquals kms:ViaService: s3.REGION.amazonaws.com.",
    url="https://docs.aws.amazon.com/kms/latest/developerguide/conditions-kms.html#conditions-kms-via-service",
    validate=for_type(_check, *CARRIERS),
)
