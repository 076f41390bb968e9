"""IAM policies: of one role, of their own, attached to roles; and instance profiles."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.iam_roles import NO_ENTITY, document
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes, mapped

_POLICY_VERSIONS = 5
"""IAM keeps no more versions of a managed policy (IAM quotas, "versions per managed policy")."""


def _put_role_policy(aws: Aws, inputs: Properties) -> str:
    policy = {"RoleName": inputs["role"], "PolicyName": inputs["name"], "PolicyDocument": inputs["policy"]}
    aws.call("iam", "PutRolePolicy", policy)
    return f"{inputs['role']}:{inputs['name']}"


def _read_role_policy(aws: Aws, policy_id: str, state: Properties) -> Properties | None:
    role, _, name = policy_id.partition(":")
    answer = aws.find("iam", "GetRolePolicy", {"RoleName": role, "PolicyName": name}, NO_ENTITY)
    return {"name": name, "role": role, "policy": document(answer["PolicyDocument"])} if answer else None


def _update_role_policy(aws: Aws, policy_id: str, old: Properties, new: Properties) -> None:
    _put_role_policy(aws, new)


def _delete_role_policy(aws: Aws, policy_id: str, state: Properties) -> None:
    role, _, name = policy_id.partition(":")
    aws.drop("iam", "DeleteRolePolicy", {"RoleName": role, "PolicyName": name}, NO_ENTITY)


def _attach(aws: Aws, inputs: Properties) -> str:
    aws.call("iam", "AttachRolePolicy", {"RoleName": inputs["role"], "PolicyArn": inputs["policyArn"]})
    return f"{inputs['role']}/{inputs['policyArn']}"


def _read_attachment(aws: Aws, attachment_id: str, state: Properties) -> Properties | None:
    role, _, arn = attachment_id.partition("/")
    answer = aws.find("iam", "ListAttachedRolePolicies", {"RoleName": role}, NO_ENTITY)
    attached: list[dict[str, Any]] = answer["AttachedPolicies"] if answer else []
    return {"policyArn": arn, "role": role} if any(policy["PolicyArn"] == arn for policy in attached) else None


def _detach(aws: Aws, attachment_id: str, state: Properties) -> None:
    role, _, arn = attachment_id.partition("/")
    aws.drop("iam", "DetachRolePolicy", {"RoleName": role, "PolicyArn": arn}, NO_ENTITY)


def _create_policy(aws: Aws, inputs: Properties) -> str:
    policy = {"PolicyName": inputs["name"], "PolicyDocument": inputs["policy"], "Tags": aws.tags(inputs) or None}
    return str(aws.call("iam", "CreatePolicy", {**policy, **pick(inputs, "path", "description")})["Policy"]["Arn"])


def _read_policy(aws: Aws, arn: str, state: Properties) -> Properties | None:
    answer = aws.find("iam", "GetPolicy", {"PolicyArn": arn}, NO_ENTITY)
    if answer is None:
        return None
    policy = answer["Policy"]
    version = aws.call("iam", "GetPolicyVersion", {"PolicyArn": arn, "VersionId": policy["DefaultVersionId"]})[
        "PolicyVersion"
    ]
    return {
        "arn": arn,
        "attachmentCount": policy["AttachmentCount"],
        "name": policy["PolicyName"],
        "policy": document(version["Document"]),
        "policyId": policy["PolicyId"],
        "tagsAll": mapped(aws.call("iam", "ListPolicyTags", {"PolicyArn": arn})["Tags"]),
    }


def _update_policy(aws: Aws, arn: str, old: Properties, new: Properties) -> None:
    policy = {"PolicyArn": arn}
    if new["policy"] != old["policy"]:
        _drop_versions(aws, arn, keep=_POLICY_VERSIONS - 1)
        aws.call("iam", "CreatePolicyVersion", {**policy, "PolicyDocument": new["policy"], "SetAsDefault": True})
    off, on = changes(aws, old, new)
    if off:
        aws.call("iam", "UntagPolicy", {**policy, "TagKeys": off})
    if on:
        aws.call("iam", "TagPolicy", {**policy, "Tags": on})


def _drop_versions(aws: Aws, arn: str, keep: int) -> None:
    """Delete the oldest versions beside the default one until `keep` are left."""
    answer = aws.find("iam", "ListPolicyVersions", {"PolicyArn": arn}, NO_ENTITY)
    versions: list[dict[str, Any]] = answer["Versions"] if answer else []
    spare = sorted(
        (v for v in versions if not v["IsDefaultVersion"]), key=lambda version: int(version["VersionId"][1:])
    )
    for version in spare[: max(0, len(versions) - keep)]:
        aws.call("iam", "DeletePolicyVersion", {"PolicyArn": arn, "VersionId": version["VersionId"]})


def _delete_policy(aws: Aws, arn: str, state: Properties) -> None:
    _drop_versions(aws, arn, keep=1)
    aws.drop("iam", "DeletePolicy", {"PolicyArn": arn}, NO_ENTITY)


def _create_profile(aws: Aws, inputs: Properties) -> str:
    profile = {"InstanceProfileName": inputs["name"], **pick(inputs, "path"), "Tags": aws.tags(inputs) or None}
    aws.call("iam", "CreateInstanceProfile", profile)
    _fill_profile(aws, inputs["name"], {}, inputs)
    return str(inputs["name"])


def _fill_profile(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    if old.get("role") == new.get("role"):
        return
    if old.get("role"):
        aws.drop(
            "iam", "RemoveRoleFromInstanceProfile", {"InstanceProfileName": name, "RoleName": old["role"]}, NO_ENTITY
        )
    if new.get("role"):
        aws.call("iam", "AddRoleToInstanceProfile", {"InstanceProfileName": name, "RoleName": new["role"]})


def _read_profile(aws: Aws, name: str, state: Properties) -> Properties | None:
    answer = aws.find("iam", "GetInstanceProfile", {"InstanceProfileName": name}, NO_ENTITY)
    if answer is None:
        return None
    profile = answer["InstanceProfile"]
    return {
        "arn": profile["Arn"],
        "createDate": profile["CreateDate"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "name": name,
        "uniqueId": profile["InstanceProfileId"],
        "tagsAll": mapped(profile.get("Tags", [])),
    }


def _update_profile(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    _fill_profile(aws, name, old, new)
    off, on = changes(aws, old, new)
    if off:
        aws.call("iam", "UntagInstanceProfile", {"InstanceProfileName": name, "TagKeys": off})
    if on:
        aws.call("iam", "TagInstanceProfile", {"InstanceProfileName": name, "Tags": on})


def _delete_profile(aws: Aws, name: str, state: Properties) -> None:
    _fill_profile(aws, name, state, {})
    aws.drop("iam", "DeleteInstanceProfile", {"InstanceProfileName": name}, NO_ENTITY)


TYPES = (
    AwsType(
        name="aws:iam/rolePolicy:RolePolicy",
        inputs={"name": FIXED, "namePrefix": FIXED, "policy": DOCUMENT, "role": FIXED},
        autoname=AutoName(limit=128),
        regional=False,
        create=_put_role_policy,
        read=_read_role_policy,
        update=_update_role_policy,
        delete=_delete_role_policy,
    ),
    AwsType(
        name="aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        inputs={"policyArn": FIXED, "role": FIXED},
        regional=False,
        create=_attach,
        read=_read_attachment,
        delete=_detach,
    ),
    AwsType(
        name="aws:iam/policy:Policy",
        inputs={
            "description": FIXED,
            "name": FIXED,
            "namePrefix": FIXED,
            "path": Input(replaces=True, default="/"),
            "policy": DOCUMENT,
            "tags": PLAIN,
        },
        outputs=("arn", "attachmentCount", "policyId"),
        autoname=AutoName(limit=128),
        regional=False,
        create=_create_policy,
        read=_read_policy,
        update=_update_policy,
        delete=_delete_policy,
    ),
    AwsType(
        name="aws:iam/instanceProfile:InstanceProfile",
        inputs={
            "name": FIXED,
            "namePrefix": FIXED,
            "path": Input(replaces=True, default="/"),
            "role": PLAIN,
            "tags": PLAIN,
        },
        outputs=("arn", "createDate", "uniqueId"),
        autoname=AutoName(limit=128),
        regional=False,
        create=_create_profile,
        read=_read_profile,
        update=_update_profile,
        delete=_delete_profile,
    ),
)
