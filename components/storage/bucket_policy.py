"""What an encrypted bucket refuses, whoever asks."""

import pulumi

from ..identity.statements import BUCKET_LIMIT, Statement, document

MINIMUM_TLS = "1.2"
_ALGORITHM = "s3:x-amz-server-side-encryption"
_KEY = "s3:x-amz-server-side-encryption-aws-kms-key-id"


def build(bucket_arn: pulumi.Input[str], key_arn: pulumi.Input[str]) -> pulumi.Output[str]:
    """The bucket's policy: TLS 1.2 at least, and no object under anything but the bucket's key.

    Conditions within a statement are all needed for it to bite, so plain HTTP and old TLS are two statements: joined
    in one, neither would be refused.

    A policy judges the request as it was sent, before the bucket's default encryption applies. Ordinary clients send
    no encryption header, and the parts of a large upload never do: a refusal therefore asks that the header be there
    (`Null: false`) and be wrong. `aws:kms` without a key means AWS's own key, so it is refused as well; name the
    bucket's key (its ARN) or send no header at all.
    """
    objects = pulumi.Output.concat(bucket_arn, "/*")
    everything = [bucket_arn, objects]
    return document(
        _deny("RefusePlainHttp", "s3:*", everything, {"Bool": {"aws:SecureTransport": "false"}}),
        _deny("RefuseOldTls", "s3:*", everything, {"NumericLessThan": {"s3:TlsVersion": MINIMUM_TLS}}),
        _deny(
            "RefuseOtherAlgorithm",
            "s3:PutObject",
            [objects],
            {"Null": {_ALGORITHM: "false"}, "StringNotEquals": {_ALGORITHM: "aws:kms"}},
        ),
        _deny(
            "RefuseOtherKey", "s3:PutObject", [objects], {"Null": {_KEY: "false"}, "StringNotEquals": {_KEY: key_arn}}
        ),
        _deny("RefuseUnnamedKey", "s3:PutObject", [objects], {"Null": {_ALGORITHM: "false", _KEY: "true"}}),
        limit=BUCKET_LIMIT,
    )


def _deny(
    sid: str,
    action: str,
    resources: list[pulumi.Input[str]],
    conditions: dict[str, dict[str, pulumi.Input[str]]],
) -> Statement:
    return Statement(
        sid=sid,
        effect="Deny",
        principals={"AWS": "*"},
        actions=[action],
        resources=resources,
        conditions={operator: dict(tests) for operator, tests in conditions.items()},
        because="a refusal bites whatever is done and by whomever",
    )
