"""A KMS key for one purpose, with a policy that says who uses it."""

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import service_principals
from .statements import KEY_LIMIT, Statement, document

USE = ("kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey*", "kms:ReEncrypt*")
"""https://docs.aws.amazon.com/autoscaling/ec2/userguide/key-policy-requirements-EBS-encryption.html"""
SENDERS = ("cloudwatch", "events", "s3", "sns", "sqs")
"""Services that put a message into somebody's encrypted topic or queue, and need no more than `SEND` for it."""
SEND = ("kms:Decrypt", "kms:GenerateDataKey*")
"""https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html"""
_THIS_KEY = "in a key's own policy * is that key"


WORKSPACE_TAG = "gpufleet-workspace"
"""On what belongs to one team alone."""


@dataclass(frozen=True, kw_only=True)
class EncryptionKeyArgs:
    """What an `EncryptionKey` is made from."""

    purpose: str
    """What it encrypts, in a few words; the key's description. One key a purpose: `secrets`, `volumes`, `data`, `logs`,
    and `data of workspace vision` where that team's data has to be destroyed by itself."""
    account_id: str
    region: str
    partition: str
    service_principals: Sequence[str] = ()
    """AWS services that use it by themselves, for this account only: `logs`; `cloudwatch`, `events`, `s3`, `sns` and
    `sqs` to send to encrypted topics and queues; or a full name such as `sqs.amazonaws.com`. S3 replication and FSx
    need none: they come with the rights of a role, which IAM gives."""
    for_node_volumes: bool = False
    """Whether EC2 Auto Scaling launches nodes with volumes under this key."""
    node_launcher_role_arns: Sequence[pulumi.Input[str]] = ()
    """Roles that launch nodes with volumes under this key by themselves, such as Karpenter's controller. They must be
    there first: a key's policy cannot name what does not exist."""
    for_lustre_buckets: bool = False
    """Whether FSx for Lustre fills file systems from, and writes to, buckets under this key."""
    creates_autoscaling_role: bool = False
    """Only in an account that never had an Auto Scaling group: without that role the key's policy names nobody."""
    workspace: str | None = None
    """The team whose data alone is under it, if one's is; a tag, by which its clean-up finds the key."""
    alias: str
    """Unique in the account and region; `alias/` is put before it."""
    deletion_window_days: int = 30
    """7 to 30 days in which a deletion can be taken back. What the key encrypts is unreadable from the first of them;
    7 where destroying the key is how data is deleted."""

    def __post_init__(self) -> None:
        if not 7 <= self.deletion_window_days <= 30:
            raise ValueError(f"deletion_window_days: {self.deletion_window_days} is out of range; allowed are 7 to 30")
        if self.alias.removeprefix("alias/").startswith("aws/"):
            raise ValueError(
                f"alias: {self.alias!r} is reserved; aliases that begin with aws/ are AWS's own, choose another"
            )


class EncryptionKey(pulumi.ComponentResource):
    """A symmetric key that rotates every year, and its alias.

    The account's own IAM policies govern it, so it can never lock its owner out. Services use it only on behalf of
    this account. Deliberately not: key administrators of its own, grants, keys in several regions.

    Destroying it is crypto-shredding: what is only readable through it is gone in all copies and backups. So a key
    that must be destroyed some day serves one workspace and nothing else.
    """

    key_id: pulumi.Output[str]
    key_arn: pulumi.Output[str]

    def __init__(self, name: str, args: EncryptionKeyArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:EncryptionKey", name, None, opts)
        args = typed(args, EncryptionKeyArgs)
        child = pulumi.ResourceOptions(parent=self)
        before: list[pulumi.Resource] = []
        if args.creates_autoscaling_role:
            # Kept on destroy: other stacks of the account launch by it.
            keep = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(retain_on_delete=True))
            before.append(
                aws.iam.ServiceLinkedRole(
                    f"{name}-autoscaling", aws_service_name="autoscaling.amazonaws.com", opts=keep
                )
            )

        key = aws.kms.Key(
            name,
            description=args.purpose,
            enable_key_rotation=True,
            deletion_window_in_days=args.deletion_window_days,
            policy=document(*key_policy(args), limit=KEY_LIMIT),
            tags=None if args.workspace is None else {WORKSPACE_TAG: args.workspace},
            opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=before)),
        )
        alias = aws.kms.Alias(
            name, name=f"alias/{args.alias.removeprefix('alias/')}", target_key_id=key.key_id, opts=child
        )

        self.key_id = after(key.key_id, alias)
        self.key_arn = key.arn
        self.register_outputs({"keyId": self.key_id, "keyArn": self.key_arn})


