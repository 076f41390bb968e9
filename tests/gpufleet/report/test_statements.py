"""IAM in plain words."""

import pytest

from gpufleet.plan.graph import UNKNOWN
from gpufleet.report import statements
from tests.gpufleet.report.world import policy


def say(reference: str) -> str:
    return {"*": "anything", "arn:aws:s3:::b/*": "everything in bucket b"}.get(reference, reference)


def one(**statement: object) -> statements.Statement:
    found = statements.read(policy(statement), say)
    assert found is not None
    assert len(found) == 1
    return found[0]


def test_a_grant_says_what_on_what_and_when():
    found = one(
        Sid="ReadAll",
        Effect="Allow",
        Action=["s3:GetObject", "s3:ListBucket", "kms:Decrypt"],
        Resource="arn:aws:s3:::b/*",
        Condition={"StringEquals": {"kms:ViaService": "s3.eu-west-1.amazonaws.com"}},
    )
    assert found == statements.Statement(
        sid="ReadAll",
        allows=True,
        who=(),
        what=(("S3", "read objects, list objects"), ("KMS", "decrypt")),
        actions=("s3:GetObject", "s3:ListBucket", "kms:Decrypt"),
        on=("everything in bucket b",),
        when=("it comes through s3.eu-west-1.amazonaws.com",),
    )


def test_an_action_without_words_of_ours_is_named_as_aws_names_it():
    assert one(Effect="Allow", Action="fsx:CopySnapshotAndUpdateVolume", Resource="*").what == (
        ("FSx", "copy snapshot and update volume"),
    )


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ({"Effect": "Allow", "Action": "*"}, (("every service", "do everything"),)),
        ({"Effect": "Deny", "Action": "s3:*"}, (("S3", "do anything"),)),
        ({"Effect": "Allow", "NotAction": "iam:PassRole"}, (("IAM", "do everything but hand a role to a service"),)),
    ],
)
def test_everything_is_called_so(statement: dict[str, object], what: object):
    assert one(**statement, Resource="*").what == what


@pytest.mark.parametrize(
    ("principal", "who"),
    [
        ("*", ("anyone",)),
        ({"AWS": "*"}, ("anyone",)),
        (
            {"Service": ["ec2.amazonaws.com", "eks.amazonaws.com"]},
            ("the service ec2.amazonaws.com", "the service eks.amazonaws.com"),
        ),
        ({"AWS": "arn:aws:iam::111122223333:root"}, ("whoever account 111122223333 lets",)),
        ({"Federated": "arn:aws:iam::1:oidc-provider/x"}, ("the identity provider arn:aws:iam::1:oidc-provider/x",)),
    ],
)
def test_a_principal_is_named(principal: object, who: tuple[str, ...]):
    assert one(Effect="Allow", Principal=principal, Action="sts:AssumeRole").who == who


def test_a_refusal_to_all_but_some_names_them():
    found = one(Effect="Deny", NotPrincipal={"Service": "s3.amazonaws.com"}, Action="s3:*", NotResource="arn:x")
    assert found.who == ("anyone but the service s3.amazonaws.com",)
    assert found.on == ("all but arn:x",)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ({"Bool": {"aws:SecureTransport": "false"}}, "the connection is not encrypted"),
        ({"Bool": {"aws:SecureTransport": False}}, "the connection is not encrypted"),
        ({"NumericLessThan": {"s3:TlsVersion": "1.2"}}, "the TLS version is below 1.2"),
        ({"Null": {"s3:x-amz-server-side-encryption-aws-kms-key-id": "true"}}, "the key asked for is not given"),
        ({"Null": {"s3:x-amz-server-side-encryption-aws-kms-key-id": "false"}}, "the key asked for is given"),
        ({"StringNotEquals": {"aws:PrincipalAccount": "1"}}, "the caller is not of account 1"),
        ({"StringLike": {"team:name": ["a*", "b*"]}}, "team:name is like a* or b*"),
        (
            {"StringEqualsIfExists": {"aws:PrincipalAccount": "1"}},
            "the caller is of account 1 (where it is said at all)",
        ),
        ({"ForAllValues:StringEquals": {"aws:TagKeys": "team"}}, "aws:TagKeys is team"),
    ],
)
def test_a_condition_is_said_in_words(condition: object, said: str):
    assert one(Effect="Allow", Action="s3:GetObject", Resource="*", Condition=condition).when == (said,)


@pytest.mark.parametrize("document", [UNKNOWN, "", "{", None, "[]", {"Statement": "x"}, {"Version": "2012-10-17"}])
def test_what_is_no_policy_is_not_read_as_an_empty_one(document: object):
    assert statements.read(document, say) is None


def test_one_statement_may_stand_without_a_list():
    found = statements.read({"Statement": {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"}}, say)
    assert found is not None
    assert found[0].on == ("anything",)
