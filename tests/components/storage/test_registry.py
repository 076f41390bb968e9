import json
from typing import Any

import pulumi
import pytest

from components.storage import registry
from tests.components.builds import KEY
from tests.components.storage import compositions
from tests.harness import record

REPOSITORY = "aws:ecr/repository:Repository"
SCANNING = "aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration"


def test_a_repository_has_tags_that_stay_a_key_of_ours_and_is_scanned() -> None:
    recorded = record(compositions.registry())

    repository = recorded.one(REPOSITORY)
    assert repository.inputs == {
        "name": "gpufleet-dev/trainer",
        "imageTagMutability": "IMMUTABLE",
        "imageScanningConfiguration": {"scanOnPush": True},
        "encryptionConfigurations": [{"encryptionType": "KMS", "kmsKey": KEY}],
    }
    assert repository.protect is True
    assert recorded.all(SCANNING) == []


def test_old_and_untagged_images_go_by_themselves() -> None:
    recorded = record(compositions.registry(keep_images=20))

    rules = json.loads(recorded.one("aws:ecr/lifecyclePolicy:LifecyclePolicy").inputs["policy"])["rules"]
    assert [(rule["rulePriority"], rule["selection"]) for rule in rules] == [
        (1, {"tagStatus": "untagged", "countType": "sinceImagePushed", "countUnit": "days", "countNumber": 14}),
        (2, {"tagStatus": "any", "countType": "imageCountMoreThan", "countNumber": 20}),
    ]
    assert {rule["action"]["type"] for rule in rules} == {"expire"}
    assert registry.lifecycle(20) == json.dumps({"rules": rules})


def test_the_whole_registry_is_scanned_again_and_again_where_that_was_asked_for() -> None:
    assert record(compositions.registry(scans_continuously=True)).one(SCANNING).inputs == {
        "scanType": "ENHANCED",
        "rules": [
            {"scanFrequency": "CONTINUOUS_SCAN", "repositoryFilters": [{"filter": "*", "filterType": "WILDCARD"}]}
        ],
    }


def test_adding_a_repository_leaves_the_others_as_they_are() -> None:
    one, two = (
        {
            resource.urn: resource.inputs
            for resource in record(compositions.registry(repositories=names)).all(REPOSITORY)
        }
        for names in (["trainer"], ["nvidia/dcgm-exporter", "trainer"])
    )

    assert one.items() < two.items()


def test_addresses_are_handed_out_by_the_names_that_were_given() -> None:
    def build() -> None:
        pulumi.export("urls", compositions.registry(repositories=["trainer", "nvidia/driver"])().repository_urls)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType] -- builds return their component

    recorded = record(build)

    assert sorted(recorded.outputs["urls"]) == ["nvidia/driver", "trainer"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"repositories": []}, "repositories: is empty; name one"),
        ({"repositories": ["Trainer"]}, "repositories: 'gpufleet-dev/Trainer' is no name for a repository"),
        ({"repositories": ["a", "a"]}, "repositories: a, a names one twice"),
        ({"prefix": "x" * 255}, "2 to 256 in all"),
        ({"keep_images": 0}, "keep_images: 0 must be 1 or more"),
        ({"protection": "?"}, "allowed are protect, retain, none"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compositions.registry_args(**changes)