def key_policy(args: EncryptionKeyArgs) -> list[Statement]:
    """The statements of the key's policy."""
    root = f"arn:{args.partition}:iam::{args.account_id}:root"
    statements = [
        Statement(
            sid="AccountGovernsByIam", principals={"AWS": root}, actions=["kms:*"], resources=["*"], because=_THIS_KEY
        )
    ]
    for service in sorted(set(args.service_principals)):
        statements.append(_service_use(service, args))
    if args.for_node_volumes:
        role = (
            f"arn:{args.partition}:iam::{args.account_id}:role/aws-service-role/"
            "autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"
        )
        statements += _volumes("AutoScaling", role)
    if args.node_launcher_role_arns:
        statements += _volumes("NodeLauncher", args.node_launcher_role_arns)
    if args.for_lustre_buckets:
        statements.append(_lustre(args))
    return statements


def _service_use(service: str, args: EncryptionKeyArgs) -> Statement:
    logs = service_principals.logs(args.region, args.partition)
    if service in ("logs", logs):
        # CloudWatch Logs says for which group it asks: https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
        groups = f"arn:{args.partition}:logs:{args.region}:{args.account_id}:log-group:*"
        return Statement(
            sid="LogGroupsOfThisAccount",
            principals={"Service": logs},
            actions=USE,
            resources=["*"],
            conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": groups}},
            because=_THIS_KEY,
        )
    principal = service if "." in service else service_principals.of(service, args.partition)
    return Statement(
        sid=f"{principal.split('.')[0].title().replace('-', '')}ForThisAccount",
        principals={"Service": principal},
        actions=SEND if principal.split(".")[0] in SENDERS else USE,
        resources=["*"],
        conditions={"StringEquals": {"aws:SourceAccount": args.account_id}},
        because=_THIS_KEY,
    )


def _volumes(who: str, roles: str | Sequence[pulumi.Input[str]]) -> list[Statement]:
    """Without both statements a node starts and dies at once, with an invalid key state as the only trace."""
    return [
        Statement(
            sid=f"{who}UsesForVolumes",
            principals={"AWS": roles},
            actions=USE,
            resources=["*"],
            because=_THIS_KEY,
        ),
        Statement(
            sid=f"{who}GrantsToVolumes",
            principals={"AWS": roles},
            actions=["kms:CreateGrant"],
            resources=["*"],
            conditions={"Bool": {"kms:GrantIsForAWSResource": "true"}},
            because=_THIS_KEY,
        ),
    ]


def _lustre(args: EncryptionKeyArgs) -> Statement:
    """FSx reads and writes a linked bucket by a role of its own, one a file system, which has no right to any key.

    The role comes into being with the link and is named after the file system, so the policy knows it by what its ARN
    begins with rather than by name, and only when it comes through S3 in this region.
    https://docs.aws.amazon.com/fsx/latest/LustreGuide/s3-server-side-encryption-support.html
    """
    role = (
        f"arn:{args.partition}:iam::{args.account_id}:role/aws-service-role/"
        "s3.data-source.lustre.fsx.amazonaws.com/AWSServiceRoleForFSxS3Access_*"
    )
    through = f"s3.{args.region}.{service_principals.dns_suffix(args.partition)}"
    return Statement(
        sid="LustreUsesForLinkedBuckets",
        principals={"AWS": "*"},
        actions=USE,
        resources=["*"],
        conditions={
            "StringEquals": {"kms:CallerAccount": args.account_id, "kms:ViaService": through},
            "ArnLike": {"aws:PrincipalArn": role},
        },
        because=_THIS_KEY,
    )
