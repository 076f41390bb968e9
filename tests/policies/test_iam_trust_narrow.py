import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.iam_trust_narrow import RULE
from tests.policies.judging import later, messages

ACCOUNT = {"StringEquals": {"aws:SourceAccount": "111122223333"}}
BOTH = ["sts:AssumeRole", "sts:TagSession"]
ISSUER = "oidc.eks.us-east-1.amazonaws.com/id/ABC"
PROVIDER = {"Federated": f"arn:aws:iam::111122223333:oidc-provider/{ISSUER}"}
EVERYONE = (
    "Principal * without a condition on who calls; it must name the principal, or demand aws:PrincipalOrgID or "
    "aws:PrincipalAccount."
)
ANY_CLUSTER = (
    "pods.eks.amazonaws.com for any cluster; it must be limited to your own by the condition StringEquals "
    "aws:SourceAccount (and ArnEquals aws:SourceArn)."
)
NO_SUBJECT = "names no subject, so whoever the provider knows may take on the role; the condition PROVIDER:sub must."


def _trust(principal: Any, actions: Any = "sts:AssumeRole", condition: Any = None) -> dict[str, Any]:
    found = {"Effect": "Allow", "Principal": principal, "Action": actions}
    return {**found, "Condition": condition} if condition else found


def _web(condition: Any) -> dict[str, Any]:
    return _trust(PROVIDER, "sts:AssumeRoleWithWebIdentity", condition)


def _subject(value: Any, operator: str = "StringLike") -> dict[str, Any]:
    return _web({operator: {f"{ISSUER}:sub": value}, "StringEqualsIgnoreCase": {f"{ISSUER}:aud": "sts.amazonaws.com"}})


def _role(*statements: Any, text: bool = False) -> None:
    document: Any = {"Version": "2012-10-17", "Statement": list(statements)}
    aws.iam.Role("role", assume_role_policy=json.dumps(document) if text else document)


def _pods(*actions: str, condition: Any = ACCOUNT) -> dict[str, Any]:
    return _trust({"Service": "pods.eks.amazonaws.com"}, list(actions) or BOTH, condition)


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (_trust("*"), EVERYONE),
        (_trust({"AWS": ["arn:aws:iam::111122223333:root", "*"]}), EVERYONE),
        (_trust("*", condition={"StringLike": {"aws:PrincipalOrgID": "*"}}), EVERYONE),
        (_trust("*", condition={"Bool": {"aws:SecureTransport": "true"}}), EVERYONE),
        (
            {"Effect": "Allow", "NotPrincipal": {"AWS": "111122223333"}, "Action": "sts:AssumeRole"},
            "NotPrincipal lets in everyone but a few; it must name who may take on the role.",
        ),
        (
            _pods("sts:AssumeRole"),
            "pods.eks.amazonaws.com without sts:TagSession; Pod Identity needs sts:AssumeRole and sts:TagSession.",
        ),
        (_pods(condition=None), ANY_CLUSTER),
        (_pods(condition={"StringLike": {"aws:SourceAccount": "*"}}), ANY_CLUSTER),
        (_web({"StringEquals": {f"{ISSUER}:aud": "sts.amazonaws.com"}}), NO_SUBJECT),
        (_web({"StringNotEquals": {f"{ISSUER}:sub": "system:serviceaccount:kube-system:x"}}), NO_SUBJECT),
        (
            _web({"StringEquals": {f"{ISSUER}:sub": "system:serviceaccount:training:job-*"}}),
            f"StringEquals {ISSUER.lower()}:sub holds system:serviceaccount:training:job-*, which it takes literally, "
            "so nobody ever matches; it must be written out, or compared by StringLike.",
        ),
        *(
            (_subject(value), f"subject {value} is as good as everyone; it must name the namespace (or the owner).")
            for value in ("*", "system:serviceaccount:*:*", "system:serviceaccount:*", "system:serviceaccount:*:runner")
        ),
        (_subject("repo:*"), "subject repo:* is as good as everyone; it must name the namespace (or the owner)."),
    ],
)
def test_a_trust_that_lets_in_strangers_or_nobody_is_reported(
    statement: Any, fault: str, text: bool, preview: bool
) -> None:
    assert messages(RULE, lambda: _role(statement, text=text), preview=preview) == [
        f"role: assumeRolePolicy, statement 1: {fault}"
    ]


@pytest.mark.parametrize(
    "statement",
    [
        _trust({"Service": "ec2.amazonaws.com"}),
        _trust({"AWS": "arn:aws:iam::111122223333:root"}),
        _trust("*", condition={"StringEquals": {"aws:PrincipalOrgID": "o-1"}}),
        _pods(),
        _pods(condition={"ArnLike": {"aws:SourceArn": "arn:aws:eks:us-east-1:111122223333:cluster/c"}}),
        _subject("system:serviceaccount:training:runner", "StringEquals"),
        _subject("system:serviceaccount:training:job-*"),
        _subject(["repo:acme/platform:*", "repo:acme/models:ref:refs/heads/main"]),
        {"Effect": "Deny", "Principal": "*", "Action": "sts:AssumeRole"},
    ],
)
def test_a_narrow_trust_is_quiet(statement: Any, preview: bool) -> None:
    assert messages(RULE, lambda: _role(statement), preview=preview) == []


def test_unknown_providers_and_values_hide_no_certain_fault_and_make_up_none() -> None:
    def silent() -> None:
        condition = {"StringLike": {f"{ISSUER}:sub": later("*")}}
        _role(_trust({"Federated": later(PROVIDER["Federated"], "p")}, "sts:AssumeRoleWithWebIdentity", condition))

    def certain() -> None:
        provider = {"Federated": later(PROVIDER["Federated"])}
        _role(_trust(provider, "sts:AssumeRoleWithWebIdentity", {"StringEquals": {f"{ISSUER}:aud": "a"}}))

    assert messages(RULE, silent, preview=True) == []
    assert len(messages(RULE, silent)) == 1
    assert messages(RULE, certain, preview=True) == [f"role: assumeRolePolicy, statement 1: {NO_SUBJECT}"]


def test_a_document_that_is_unknown_as_a_whole_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.iam.Role("role", assume_role_policy=later(json.dumps({"Statement": _trust("*")})))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
