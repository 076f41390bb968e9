import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.iam_document_size import RULE
from tests.policies.judging import later, messages


def _document(length: int, *, resource: Any = "") -> str:
    """A document of exactly so many characters without white space, with plenty of that on top."""
    empty = {"Statement": [{"Effect": "Allow", "Action": "", "Resource": resource}]}
    missing = length - len(json.dumps(empty, separators=(",", ":")))
    empty["Statement"][0]["Action"] = "a" * missing
    return json.dumps(empty, indent=8)


def _build(kind: str, length: int) -> None:
    text = _document(length)
    match kind:
        case "managed":
            aws.iam.Policy("it", policy=text)
        case "trust":
            aws.iam.Role("it", assume_role_policy=text)
        case "bucket":
            aws.s3.BucketPolicy("it", bucket="b", policy=text)
        case "key":
            aws.kms.Key("it", policy=text)
        case _:
            aws.ec2.VpcEndpoint("it", vpc_id="v", service_name="s", policy=text)


@pytest.mark.parametrize(
    ("kind", "what", "limit"),
    [
        ("managed", "policy", 6144),
        ("trust", "assumeRolePolicy", 2048),
        ("bucket", "policy", 20480),
        ("key", "policy", 32768),
        ("endpoint", "policy", 20480),
    ],
)
def test_one_character_over_the_limit_is_reported_and_the_limit_itself_is_not(
    kind: str, what: str, limit: int, preview: bool
) -> None:
    assert messages(RULE, lambda: _build(kind, limit), preview=preview) == []
    assert messages(RULE, lambda: _build(kind, limit + 1), preview=preview) == [
        f"it: {what} has {limit + 1} characters without white space; AWS takes at most {limit}."
    ]


def test_the_inline_policies_of_a_role_count_together(preview: bool) -> None:
    def build(length: int) -> None:
        inline = [aws.iam.RoleInlinePolicyArgs(name="x", policy=_document(4000))]
        role = aws.iam.Role("role", assume_role_policy="{}", inline_policies=inline)
        aws.iam.RolePolicy("one", role=role.name, policy=_document(3000))
        aws.iam.RolePolicy("two", role=role.name, policy=_document(length))
        aws.iam.RolePolicy("other", role="foreign", policy=_document(10240))

    assert messages(RULE, lambda: build(3240), preview=preview) == []
    assert messages(RULE, lambda: build(3241), preview=preview) == [
        "role: all inline policies together has 10241 characters without white space; AWS takes at most 10240."
    ]


def test_a_document_written_as_a_structure_is_counted_too(preview: bool) -> None:
    def build() -> None:
        document: Any = {"Statement": [{"Effect": "Allow", "Action": "a" * 6200, "Resource": ["r"]}]}
        aws.iam.Policy("it", policy=document)

    assert len(messages(RULE, build, preview=preview)) == 1


def test_what_is_unknown_counts_nothing_until_it_is_known() -> None:
    def build() -> None:
        document: Any = {"Statement": [{"Effect": "Allow", "Action": "a" * 1000, "Resource": [later("r" * 6000)]}]}
        aws.iam.Policy("it", policy=document)

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
