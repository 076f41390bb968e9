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
_THIS_KEY = "in a key's own policy * is that key"


@dataclass(frozen=True, kw_only=True)
class EncryptionKeyArgs:
    """What an `EncryptionKey` is made from."""

    purpose: str
    """What it encrypts, in a few words; the key's description."""
    account_id: str
    region: str
    partition: str
    service_principals: Sequence[str] = ()
    """AWS services that use it by themselves, for this account only: `logs`, or a full name such as
    `sqs.amazonaws.com`."""
    for_node_volumes: bool = False
    """Whether EC2 Auto Scaling launches nodes with volumes under this key."""
    creates_autoscaling_role: bool = False
    """Only in an account that never had an Auto Scaling group: without that role the key's policy names nobody."""
    alias: str
    """Unique in the account and region; `alias/` is put before it."""
    deletion_window_days: int = 30
    """7 to 30 days in which a deletion can be taken back."""

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
        statements += _node_volumes(args)
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
        actions=USE,
        resources=["*"],
        conditions={"StringEquals": {"aws:SourceAccount": args.account_id}},
        because=_THIS_KEY,
    )


def _node_volumes(args: EncryptionKeyArgs) -> list[Statement]:
    """Without both statements a node starts and dies at once, with an invalid key state as the only trace."""
    role = (
        f"arn:{args.partition}:iam::{args.account_id}:role/aws-service-role/"
        "autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling"
    )
    return [
        Statement(
            sid="AutoScalingUsesForVolumes", principals={"AWS": role}, actions=USE, resources=["*"], because=_THIS_KEY
        ),
        Statement(
            sid="AutoScalingGrantsToVolumes",
            principals={"AWS": role},
            actions=["kms:CreateGrant"],
            resources=["*"],
            conditions={"Bool": {"kms:GrantIsForAWSResource": "true"}},
            because=_THIS_KEY,
        ),
    ]
