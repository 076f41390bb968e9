"""A grant of everything on everything turns one leaked role into the account.

An action that accepts no resource but `*` (AWS's service authorization reference, data/star_only_actions.json) may have
it. Conditions do not excuse a star, with one exception: an EC2 action whose statement demands a tag by StringEquals or
StringLike (aws:ResourceTag, ec2:ResourceTag, aws:RequestTag) is limited by that tag, as instance launches have to be.
"""

from collections.abc import Iterator

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import CARRIERS, Condition, Statement, attached, is_everything, statements
from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._iam_actions import accepts_only_star
from ._reading import UNKNOWN

_TAGS = ("aws:resourcetag/", "ec2:resourcetag/", "aws:requesttag/")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        if policy is None or policy is UNKNOWN:
            continue
        found = statements(policy)
        if found is None:
            report(f"{where} cannot be read as a policy document; it must be JSON with a Statement.")
        for statement in found or ():
            for fault in _faults(statement) if statement.allows else ():
                report(f"{where}, {statement.label}: {fault}")


def _faults(statement: Statement) -> Iterator[str]:
    actions = [action for action in statement.actions if isinstance(action, str)]
    whole = [action for action in actions if action == "*" or action.endswith(":*")]
    if whole:
        yield f"Action {', '.join(whole)} grants a whole service; the actions must be named."
    if any(map(is_everything, statement.known_resources)):
        scopable = [
            action
            for action in actions
            if action not in whole and not accepts_only_star(action) and not _tag_limits(statement, action)
        ]
        if scopable:
            yield f"Resource * with {', '.join(scopable)}, which can be limited to resources; their ARNs must be named."


def _tag_limits(statement: Statement, action: str) -> bool:
    if not action.lower().startswith("ec2:"):
        return False
    return statement.conditions is None or any(map(_demands_a_tag, statement.conditions))


def _demands_a_tag(condition: Condition) -> bool:
    return (
        condition.operator in ("StringEquals", "StringLike")
        and condition.key.startswith(_TAGS)
        and "*" not in condition.values
    )


RULE = ResourceValidationPolicy(
    name="iam-policy-no-wildcard",
    description="A grant of everything on everything turns one leaked role into the account.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("IAM.21"),
    tags=["identity"],
    remediation_steps="Name the actions, and the ARNs they are meant for; where a launch has to be free, demand a tag "
    "in a condition.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html",
    validate=for_type(_check, *CARRIERS),
)
