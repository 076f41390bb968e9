"""IAM roles: trust, boundary, inline and attached policies; and the roles AWS services link to themselves."""

import json
from collections.abc import Mapping
from typing import Any, cast

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes, mapped

NO_ENTITY = "NoSuchEntity"
"""IAM's error code for what is not there."""


def document(value: Any) -> str:
    """Return a policy document as JSON text: botocore has decoded those it reads."""
    return value if isinstance(value, str) else json.dumps(value)


def _create(aws: Aws, inputs: Properties) -> str:
    given = pick(inputs, "path", "description", "maxSessionDuration", "permissionsBoundary")
    trust = {"AssumeRolePolicyDocument": inputs["assumeRolePolicy"], "Tags": aws.tags(inputs) or None}
    aws.call("iam", "CreateRole", {"RoleName": inputs["name"], **given, **trust})
    _set_policies(aws, inputs["name"], {}, inputs)
    return str(inputs["name"])


def _set_policies(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    """Bring the policies that are declared in the role itself from old to new."""
    role = {"RoleName": name}
    before, after = set[str](old.get("managedPolicyArns") or ()), set[str](new.get("managedPolicyArns") or ())
    for arn in sorted(before - after):
        aws.drop("iam", "DetachRolePolicy", {**role, "PolicyArn": arn}, NO_ENTITY)
    for arn in sorted(after - before):
        aws.call("iam", "AttachRolePolicy", {**role, "PolicyArn": arn})
    inline, wanted = _inline(old), _inline(new)
    for policy in sorted(inline.keys() - wanted.keys()):
        aws.drop("iam", "DeleteRolePolicy", {**role, "PolicyName": policy}, NO_ENTITY)
    for policy, text in wanted.items():
        if inline.get(policy) != text:
            aws.call("iam", "PutRolePolicy", {**role, "PolicyName": policy, "PolicyDocument": text})


def _inline(properties: Properties) -> dict[str, str]:
    policies = cast(list[Mapping[str, str]], properties.get("inlinePolicies") or [])
    return {policy["name"]: policy["policy"] for policy in policies if policy.get("name")}


def _read(aws: Aws, name: str, state: Properties) -> Properties | None:
    answer = aws.find("iam", "GetRole", {"RoleName": name}, NO_ENTITY)
    if answer is None:
        return None
    role = answer["Role"]
    return {
        "arn": role["Arn"],
        "assumeRolePolicy": document(role["AssumeRolePolicyDocument"]),
        "createDate": role["CreateDate"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "maxSessionDuration": role.get("MaxSessionDuration", 3600),
        "name": name,
        "uniqueId": role["RoleId"],
        "tagsAll": mapped(aws.call("iam", "ListRoleTags", {"RoleName": name})["Tags"]),
    }


def _update(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    role = {"RoleName": name}
    if new["assumeRolePolicy"] != old["assumeRolePolicy"]:
        aws.call("iam", "UpdateAssumeRolePolicy", {**role, "PolicyDocument": new["assumeRolePolicy"]})
    settings = ("description", "maxSessionDuration")
    if pick(new, *settings) != pick(old, *settings):
        aws.call(
            "iam", "UpdateRole", {**role, "Description": new.get("description", ""), **pick(new, "maxSessionDuration")}
        )
    if new.get("permissionsBoundary") != old.get("permissionsBoundary"):
        if new.get("permissionsBoundary"):
            aws.call("iam", "PutRolePermissionsBoundary", {**role, "PermissionsBoundary": new["permissionsBoundary"]})
        else:
            aws.call("iam", "DeleteRolePermissionsBoundary", role)
    _set_policies(aws, name, old, new)
    off, on = changes(aws, old, new)
    if off:
        aws.call("iam", "UntagRole", {**role, "TagKeys": off})
    if on:
        aws.call("iam", "TagRole", {**role, "Tags": on})


def _delete(aws: Aws, name: str, state: Properties) -> None:
    _set_policies(aws, name, state, {})
    if state.get("forceDetachPolicies"):
        _strip(aws, name)
    aws.drop("iam", "DeleteRole", {"RoleName": name}, NO_ENTITY)


def _strip(aws: Aws, name: str) -> None:
    role = {"RoleName": name}
    attached = aws.find("iam", "ListAttachedRolePolicies", role, NO_ENTITY) or {"AttachedPolicies": []}
    for policy in attached["AttachedPolicies"]:
        aws.drop("iam", "DetachRolePolicy", {**role, "PolicyArn": policy["PolicyArn"]}, NO_ENTITY)
    inline = aws.find("iam", "ListRolePolicies", role, NO_ENTITY) or {"PolicyNames": []}
    for policy in inline["PolicyNames"]:
        aws.drop("iam", "DeleteRolePolicy", {**role, "PolicyName": policy}, NO_ENTITY)


def _create_linked(aws: Aws, inputs: Properties) -> str:
    role = {"AWSServiceName": inputs["awsServiceName"], **pick(inputs, "description", "customSuffix")}
    return str(aws.call("iam", "CreateServiceLinkedRole", role)["Role"]["Arn"])


def _read_linked(aws: Aws, arn: str, state: Properties) -> Properties | None:
    name = arn.rsplit("/", 1)[-1]
    answer = aws.find("iam", "GetRole", {"RoleName": name}, NO_ENTITY)
    if answer is None:
        return None
    role = answer["Role"]
    return {
        "arn": arn,
        "createDate": role["CreateDate"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "name": name,
        "path": role["Path"],
        "uniqueId": role["RoleId"],
    }


def _update_linked(aws: Aws, arn: str, old: Properties, new: Properties) -> None:
    aws.call("iam", "UpdateRole", {"RoleName": arn.rsplit("/", 1)[-1], "Description": new.get("description", "")})


def _delete_linked(aws: Aws, arn: str, state: Properties) -> None:
    aws.drop("iam", "DeleteServiceLinkedRole", {"RoleName": arn.rsplit("/", 1)[-1]}, NO_ENTITY)


TYPES = (
    AwsType(
        name="aws:iam/role:Role",
        inputs={
            "assumeRolePolicy": Input(document=True),
            "description": PLAIN,
            "forceDetachPolicies": Input(default=False),
            "inlinePolicies": SET,
            "managedPolicyArns": SET,
            "maxSessionDuration": Input(default=3600),
            "name": FIXED,
            "namePrefix": FIXED,
            "path": Input(replaces=True, default="/"),
            "permissionsBoundary": PLAIN,
            "tags": PLAIN,
        },
        outputs=("arn", "createDate", "uniqueId"),
        autoname=AutoName(limit=64),
        regional=False,
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    AwsType(
        name="aws:iam/serviceLinkedRole:ServiceLinkedRole",
        inputs={"awsServiceName": FIXED, "customSuffix": FIXED, "description": PLAIN},
        outputs=("arn", "createDate", "name", "path", "uniqueId"),
        regional=False,
        singular=True,
        create=_create_linked,
        read=_read_linked,
        update=_update_linked,
        delete=_delete_linked,
    ),
)
