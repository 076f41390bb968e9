"""What is set on the one registry of an account in a region: scanning, access, and public images fetched into it."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.ecr_repositories import encryption
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, SET, AwsType, Input, Properties, pick

_NO_POLICY = "RegistryPolicyNotFoundException"
# What a registry does before anybody has set it.
_BASIC: dict[str, Any] = {"scanType": "BASIC", "rules": []}
_TEMPLATE = (
    "appliedFors",
    "customRoleArn",
    "description",
    "imageTagMutability",
    "imageTagMutabilityExclusionFilters",
    "lifecyclePolicy",
    "repositoryPolicy",
    "resourceTags",
)


def _put_scanning(aws: Aws, inputs: Properties) -> str:
    rules: list[dict[str, Any]] = inputs.get("rules") or []
    aws.call("ecr", "PutRegistryScanningConfiguration", {"scanType": inputs["scanType"], "rules": rules})
    return aws.account_id


def _read_scanning(aws: Aws, registry: str, state: Properties) -> Properties:
    answer = aws.call("ecr", "GetRegistryScanningConfiguration", {})
    return {"registryId": registry, "scanType": answer["scanningConfiguration"]["scanType"]}


def _update_scanning(aws: Aws, registry: str, old: Properties, new: Properties) -> None:
    _put_scanning(aws, new)


def _delete_scanning(aws: Aws, registry: str, state: Properties) -> None:
    _put_scanning(aws, _BASIC)


def _put_policy(aws: Aws, inputs: Properties) -> str:
    aws.call("ecr", "PutRegistryPolicy", {"policyText": inputs["policy"]})
    return aws.account_id


def _read_policy(aws: Aws, registry: str, state: Properties) -> Properties | None:
    answer = aws.find("ecr", "GetRegistryPolicy", {}, _NO_POLICY)
    return {"policy": answer["policyText"], "registryId": registry} if answer else None


def _update_policy(aws: Aws, registry: str, old: Properties, new: Properties) -> None:
    _put_policy(aws, new)


def _delete_policy(aws: Aws, registry: str, state: Properties) -> None:
    aws.drop("ecr", "DeleteRegistryPolicy", {}, _NO_POLICY)


def _create_rule(aws: Aws, inputs: Properties) -> str:
    given = ("credentialArn", "customRoleArn", "ecrRepositoryPrefix", "upstreamRegistryUrl", "upstreamRepositoryPrefix")
    aws.call("ecr", "CreatePullThroughCacheRule", pick(inputs, *given))
    return str(inputs["ecrRepositoryPrefix"])


def _read_rule(aws: Aws, prefix: str, state: Properties) -> Properties:
    return {"ecrRepositoryPrefix": prefix, "registryId": aws.account_id}


def _update_rule(aws: Aws, prefix: str, old: Properties, new: Properties) -> None:
    rule = {"ecrRepositoryPrefix": prefix, **pick(new, "credentialArn", "customRoleArn")}
    aws.call("ecr", "UpdatePullThroughCacheRule", rule)


def _delete_rule(aws: Aws, prefix: str, state: Properties) -> None:
    aws.call("ecr", "DeletePullThroughCacheRule", {"ecrRepositoryPrefix": prefix})


def _create_template(aws: Aws, inputs: Properties) -> str:
    template = {"prefix": inputs["prefix"], **pick(inputs, *_TEMPLATE), **encryption(inputs)}
    aws.call("ecr", "CreateRepositoryCreationTemplate", template)
    return str(inputs["prefix"])


def _read_template(aws: Aws, prefix: str, state: Properties) -> Properties:
    return {"prefix": prefix, "registryId": aws.account_id}


def _update_template(aws: Aws, prefix: str, old: Properties, new: Properties) -> None:
    template = {"prefix": prefix, **pick(new, *_TEMPLATE), **encryption(new)}
    aws.call("ecr", "UpdateRepositoryCreationTemplate", template)


def _delete_template(aws: Aws, prefix: str, state: Properties) -> None:
    aws.call("ecr", "DeleteRepositoryCreationTemplate", {"prefix": prefix})


TYPES = (
    AwsType(
        name="aws:ecr/registryScanningConfiguration:RegistryScanningConfiguration",
        inputs={"rules": SET, "scanType": PLAIN},
        outputs=("registryId",),
        singular=True,
        create=_put_scanning,
        read=_read_scanning,
        update=_update_scanning,
        delete=_delete_scanning,
    ),
    AwsType(
        name="aws:ecr/registryPolicy:RegistryPolicy",
        inputs={"policy": DOCUMENT},
        outputs=("registryId",),
        singular=True,
        create=_put_policy,
        read=_read_policy,
        update=_update_policy,
        delete=_delete_policy,
    ),
    AwsType(
        name="aws:ecr/pullThroughCacheRule:PullThroughCacheRule",
        inputs={
            "credentialArn": PLAIN,
            "customRoleArn": PLAIN,
            "ecrRepositoryPrefix": FIXED,
            "upstreamRegistryUrl": FIXED,
            "upstreamRepositoryPrefix": FIXED,
        },
        outputs=("registryId",),
        singular=True,
        create=_create_rule,
        read=_read_rule,
        update=_update_rule,
        delete=_delete_rule,
    ),
    AwsType(
        name="aws:ecr/repositoryCreationTemplate:RepositoryCreationTemplate",
        inputs={
            "appliedFors": SET,
            "customRoleArn": PLAIN,
            "description": PLAIN,
            "encryptionConfigurations": PLAIN,
            "imageTagMutability": Input(default="MUTABLE"),
            "imageTagMutabilityExclusionFilters": PLAIN,
            "lifecyclePolicy": DOCUMENT,
            "prefix": FIXED,
            "repositoryPolicy": DOCUMENT,
            "resourceTags": PLAIN,
        },
        outputs=("registryId",),
        singular=True,
        create=_create_template,
        read=_read_template,
        update=_update_template,
        delete=_delete_template,
    ),
)
