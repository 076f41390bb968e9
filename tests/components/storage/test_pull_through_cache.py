import json
from typing import Any

import pytest

from components.identity.statements import Statement
from components.storage import pull_through_cache
from tests.components.builds import ACCOUNT, KEY
from tests.components.storage import compositions
from tests.components.storage.compositions import SECRET
from tests.harness import record

RULE = "aws:ecr/pullThroughCacheRule:PullThroughCacheRule"
TEMPLATE = "aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate"
REPOSITORIES = f"arn:aws:ecr:us-east-1:{ACCOUNT}:repository/gpufleet-dev/*"


def test_a_rule_fetches_from_each_registry_with_credentials_where_it_wants_them() -> None:
    recorded = record(
        compositions.pull_through(registries=["quay.io", "docker.io"], credential_arns={"docker.io": SECRET})
    )

    assert [rule.inputs for rule in recorded.all(RULE)] == [
        {
            "ecrRepositoryPrefix": "gpufleet-dev/docker.io",
            "upstreamRegistryUrl": "registry-1.docker.io",
            "credentialArn": SECRET,
        },
        {"ecrRepositoryPrefix": "gpufleet-dev/quay.io", "upstreamRegistryUrl": "quay.io"},
    ]


def test_cached_repositories_are_under_our_key_and_tags_in_them_stay() -> None:
    recorded = record(compositions.pull_through())

    inputs = dict(recorded.one(TEMPLATE).inputs)
    lifecycle = json.loads(inputs.pop("lifecyclePolicy"))
    assert inputs == {
        "prefix": "gpufleet-dev",
        "description": "Images that gpufleet-dev fetched",
        "appliedFors": ["PULL_THROUGH_CACHE"],
        "imageTagMutability": "IMMUTABLE",
        "encryptionConfigurations": [{"encryptionType": "KMS", "kmsKey": KEY}],
        "customRoleArn": recorded.one("aws:iam/role:Role").outputs["arn"],
    }
    assert lifecycle["rules"][1]["selection"]["countNumber"] == 100


def test_ecr_makes_repositories_below_the_prefix_and_uses_the_one_key_for_them() -> None:
    recorded = record(compositions.pull_through())

    statements = json.loads(recorded.one("aws:iam/rolePolicy:RolePolicy").inputs["policy"])["Statement"]
    assert {s["Sid"]: (s["Action"], s["Resource"]) for s in statements} == {
        "MakeCachedRepositories": (["ecr:CreateRepository", "ecr:ReplicateImage", "ecr:TagResource"], [REPOSITORIES]),
        "UseKeyOfRepositories": (["kms:CreateGrant", "kms:DescribeKey", "kms:RetireGrant"], [KEY]),
    }
    (trust,) = json.loads(recorded.one("aws:iam/role:Role").inputs["assumeRolePolicy"])["Statement"]
    assert trust["Principal"] == {"Service": "ecr.amazonaws.com"}


def test_nothing_is_fetched_before_the_template_stands_and_ecr_may_use_its_role() -> None:
    recorded = record(compositions.pull_through())

    assert recorded.one(TEMPLATE).urn in recorded.one(RULE).dependencies
    assert recorded.one("aws:iam/rolePolicy:RolePolicy").urn in recorded.one(TEMPLATE).dependencies


def test_nodes_may_have_images_fetched_below_the_prefix_only() -> None:
    (statement,) = pull_through_cache.pull_statements("gpufleet-dev", ACCOUNT, "us-east-1", "aws")

    assert statement == Statement(
        sid="PullThroughCache",
        actions=["ecr:BatchImportUpstreamImage", "ecr:CreateRepository"],
        resources=[REPOSITORIES],
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"registries": []}, "registries: is empty; allowed are public.ecr.aws, registry.k8s.io, quay.io"),
        ({"registries": ["nvcr.io"]}, "'nvcr.io' is not one that ECR fetches from"),
        ({"registries": ["docker.io"]}, "credential_arns: docker.io needs credentials; give the ARN of a secret"),
        ({"credential_arns": {"quay.io": SECRET}}, "credential_arns: quay.io takes none here; leave it out"),
        (
            {"registries": ["ghcr.io"], "credential_arns": {"ghcr.io": SECRET.replace("ecr-pullthroughcache/", "")}},
            "not the ARN of a secret whose name begins with ecr-pullthroughcache/",
        ),
        ({"prefix": "Fleet"}, "prefix: 'Fleet' must be lower-case"),
        (
            {"prefix": "gpufleet-staging", "registries": ["registry.k8s.io"]},
            "ECR allows 30 characters for gpufleet-staging/registry.k8s.io; use at most 14",
        ),
        ({"keep_images": 0}, "keep_images: 0 must be 1 or more"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compositions.pull_through_args(**changes)
