"""Without root squash, root in any pod that mounts the file system may read and change everybody's data."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    squash = read(args.props, "rootSquashConfiguration", "rootSquash")
    if squash is not UNKNOWN and (squash is None or str(squash).startswith("0:")):
        report(
            f"rootSquashConfiguration.rootSquash is {shown(squash)} (AWS default 0:0, which is none); it should be the "
            "id of somebody without rights, such as 65534:65534."
        )


RULE = ResourceValidationPolicy(
    name="fsx-lustre-root-squashed",
    description="Without root squash, root in any pod that mounts the file system may read and change everybody's "
    "data.",
    severity=Severity.MEDIUM,
    # A file system that one team alone mounts needs none.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["data"],
    remediation_steps="Set root_squash_configuration {root_squash: 65534:65534}; name clients that must keep root in "
    "no_squash_nids.",
    url="https://docs.aws.amazon.com/fsx/latest/LustreGuide/root-squash.html",
    validate=for_type(_check, "aws:fsx/lustreFileSystem:LustreFileSystem"),
)
