"""A file system under Amazon's own key cannot be shut to a reader, nor shredded, by taking the key away."""

from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read

_LUSTRE: Final = "aws:fsx/lustreFileSystem:LustreFileSystem"
_TYPES: Final = (
    _LUSTRE,
    "aws:fsx/ontapFileSystem:OntapFileSystem",
    "aws:fsx/openZfsFileSystem:OpenZfsFileSystem",
    "aws:fsx/windowsFileSystem:WindowsFileSystem",
    "aws:fsx/fileCache:FileCache",
)


def _check(args: ResourceValidationArgs, report: Report) -> None:
    if args.resource_type == _LUSTRE:
        deployment = read(args.props, "deploymentType")
        # FSx takes no key for scratch, which is what AWS makes where nothing is said.
        if deployment is UNKNOWN or not str(deployment).startswith("PERSISTENT"):
            return
    if read(args.props, "kmsKeyId") is None:
        report("kmsKeyId is not set (AWS default aws/fsx); it must name a KMS key of your own.")


RULE = ResourceValidationPolicy(
    name="fsx-encrypted-with-own-key",
    description="A file system under Amazon's own key cannot be shut to a reader, nor shredded, by taking the key "
    "away.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["data", "encryption"],
    remediation_steps="Set kms_key_id to the ARN of the key that the data's bucket is encrypted with.",
    url="https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-at-rest.html",
    validate=for_type(_check, *_TYPES),
)
