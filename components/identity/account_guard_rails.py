"""What an account and a region do where nobody says otherwise: encrypt, and keep to themselves."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed


@dataclass(frozen=True, kw_only=True)
class AccountGuardRailsArgs:
    """What `AccountGuardRails` are made from."""

    account_id: str
    """The account, twelve digits."""
    ebs_key_arn: pulumi.Input[str] | None = None
    """The key of volumes that name none; left out, AWS's own (`aws/ebs`). Whatever launches instances in the region
    must be allowed to use it."""
    guards_s3: bool = True
    """Whether to block public buckets, which is one setting of the whole account: true in one region, false in the
    others."""


class AccountGuardRails(pulumi.ComponentResource):
    """Settings of a whole region, and of the account, that no single resource can make up for.

    Creates: encryption of every new volume and snapshot, under the given key; IMDSv2 with one hop for every instance
    that does not ask for another; no image and no snapshot shared with the public; no public bucket in the account.
    Deliberately not: anything about what exists already: old volumes stay as they are, and a launch template that says
    otherwise wins over the metadata defaults.

    They are for everybody in the account, not only for this stack, so they are asked for and outlive it: a destroy
    leaves them (`retain_on_delete`), since taking them off would open what others rely on. The one exception is the
    default key, which goes back to AWS's own: a region whose default key is being deleted can create no volume.
    """

    def __init__(self, name: str, args: AccountGuardRailsArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:AccountGuardRails", name, None, opts)
        args = typed(args, AccountGuardRailsArgs)
        child = pulumi.ResourceOptions(parent=self)
        kept = pulumi.ResourceOptions(parent=self, retain_on_delete=True)

        encrypted = aws.ebs.EncryptionByDefault(f"{name}-ebs", enabled=True, opts=kept)
        if args.ebs_key_arn is not None:
            aws.ebs.DefaultKmsKey(
                f"{name}-ebs-key",
                key_arn=args.ebs_key_arn,
                opts=pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[encrypted])),
            )
        aws.ebs.SnapshotBlockPublicAccess(f"{name}-snapshots", state="block-all-sharing", opts=kept)
        aws.ec2.ImageBlockPublicAccess(f"{name}-images", state="block-new-sharing", opts=kept)
        aws.ec2.InstanceMetadataDefaults(
            f"{name}-metadata",
            http_endpoint="enabled",
            http_tokens="required",
            http_put_response_hop_limit=1,
            opts=kept,
        )
        if args.guards_s3:
            aws.s3.AccountPublicAccessBlock(
                f"{name}-s3",
                account_id=args.account_id,
                block_public_acls=True,
                block_public_policy=True,
                ignore_public_acls=True,
                restrict_public_buckets=True,
                opts=kept,
            )

        self.register_outputs({})
