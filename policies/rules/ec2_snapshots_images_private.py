"""A snapshot or an image that is shared with everybody gives away all that lay on the disk."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, read, shown

_BLOCKS = {
    "aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess": ("block-all-sharing", "block-new-sharing"),
    "aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess": ("block-new-sharing",),
}
_LAUNCH = "aws:ec2/amiLaunchPermission:AmiLaunchPermission"


def _check_block(args: ResourceValidationArgs, report: Report) -> None:
    state, good = read(args.props, "state"), _BLOCKS[args.resource_type]
    if state is not UNKNOWN and state not in good:
        report(f"state is {shown(state)}; it must be {' or '.join(good)}.")


def _check_launch(args: ResourceValidationArgs, report: Report) -> None:
    if read(args.props, "group") == "all":
        report("group is all, which is everybody; the permission must name accounts.")


RULE = ResourceValidationPolicy(
    name="ec2-snapshots-images-private",
    description="A snapshot or an image that is shared with everybody gives away all that lay on the disk.",
    severity=Severity.CRITICAL,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EC2.182"),
    tags=["data", "compute"],
    remediation_steps="Block public sharing for the account (block-all-sharing, block-new-sharing), and share with "
    "accounts by name.",
    url="https://docs.aws.amazon.com/ebs/latest/userguide/block-public-access-snapshots.html",
    validate=[for_type(_check_block, *_BLOCKS), for_type(_check_launch, _LAUNCH)],
)
