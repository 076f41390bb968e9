"""What may pass through the endpoints of a VPC."""

import re
from collections.abc import Sequence

import pulumi

from gpufleet.facts import image_buckets

from ..identity.statements import ENDPOINT_LIMIT, Statement, document

ANY_BUCKET = "*"
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{2,62}\*?")
"""A bucket's name, or the beginning of one and `*`."""


def interface_policy(account_id: str) -> pulumi.Output[str]:
    """Whatever the service does, but only for this account's principals: nobody carries data out with keys of
    another.

    Calls that nobody signs do not pass either; `sts:AssumeRoleWithWebIdentity` is one, so pods take on roles by Pod
    Identity.
    """
    return document(_own_principals(account_id), limit=ENDPOINT_LIMIT)


def storage_policy(account_id: str) -> pulumi.Output[str]:
    """As `interface_policy`, and only for what the account owns: for gateways to storage other than S3 itself."""
    return document(_own_principals_own_buckets(account_id), limit=ENDPOINT_LIMIT)


def s3_policy(
    account_id: str, region: str, partition: str, *, registries_reachable: bool, readable: Sequence[str] = ()
) -> pulumi.Output[str]:
    """S3: this account's principals on this account's buckets, and reading from the few buckets of others that nodes
    live on. The same with NAT as without: the gateway endpoint carries the region's S3 traffic either way.

    Own buckets are told by their owner (aws:ResourceAccount), not by their names. Names would make the network wait
    for the buckets and be changed with each of them, while buckets already wait for the network where their policies
    name it; and a bucket that somebody else makes under a name that was ours once would still be let through.

    Image layers and packages are fetched by unsigned or pre-signed requests, which no condition on our account
    matches, so those buckets are named: Amazon's own (ECR's layers, Amazon Linux), and where registries are reached
    over the internet, those in which they keep layers. Writing to a bucket of somebody else is not possible at all.
    https://docs.aws.amazon.com/AmazonECR/latest/userguide/vpc-endpoints.html#ecr-setting-up-s3-gateway

    Args:
        account_id: the account, twelve digits.
        region: the region of the VPC; buckets elsewhere are not reached by the endpoint.
        partition: the region's.
        registries_reachable: whether nodes reach registries over the internet.
        readable: further buckets of others to read from, by name or by the beginning of one and `*`; `*` for any.
    """
    statements = [_own_principals_own_buckets(account_id)]
    aws = image_buckets.of_aws(region)
    statements.append(_reading("ReadLayersAndPackagesOfAws", partition, aws, list_too=False))
    if registries_reachable and (registries := image_buckets.of_registries(region)):
        statements.append(_reading("ReadLayersOfRegistries", partition, registries, list_too=False))
    if ANY_BUCKET in readable:
        statements.append(
            Statement(
                sid="ReadAnyBucket",
                principals={"AWS": "*"},
                actions=["s3:GetObject", "s3:ListBucket"],
                resources=["*"],
                because="asked for; nothing can be written to a bucket of others even so",
            )
        )
    elif readable:
        statements.append(_reading("ReadNamedBuckets", partition, sorted(set(readable)), list_too=True))
    return document(*statements, limit=ENDPOINT_LIMIT)


def check_readable(buckets: Sequence[str]) -> None:
    """Raise ValueError where one of the buckets is not a bucket's name, the beginning of one, or `*`."""
    if wrong := [bucket for bucket in buckets if bucket != ANY_BUCKET and not _BUCKET.fullmatch(bucket)]:
        raise ValueError(
            f"s3_readable_buckets: {', '.join(map(repr, wrong))} not a bucket's name; allowed are names, beginnings of "
            "names such as fast-ai-*, and * for any bucket"
        )


def _reading(sid: str, partition: str, buckets: Sequence[str], *, list_too: bool) -> Statement:
    arns = [f"arn:{partition}:s3:::{bucket}" for bucket in buckets]
    return Statement(
        sid=sid,
        principals={"AWS": "*"},
        actions=["s3:GetObject", *(["s3:ListBucket"] if list_too else [])],
        resources=[*(arns if list_too else []), *(f"{arn}/*" for arn in arns)],
    )


def _own_principals(account_id: str) -> Statement:
    return Statement(
        sid="OwnPrincipals",
        principals={"AWS": "*"},
        actions=["*"],
        resources=["*"],
        conditions={"StringEquals": {"aws:PrincipalAccount": account_id}},
        because="an endpoint's policy is a ceiling; what each principal may do is said by its own policies",
    )


def _own_principals_own_buckets(account_id: str) -> Statement:
    return Statement(
        sid="OwnPrincipalsOwnBuckets",
        principals={"AWS": "*"},
        actions=["*"],
        resources=["*"],
        conditions={"StringEquals": {"aws:PrincipalAccount": account_id, "aws:ResourceAccount": account_id}},
        because="an endpoint's policy is a ceiling; what each principal may do is said by its own policies",
    )
