"""What a bucket refuses, whoever asks, and whom the bucket for access logs lets in."""

from collections.abc import Mapping

import pulumi

from ..identity.statements import BUCKET_LIMIT, Statement, Values, document

MINIMUM_TLS = "1.2"
LOG_DELIVERY = "logging.s3.amazonaws.com"
"""https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html"""
_ALGORITHM = "s3:x-amz-server-side-encryption"
_KEY = "s3:x-amz-server-side-encryption-aws-kms-key-id"
_CUSTOMER_KEY = "s3:x-amz-server-side-encryption-customer-algorithm"


def build(bucket_arn: pulumi.Input[str], key_arn: pulumi.Input[str]) -> pulumi.Output[str]:
    """The policy of a bucket under a key: TLS 1.2 at least, and no object under anything but that key.

    A policy judges the request as it was sent, before the bucket's default encryption applies. Ordinary clients send
    no encryption header, and the parts of a large upload never do: a refusal therefore asks that the header be there
    (`Null: false`) and be wrong. `aws:kms` without a key means AWS's own key, so it is refused as well; name the
    bucket's key (its ARN) or send no header at all.
    """
    objects = pulumi.Output.concat(bucket_arn, "/*")
    return document(
        *_whoever(bucket_arn, objects),
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


def access_logs(bucket_arn: pulumi.Input[str], account_id: str, partition: str) -> pulumi.Output[str]:
    """The policy of a bucket for access logs: S3 writes, for buckets of this account only; over TLS.

    The buckets that log here are made after it, and named by the engine: what tells them from others' is the account.
    """
    objects = pulumi.Output.concat(bucket_arn, "/*")
    return document(
        Statement(
            sid="LogDeliveryOfThisAccount",
            principals={"Service": LOG_DELIVERY},
            actions=["s3:PutObject"],
            resources=[objects],
            conditions={
                "StringEquals": {"aws:SourceAccount": account_id},
                "ArnLike": {"aws:SourceArn": f"arn:{partition}:s3:::*"},
            },
        ),
        *_whoever(bucket_arn, objects),
        limit=BUCKET_LIMIT,
    )


def _whoever(bucket_arn: pulumi.Input[str], objects: pulumi.Input[str]) -> list[Statement]:
    """What no bucket of ours takes.

    Conditions within a statement are all needed for it to bite, so plain HTTP and old TLS are two statements: joined
    in one, neither would be refused. A key that the client brings (SSE-C) locks everybody else out of the object, which
    is how data is held to ransom.
    """
    everything = [bucket_arn, objects]
    return [
        _deny("RefusePlainHttp", "s3:*", everything, {"Bool": {"aws:SecureTransport": "false"}}),
        _deny("RefuseOldTls", "s3:*", everything, {"NumericLessThan": {"s3:TlsVersion": MINIMUM_TLS}}),
        _deny("RefuseClientsKey", "s3:PutObject", [objects], {"Null": {_CUSTOMER_KEY: "false"}}),
    ]


def _deny(
    sid: str, action: str, resources: list[pulumi.Input[str]], conditions: Mapping[str, Mapping[str, Values]]
) -> Statement:
    return Statement(
        sid=sid,
        effect="Deny",
        principals={"AWS": "*"},
        actions=[action],
        resources=resources,
        conditions=conditions,
        because="a refusal bites whatever is done and by whomever",
    )
