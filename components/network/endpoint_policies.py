"""What may pass through the endpoints of a VPC."""

import pulumi

from ..identity.statements import ENDPOINT_LIMIT, Statement, document


def interface_policy(account_id: str) -> pulumi.Output[str]:
    """Whatever the service does, but only for this account's principals: nobody carries data out with keys of
    another."""
    return document(_own_principals(account_id), limit=ENDPOINT_LIMIT)


def s3_policy(account_id: str, region: str, partition: str, *, registries_reachable: bool) -> pulumi.Output[str]:
    """S3 for this account's principals, and image layers for nodes.

    Layers lie in buckets that are not ours and are fetched by unsigned or pre-signed requests, which no condition on
    our account matches. Where nodes reach registries over the internet (registry.k8s.io and quay.io keep layers in S3
    of the same region) reading is allowed from any bucket; where they do not, only from Amazon's own: ECR's and
    Amazon Linux's. Writing is never allowed to anybody else's principal.
    https://docs.aws.amazon.com/AmazonECR/latest/userguide/vpc-endpoints.html#ecr-setting-up-s3-gateway
    """
    if registries_reachable:
        reading = Statement(
            sid="ReadImageLayersAnywhere",
            principals={"AWS": "*"},
            actions=["s3:GetObject"],
            resources=["*"],
            because="registries keep image layers in buckets of theirs, whose names they change",
        )
    else:
        reading = Statement(
            sid="ReadLayersAndPackagesOfAws",
            principals={"AWS": "*"},
            actions=["s3:GetObject"],
            resources=[
                f"arn:{partition}:s3:::prod-{region}-starport-layer-bucket/*",
                f"arn:{partition}:s3:::al2023-repos-{region}-de612dc2/*",
            ],
        )
    return document(_own_principals(account_id), reading, limit=ENDPOINT_LIMIT)


def _own_principals(account_id: str) -> Statement:
    return Statement(
        sid="OwnPrincipals",
        principals={"AWS": "*"},
        actions=["*"],
        resources=["*"],
        conditions={"StringEquals": {"aws:PrincipalAccount": account_id}},
        because="an endpoint's policy is a ceiling; what each principal may do is said by its own policies",
    )
