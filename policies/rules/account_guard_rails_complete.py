"""Who sets some of an account's defaults and not the others believes it is closed, and leaves one door open."""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._regions import region_of
from ._stack import Report, Stack, for_stack

_REGIONAL: Final = {
    "aws:ebs/encryptionByDefault:EncryptionByDefault": "volumes encrypted",
    "aws:ebs/defaultKmsKey:DefaultKmsKey": "volumes under a key of one's own",
    "aws:ebs/snapshotBlockPublicAccess:SnapshotBlockPublicAccess": "snapshots kept private",
    "aws:ec2/imageBlockPublicAccess:ImageBlockPublicAccess": "images kept private",
    "aws:ec2/instanceMetadataDefaults:InstanceMetadataDefaults": "metadata with session tokens",
}
_GLOBAL: Final = {"aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock": "buckets kept private"}


def _check(stack: Stack, report: Report) -> None:
    by_region: dict[str | None, dict[str, PolicyResource]] = {}
    for type_ in _REGIONAL:
        for resource in stack.of(type_):
            by_region.setdefault(region_of(resource), {})[type_] = resource
    # One default alone is set for its own sake; from two on the stack governs the account.
    governing = {region: found for region, found in by_region.items() if len(found) > 1}
    for region, found in governing.items():
        for type_, what in _REGIONAL.items():
            if type_ not in found:
                report(
                    f"sets defaults of the account in {region or 'its region'} and lacks {_called(type_)} ({what}); it "
                    "must have all of them.",
                    min(resource.urn for resource in found.values()),
                )
    for type_, what in _GLOBAL.items():
        if governing and not stack.of(type_):
            report(
                f"sets defaults of the account and lacks {_called(type_)} ({what}); it must have all of them.",
                min(resource.urn for found in governing.values() for resource in found.values()),
            )


def _called(type_: str) -> str:
    module, _, name = type_.partition(":")[2].partition(":")
    return f"aws.{module.split('/')[0]}.{name}"


RULE = StackValidationPolicy(
    name="account-guard-rails-complete",
    description="Who sets some of an account's defaults and not the others believes it is closed, and leaves one door "
    "open.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["account", "data", "compute"],
    remediation_steps="Add the missing default in every region that the stack governs; the account's block of public "
    "buckets once.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/security-best-practices.html",
    validate=for_stack(_check),
)
