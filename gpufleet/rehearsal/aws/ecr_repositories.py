"""ECR repositories, what tidies them and who may use them."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, SET, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes, mapped

_NONE = "RepositoryNotFoundException"


def encryption(inputs: Properties) -> dict[str, Any]:
    """Return ECR's one encryption configuration, which the provider's schema spells as a list."""
    given: list[dict[str, Any]] = inputs.get("encryptionConfigurations") or []
    return {"encryptionConfiguration": {"encryptionType": "AES256", **given[0]}} if given else {}


def _create(aws: Aws, inputs: Properties) -> str:
    given = pick(inputs, "imageScanningConfiguration", "imageTagMutability", "imageTagMutabilityExclusionFilters")
    tags = aws.tags(inputs) or None
    aws.call("ecr", "CreateRepository", {"repositoryName": inputs["name"], **given, **encryption(inputs), "tags": tags})
    return str(inputs["name"])


def _read(aws: Aws, name: str, state: Properties) -> Properties | None:
    found = aws.first("ecr", "DescribeRepositories", {"repositoryNames": [name]}, "repositories", _NONE)
    if found is None:
        return None
    return {
        "arn": found["repositoryArn"],
        "imageTagMutability": found["imageTagMutability"],
        "name": name,
        "registryId": found["registryId"],
        # moto's is always one of the partition aws.
        "repositoryUrl": f"{found['registryId']}.dkr.ecr.{aws.region}.{aws.dns_suffix}/{name}",
        "tagsAll": mapped(aws.call("ecr", "ListTagsForResource", {"resourceArn": found["repositoryArn"]})["tags"]),
    }


def _update(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    repository = {"repositoryName": name}
    mutability = ("imageTagMutability", "imageTagMutabilityExclusionFilters")
    if pick(new, *mutability) != pick(old, *mutability):
        aws.call("ecr", "PutImageTagMutability", {**repository, **pick(new, *mutability)})
    scanning: dict[str, Any] = new.get("imageScanningConfiguration") or {"scanOnPush": False}
    if scanning != (old.get("imageScanningConfiguration") or {"scanOnPush": False}):
        aws.call("ecr", "PutImageScanningConfiguration", {**repository, "imageScanningConfiguration": scanning})
    off, on = changes(aws, old, new)
    arn = {"resourceArn": old["arn"]}
    if off:
        aws.call("ecr", "UntagResource", {**arn, "tagKeys": off})
    if on:
        aws.call("ecr", "TagResource", {**arn, "tags": on})


def _delete(aws: Aws, name: str, state: Properties) -> None:
    aws.drop("ecr", "DeleteRepository", {"repositoryName": name, "force": bool(state.get("forceDelete"))}, _NONE)


def _put_lifecycle(aws: Aws, inputs: Properties) -> str:
    policy = {"repositoryName": inputs["repository"], "lifecyclePolicyText": inputs["policy"]}
    aws.call("ecr", "PutLifecyclePolicy", policy)
    return str(inputs["repository"])


def _read_lifecycle(aws: Aws, name: str, state: Properties) -> Properties | None:
    gone = (_NONE, "LifecyclePolicyNotFoundException")
    answer = aws.find("ecr", "GetLifecyclePolicy", {"repositoryName": name}, *gone)
    if answer is None:
        return None
    return {"policy": answer["lifecyclePolicyText"], "registryId": answer["registryId"], "repository": name}


def _delete_lifecycle(aws: Aws, name: str, state: Properties) -> None:
    gone = (_NONE, "LifecyclePolicyNotFoundException")
    aws.drop("ecr", "DeleteLifecyclePolicy", {"repositoryName": name}, *gone)


def _put_policy(aws: Aws, inputs: Properties) -> str:
    aws.call("ecr", "SetRepositoryPolicy", {"repositoryName": inputs["repository"], "policyText": inputs["policy"]})
    return str(inputs["repository"])


def _read_policy(aws: Aws, name: str, state: Properties) -> Properties | None:
    gone = (_NONE, "RepositoryPolicyNotFoundException")
    answer = aws.find("ecr", "GetRepositoryPolicy", {"repositoryName": name}, *gone)
    if answer is None:
        return None
    return {"policy": answer["policyText"], "registryId": answer["registryId"], "repository": name}


def _update_policy(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    _put_policy(aws, new)


def _delete_policy(aws: Aws, name: str, state: Properties) -> None:
    gone = (_NONE, "RepositoryPolicyNotFoundException")
    aws.drop("ecr", "DeleteRepositoryPolicy", {"repositoryName": name}, *gone)


TYPES = (
    AwsType(
        name="aws:ecr/repository:Repository",
        inputs={
            "encryptionConfigurations": FIXED,
            "forceDelete": PLAIN,
            "imageScanningConfiguration": PLAIN,
            "imageTagMutability": Input(default="MUTABLE"),
            "imageTagMutabilityExclusionFilters": SET,
            "name": FIXED,
            "tags": PLAIN,
        },
        outputs=("arn", "registryId", "repositoryUrl"),
        autoname=AutoName(limit=256, prefix=None, lower=True),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    AwsType(
        name="aws:ecr/lifecyclePolicy:LifecyclePolicy",
        inputs={"policy": Input(replaces=True, document=True), "repository": FIXED},
        outputs=("registryId",),
        singular=True,
        create=_put_lifecycle,
        read=_read_lifecycle,
        delete=_delete_lifecycle,
    ),
    AwsType(
        name="aws:ecr/repositoryPolicy:RepositoryPolicy",
        inputs={"policy": DOCUMENT, "repository": FIXED},
        outputs=("registryId",),
        singular=True,
        create=_put_policy,
        read=_read_policy,
        update=_update_policy,
        delete=_delete_policy,
    ),
)
