"""A controller that may end any machine of the account ends another cluster's when it is mistaken, or stolen.

An action on every resource of a kind (`instance/*`, `instance-profile/*`) must be bound to what is one's own by a tag
with its value; a tag that need only be there is on everybody's.
"""

from collections.abc import Iterator
from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import CARRIERS, Condition, Statement, attached, matching, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN

_ACTIONS: Final = (
    *("ec2:RunInstances", "ec2:TerminateInstances", "ec2:StopInstances", "ec2:CreateFleet", "ec2:CreateTags"),
    *("ec2:CreateLaunchTemplate", "ec2:DeleteLaunchTemplate", "ec2:DeleteVolume", "ec2:DetachVolume"),
    *("iam:AddRoleToInstanceProfile", "iam:CreateInstanceProfile", "iam:DeleteInstanceProfile"),
    *("iam:RemoveRoleFromInstanceProfile", "iam:TagInstanceProfile"),
)
_OWNED: Final = ("instance", "instance-profile", "launch-template", "volume", "fleet", "spot-instances-request")
_TAGS: Final = ("aws:resourcetag/", "ec2:resourcetag/", "iam:resourcetag/", "aws:requesttag/", "aws:principaltag/")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    for where, policy in attached(args.props):
        for statement in (None if policy is UNKNOWN else statements(policy)) or ():
            actions = sorted(_unbound(statement)) if statement.allows else []
            if actions:
                report(
                    f"{where}, {statement.label}: {', '.join(actions)} on every {_kinds(statement)} of the account; a "
                    "condition must name a tag with its value (aws:ResourceTag or aws:RequestTag)."
                )


def _unbound(statement: Statement) -> Iterator[str]:
    if statement.conditions is None or any(map(_binds, statement.conditions)) or not _kinds(statement):
        return
    for action in statement.actions:
        if isinstance(action, str) and any(matching(action, one) for one in _ACTIONS):
            yield action


def _kinds(statement: Statement) -> str:
    """The kinds of which every one is meant; a whole star is for another rule."""
    kinds = {
        kind
        for resource in statement.known_resources
        for kind in _OWNED
        if resource.rsplit(":", 1)[-1] in (f"{kind}/*", f"{kind}*")
    }
    return ", ".join(sorted(kinds))


def _binds(condition: Condition) -> bool:
    return (
        condition.key.startswith(_TAGS)
        and condition.operator in ("StringEquals", "StringLike")
        and all(value is UNKNOWN or "*" not in str(value) for value in condition.values)
    )


RULE = ResourceValidationPolicy(
    name="iam-ec2-by-tag",
    description="A controller that may end any machine of the account ends another cluster's when it is mistaken, or "
    "stolen.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity", "compute"],
    remediation_steps="Add the condition StringEquals aws:ResourceTag/kubernetes.io/cluster/NAME: owned (for what "
    "is made, aws:RequestTag).",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/access_tags.html",
    validate=for_type(_check, *CARRIERS),
)
