import pulumi_aws as aws

from policies.rules.account_guard_rails_complete import RULE
from tests.policies.judging import messages


def test_a_stack_that_sets_two_defaults_and_not_the_rest_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ebs.EncryptionByDefault("ebs", enabled=True)
        aws.ebs.SnapshotBlockPublicAccess("snapshots", state="block-all-sharing")

    assert messages(RULE, build, preview=preview) == [
        "ebs: sets defaults of the account and lacks aws.s3.AccountPublicAccessBlock (buckets kept "
        "private); it must have all of them.",
        "ebs: sets defaults of the account in its region and lacks aws.ebs.DefaultKmsKey (volumes under "
        "a key of one's own); it must have all of them.",
        "ebs: sets defaults of the account in its region and lacks aws.ec2.ImageBlockPublicAccess "
        "(images kept private); it must have all of them.",
        "ebs: sets defaults of the account in its region and lacks aws.ec2.InstanceMetadataDefaults "
        "(metadata with session tokens); it must have all of them.",
    ]


def test_all_of_them_one_alone_and_none_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ebs.EncryptionByDefault("ebs", enabled=True)

    assert messages(RULE, build, preview=preview) == []
