"""Whoever the trust policy lets in has all that the role may do, so it must say exactly who that is."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._documents import Condition, Statement, narrows_callers, statements
from ._for_type import Report, for_type
from ._reading import UNKNOWN, read

_POD_IDENTITY: Final = "pods.eks.amazonaws.com"
_POD_ACTIONS: Final = ("sts:AssumeRole", "sts:TagSession")
_ACCOUNT: Final = ("aws:sourceaccount", "aws:sourcearn", "aws:sourceorgid")
_NOT_CALLERS: Final = ("aws:source", "aws:requesttag/")
_LITERAL: Final = ("StringEquals", "StringEqualsIgnoreCase", "ForAnyValue:StringEquals")
_SUBJECT_OPERATORS: Final = (*_LITERAL, "StringLike", "ForAnyValue:StringLike")
_PODS: Final = ("system", "serviceaccount")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    policy = read(args.props, "assumeRolePolicy")
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        for fault in _faults(statement) if statement.allows else ():
            report(f"assumeRolePolicy, {statement.label}: {fault}")


def _faults(statement: Statement) -> Iterator[str]:
    if "NotPrincipal" in statement.excludes:
        yield "NotPrincipal lets in everyone but a few; it must name who may take on the role."
    elif statement.anyone is True and not narrows_callers(statement):
        yield (
            "Principal * without a condition on who calls; it must name the principal, or demand aws:PrincipalOrgID "
            "or aws:PrincipalAccount."
        )
    elif statement.anyone is True and not _names_a_caller(statement):
        yield (
            "Principal * with a condition on the source alone, which says for whom a service calls and not who "
            "calls; it must name the service."
        )
    if whole := [action for action in statement.actions if isinstance(action, str) and action in ("*", "sts:*")]:
        yield f"Action {', '.join(whole)}; it must name the way in, such as sts:AssumeRole."
    if ("Service", _POD_IDENTITY) in statement.principals:
        yield from _pod_identity_faults(statement)
    if any(kind == "Federated" and _is_oidc(provider, statement) for kind, provider in statement.principals):
        yield from _subject_faults(statement)


def _names_a_caller(statement: Statement) -> bool:
    return statement.conditions is None or any(not one.key.startswith(_NOT_CALLERS) for one in statement.conditions)


def _is_oidc(provider: Any, statement: Statement) -> bool:
    if isinstance(provider, str):
        return ":oidc-provider/" in provider
    return statement.grants("sts:AssumeRoleWithWebIdentity")


def _pod_identity_faults(statement: Statement) -> Iterator[str]:
    lacking = [action for action in _POD_ACTIONS if not statement.grants(action)]
    if lacking and UNKNOWN not in statement.actions:
        yield f"{_POD_IDENTITY} without {' and '.join(lacking)}; Pod Identity needs {' and '.join(_POD_ACTIONS)}."
    if statement.conditions is not None and not any(
        condition.key in _ACCOUNT and not condition.operator.endswith("IfExists") and "*" not in condition.values
        for condition in statement.conditions
    ):
        yield (
            f"{_POD_IDENTITY} for any cluster; it must be limited to your own by the condition StringEquals "
            "aws:SourceAccount (and ArnEquals aws:SourceArn)."
        )


def _subject_faults(statement: Statement) -> Iterator[str]:
    """A web identity is told apart by its subject alone: every pod of a cluster comes through the same provider."""
    if statement.conditions is None:
        return
    subjects = [condition for condition in statement.conditions if condition.key.endswith(":sub")]
    if not any(condition.operator in _SUBJECT_OPERATORS for condition in subjects):
        yield "names no subject, so whoever the provider knows may take on the role; the condition PROVIDER:sub must."
    for condition in statement.conditions:
        if condition.operator in _LITERAL and (stars := _with_wildcards(condition)):
            yield (
                f"{condition.operator} {condition.key} holds {stars}, which it takes literally, so nobody ever "
                "matches; it must be written out, or compared by StringLike."
            )
    for condition in subjects:
        if condition.operator not in _LITERAL:
            for value in condition.values:
                if isinstance(value, str) and _is_anybody(value):
                    yield f"subject {value} is as good as everyone; it must name the namespace (or the owner)."


def _with_wildcards(condition: Condition) -> str:
    return ", ".join(value for value in condition.values if isinstance(value, str) and ("*" in value or "?" in value))


def _is_anybody(subject: str) -> bool:
    """A star in place of a pod's namespace, or of whoever owns the repository of a build, leaves it to the stranger."""
    parts = subject.split(":")
    if (*parts[:2],) == _PODS:
        return len(parts) < 4 or parts[2].strip("*?") == ""
    return "*" in subject.split("/", 1)[0] or "?" in subject.split("/", 1)[0]


RULE = ResourceValidationPolicy(
    name="iam-trust-narrow",
    description="Whoever the trust policy lets in has all that the role may do, so it must say exactly who that is.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["identity"],
    remediation_steps="Name the principal; for Pod Identity allow sts:AssumeRole and sts:TagSession on your "
    "aws:SourceAccount; for OIDC compare PROVIDER:sub with the whole subject (StringLike where it has a star) and "
    "PROVIDER:aud with the audience.",
    url="https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html",
    validate=for_type(_check, "aws:iam/role:Role"),
)
