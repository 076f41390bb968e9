import pulumi_aws as aws

from policies.rules.ec2_snapshots_images_private import RULE
from tests.policies.judging import later, messages


def test_what_may_be_shared_with_everybody_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ebs.SnapshotBlockPublicAccess("snapshots", state="unblocked")
        aws.ec2.ImageBlockPublicAccess("images", state="unblocked")
        aws.ec2.AmiLaunchPermission("launch", image_id="ami-1", group="all")

    assert messages(RULE, build, preview=preview) == [
        "snapshots: state is unblocked; it must be block-all-sharing or block-new-sharing.",
        "launch: group is all, which is everybody; the permission must name accounts.",
        "images: state is unblocked; it must be block-new-sharing.",
    ]


def test_what_is_blocked_and_what_is_shared_by_name_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ebs.SnapshotBlockPublicAccess("snapshots", state="block-all-sharing")
        aws.ec2.ImageBlockPublicAccess("images", state="block-new-sharing")
        aws.ec2.AmiLaunchPermission("launch", image_id="ami-1", account_id="111122223333")

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_state_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ebs.SnapshotBlockPublicAccess("snapshots", state=later("unblocked"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "snapshots: state is unblocked; it must be block-all-sharing or block-new-sharing.",
    ]
