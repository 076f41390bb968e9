"""A tag that can be moved runs other code than was reviewed, and an image nobody scanned brings its holes along."""

from collections.abc import Iterator
from typing import Any, Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._frameworks import security_hub
from ._reading import UNKNOWN, differs, elements, read, shown
from ._stack import Report, Stack, for_stack

_IMMUTABLE: Final = ("IMMUTABLE", "IMMUTABLE_WITH_EXCLUSION")
_KMS: Final = ("KMS", "KMS_DSSE")


def _check(stack: Stack, report: Report) -> None:
    scanned_by_registry = bool(stack.of("aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration"))
    for repository in stack.of("aws:ecr/repository:Repository"):
        for fault in _faults(repository, scanned_by_registry):
            report(fault, repository.urn)
    # What a template makes is mostly a cache, whose tags move with the registry behind it.
    for template in stack.of("aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate"):
        for fault in _plain(template.props):
            report(fault, template.urn)


def _faults(repository: PolicyResource, scanned_by_registry: bool) -> Iterator[str]:
    tags = read(repository.props, "imageTagMutability")
    if tags is not UNKNOWN and tags not in _IMMUTABLE:
        yield f"imageTagMutability is {shown(tags)} (AWS default MUTABLE); it must be {' or '.join(_IMMUTABLE)}."
    scan = read(repository.props, "imageScanningConfiguration", "scanOnPush")
    if not scanned_by_registry and differs(scan, True, absent=False):
        yield (
            f"imageScanningConfiguration.scanOnPush is {shown(scan)} (AWS default false); it must be true, or the "
            "stack must have a RegistryScanningConfiguration."
        )
    yield from _plain(repository.props)


def _plain(props: Any) -> Iterator[str]:
    block = read(props, "encryptionConfigurations")
    for one in elements(block) or [None]:
        kind = read(one, "encryptionType")
        if kind is not UNKNOWN and kind not in _KMS:
            yield f"encryptionType is {shown(kind)} (AWS default AES256); it must be KMS with a key of your own."
        elif read(one, "kmsKey") is None:
            yield "kmsKey is not set (AWS default aws/ecr); it must name a KMS key of your own."


RULE = StackValidationPolicy(
    name="ecr-repository-immutable-scanned-encrypted",
    description="A tag that can be moved runs other code than was reviewed, and an image that nobody scanned brings "
    "its holes along.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("ECR.2"),
    tags=["data", "encryption"],
    remediation_steps="Set image_tag_mutability IMMUTABLE, scan_on_push true and encryption_configurations "
    "[{encryption_type: KMS, kms_key: YOUR KEY}]; the last only when the repository is made.",
    url="https://docs.aws.amazon.com/AmazonECR/latest/userguide/security-best-practices.html",
    validate=for_stack(_check),
)
