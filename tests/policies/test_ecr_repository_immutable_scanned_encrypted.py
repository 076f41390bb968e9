from typing import Any

import pulumi_aws as aws

from policies.rules.ecr_repository_immutable_scanned_encrypted import RULE
from tests.policies.judging import later, messages

MUTABLE = "imageTagMutability is not set (AWS default MUTABLE); it must be IMMUTABLE or IMMUTABLE_WITH_EXCLUSION."
UNSCANNED = (
    "imageScanningConfiguration.scanOnPush is not set (AWS default false); it must be true, or the stack must have a "
    "RegistryScanningConfiguration."
)
PLAIN = "encryptionType is not set (AWS default AES256); it must be KMS with a key of your own."


def _repository(**changes: Any) -> None:
    good: dict[str, Any] = {
        "image_tag_mutability": "IMMUTABLE",
        "image_scanning_configuration": {"scan_on_push": True},
        "encryption_configurations": [{"encryption_type": "KMS", "kms_key": "arn:k"}],
    }
    aws.ecr.Repository("images", **{**good, **changes})


def test_a_repository_as_aws_makes_it_is_reported_for_each_fault(preview: bool) -> None:
    assert messages(RULE, lambda: aws.ecr.Repository("images"), preview=preview) == [
        f"images: {PLAIN}",
        f"images: {UNSCANNED}",
        f"images: {MUTABLE}",
    ]


def test_amazons_own_key_and_movable_tags_are_reported(preview: bool) -> None:
    def build() -> None:
        _repository(image_tag_mutability="MUTABLE", encryption_configurations=[{"encryption_type": "KMS"}])

    assert messages(RULE, build, preview=preview) == [
        f"images: {MUTABLE.replace('not set', 'MUTABLE')}",
        "images: kmsKey is not set (AWS default aws/ecr); it must name a KMS key of your own.",
    ]


def test_what_a_template_makes_must_be_encrypted_and_may_have_movable_tags(preview: bool) -> None:
    def build() -> None:
        aws.ecr.RepositoryCreationTemplate("cache", prefix="quay", applied_fors=["PULL_THROUGH_CACHE"])

    assert messages(RULE, build, preview=preview) == [f"cache: {PLAIN}"]


def test_good_repositories_are_quiet_also_where_the_registry_scans(preview: bool) -> None:
    def by_registry() -> None:
        aws.ecr.RegistryScanningConfiguration("scan", scan_type="ENHANCED", rules=[])
        _repository(image_scanning_configuration=None, image_tag_mutability="IMMUTABLE_WITH_EXCLUSION")

    assert messages(RULE, _repository, preview=preview) == []
    assert messages(RULE, by_registry, preview=preview) == []


def test_unknown_values_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        _repository(
            image_tag_mutability=later("MUTABLE", "a"),
            image_scanning_configuration={"scan_on_push": later(False, "b")},
            encryption_configurations=[{"encryption_type": later("AES256", "c"), "kms_key": later("k", "d")}],
        )

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 3
