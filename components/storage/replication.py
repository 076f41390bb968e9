"""Copies of a bucket in other regions of the environment, so that training there reads close by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from gpufleet.facts import regions

from ..arguments import typed
from ..identity import service_principals
from ..identity.statements import Statement, document, trust
from ..ordering import after


@dataclass(frozen=True, kw_only=True)
class BucketReplicationArgs:
    """What a `BucketReplication` is made from. Take names and ARNs from the buckets' outputs: S3 refuses replication
    until both sides keep versions, and they wait for that."""

    region: str
    """Of the source, and of the provider that makes this."""
    partition: str
    bucket_name: pulumi.Input[str]
    bucket_arn: pulumi.Input[str]
    key_arn: pulumi.Input[str]
    """The key of the source bucket."""
    destination_bucket_arns: Mapping[str, pulumi.Input[str]]
    """By region; each a bucket of the same account."""
    destination_key_arns: Mapping[str, pulumi.Input[str]]
    """By region; the key of the bucket there, from that region."""
    replicate_deletes: bool = False
    """Whether a deletion is copied too. Not by default: a copy is the way back from a deletion by mistake. Where
    data has to disappear everywhere, delete it in each region (or use a key for it that can be destroyed)."""
    permissions_boundary_arn: pulumi.Input[str] | None = None

    def __post_init__(self) -> None:
        given = sorted(self.destination_bucket_arns)
        if not given:
            raise ValueError("destination_bucket_arns: is empty; name a region to replicate to, or make no replication")
        if given != sorted(self.destination_key_arns):
            raise ValueError(
                f"destination_key_arns: has {', '.join(sorted(self.destination_key_arns)) or 'none'}, but buckets are "
                f"in {', '.join(given)}; give the key of each bucket"
            )
        if self.region in given:
            raise ValueError(
                f"destination_bucket_arns: {self.region} is the region of the source; name other regions, a bucket "
                "beside the source keeps nothing closer"
            )
        for region in given:
            found = regions.find(region)
            if found is None or found.partition != self.partition:
                raise ValueError(
                    f"destination_bucket_arns: {region!r} is no region of partition {self.partition}; S3 replicates "
                    "within a partition only"
                )


class BucketReplication(pulumi.ComponentResource):
    """Replication of every new object of a bucket to buckets in other regions, each copy under the key there.

    Creates: a role for S3, with a grant that reads the source and writes the destinations and
    nothing else; the replication rules, one a region. Deliberately not: copies of what lay in the
    bucket before (S3 Batch Replication does that), replication back, a time guarantee.
    """

    role_arn: pulumi.Output[str]
    bucket_name: pulumi.Output[str]
    """The source, once it replicates: write through it what must be copied."""

    def __init__(self, name: str, args: BucketReplicationArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:BucketReplication", name, None, opts)
        args = typed(args, BucketReplicationArgs)
        child = pulumi.ResourceOptions(parent=self)

        role = aws.iam.Role(
            name,
            # S3 takes it on without saying for which bucket. Only who may pass the role can name it in a replication.
            assume_role_policy=trust(service_principals.of("s3", args.partition)),
            permissions_boundary=args.permissions_boundary_arn,
            opts=child,
        )
        grant = aws.iam.RolePolicy(name, role=role.id, policy=document(*statements(args)), opts=child)
        replication = aws.s3.BucketReplicationConfig(
            name,
            bucket=args.bucket_name,
            role=role.arn,
            rules=rules(args),
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[grant])),
        )

        self.role_arn = after(role.arn, grant)
        self.bucket_name = after(args.bucket_name, replication)
        self.register_outputs({"roleArn": self.role_arn, "bucketName": self.bucket_name})


def rules(args: BucketReplicationArgs) -> Sequence[aws.s3.BucketReplicationConfigRuleArgs]:
    """One rule a region, in the order of their names, which is also their priority."""
    return [
        aws.s3.BucketReplicationConfigRuleArgs(
            id=region,
            priority=priority,
            status="Enabled",
            filter=aws.s3.BucketReplicationConfigRuleFilterArgs(prefix=""),
            delete_marker_replication=aws.s3.BucketReplicationConfigRuleDeleteMarkerReplicationArgs(
                status="Enabled" if args.replicate_deletes else "Disabled"
            ),
            # Objects under a KMS key are left out unless this asks for them.
            source_selection_criteria=aws.s3.BucketReplicationConfigRuleSourceSelectionCriteriaArgs(
                sse_kms_encrypted_objects=aws.s3.BucketReplicationConfigRuleSourceSelectionCriteriaSseKmsEncryptedObjectsArgs(
                    status="Enabled"
                )
            ),
            destination=aws.s3.BucketReplicationConfigRuleDestinationArgs(
                bucket=args.destination_bucket_arns[region],
                encryption_configuration=aws.s3.BucketReplicationConfigRuleDestinationEncryptionConfigurationArgs(
                    replica_kms_key_id=args.destination_key_arns[region]
                ),
            ),
        )
        for priority, region in enumerate(sorted(args.destination_bucket_arns), start=1)
    ]


def statements(args: BucketReplicationArgs) -> list[Statement]:
    """What S3 may do as the role.

    With bucket keys, S3 asks KMS in the name of the bucket rather than of the object; both are allowed, so that objects
    from before a bucket key are copied too.
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-config-for-kms-objects.html
    """
    suffix = service_principals.dns_suffix(args.partition)
    places = sorted(args.destination_bucket_arns)
    writes = ["s3:ReplicateObject", "s3:ReplicateTags", *(["s3:ReplicateDelete"] if args.replicate_deletes else [])]
    return [
        Statement(
            sid="ReadSourceSettings",
            actions=["s3:GetReplicationConfiguration", "s3:ListBucket"],
            resources=[args.bucket_arn],
        ),
        Statement(
            sid="ReadSourceObjects",
            actions=[
                "s3:GetObjectVersionAcl",
                "s3:GetObjectVersionForReplication",
                "s3:GetObjectVersionTagging",
            ],
            resources=[pulumi.Output.concat(args.bucket_arn, "/*")],
        ),
        Statement(
            sid="DecryptSource",
            actions=["kms:Decrypt"],
            resources=[args.key_arn],
            conditions={
                "StringEquals": {"kms:ViaService": f"s3.{args.region}.{suffix}"},
                "StringLike": {
                    "kms:EncryptionContext:aws:s3:arn": [args.bucket_arn, pulumi.Output.concat(args.bucket_arn, "/*")]
                },
            },
        ),
        Statement(
            sid="WriteCopies",
            actions=writes,
            resources=[pulumi.Output.concat(args.destination_bucket_arns[region], "/*") for region in places],
        ),
        *(_encrypt_copies(args, region, suffix) for region in places),
    ]


def _encrypt_copies(args: BucketReplicationArgs, region: str, suffix: str) -> Statement:
    bucket = args.destination_bucket_arns[region]
    return Statement(
        sid=f"EncryptCopiesIn{region.title().replace('-', '')}",
        actions=["kms:Encrypt", "kms:GenerateDataKey"],
        resources=[args.destination_key_arns[region]],
        conditions={
            "StringEquals": {"kms:ViaService": f"s3.{region}.{suffix}"},
            "StringLike": {"kms:EncryptionContext:aws:s3:arn": [bucket, pulumi.Output.concat(bucket, "/*")]},
        },
    )
