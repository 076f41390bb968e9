"""Readers for keys, buckets, roles, log groups, queues and budgets."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from gpufleet.rehearsal.read_back.asking import Declared, Fact, Reader, document, fields, inner, ordered


def key(resource: Declared) -> Iterator[Fact]:
    """That it is enabled and rotates."""
    kms = resource.client("kms")
    yield Fact("state", "Enabled", kms.describe_key(KeyId=resource.id)["KeyMetadata"]["KeyState"])
    rotates = kms.get_key_rotation_status(KeyId=resource.id)["KeyRotationEnabled"]
    yield Fact("rotation", resource.inputs.get("enableKeyRotation", False), rotates)
    if "policy" in resource.inputs:
        policy = kms.get_key_policy(KeyId=resource.id, PolicyName="default")["Policy"]
        yield Fact("policy", document(resource.inputs["policy"]), document(policy))


def alias(resource: Declared) -> Iterator[Fact]:
    """The key it stands for."""
    names = {entry["AliasName"]: entry.get("TargetKeyId") for entry in _aliases(resource)}
    target = str(resource.inputs["targetKeyId"]).rpartition("/")[2]
    yield Fact("target", target, names.get(resource.inputs["name"]))


def _aliases(resource: Declared) -> Iterator[dict[str, Any]]:
    for page in resource.client("kms").get_paginator("list_aliases").paginate():
        yield from page["Aliases"]


def bucket(resource: Declared) -> Iterator[Fact]:
    """That it is there."""
    answer = resource.client("s3").head_bucket(Bucket=resource.id)
    yield Fact("exists", True, answer["ResponseMetadata"]["HTTPStatusCode"] == HTTPStatus.OK)


def bucket_encryption(resource: Declared) -> Iterator[Fact]:
    """Algorithm and key."""
    answer = resource.client("s3").get_bucket_encryption(Bucket=resource.inputs["bucket"])
    found = fields(inner(answer, "ServerSideEncryptionConfiguration", "Rules", "ApplyServerSideEncryptionByDefault"))
    declared = fields(inner(resource.inputs, "rules", "applyServerSideEncryptionByDefault"))
    yield Fact("algorithm", declared.get("sseAlgorithm"), found.get("SSEAlgorithm"))
    yield Fact("key", declared.get("kmsMasterKeyId"), found.get("KMSMasterKeyID"))


def bucket_public_access(resource: Declared) -> Iterator[Fact]:
    """All four switches."""
    answer = resource.client("s3").get_public_access_block(Bucket=resource.inputs["bucket"])
    found = answer["PublicAccessBlockConfiguration"]
    for name in ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"):
        yield Fact(name, resource.inputs.get(name, False), found.get(name[0].upper() + name[1:], False))


def bucket_versioning(resource: Declared) -> Iterator[Fact]:
    """The status."""
    found = resource.client("s3").get_bucket_versioning(Bucket=resource.inputs["bucket"]).get("Status")
    yield Fact("status", inner(resource.inputs, "versioningConfiguration", "status"), found)


def bucket_policy(resource: Declared) -> Iterator[Fact]:
    """The document."""
    found = resource.client("s3").get_bucket_policy(Bucket=resource.inputs["bucket"])["Policy"]
    yield Fact("policy", document(resource.inputs["policy"]), document(found))


def bucket_ownership(resource: Declared) -> Iterator[Fact]:
    """Who owns what others write."""
    answer = resource.client("s3").get_bucket_ownership_controls(Bucket=resource.inputs["bucket"])
    found = inner(answer, "OwnershipControls", "Rules", "ObjectOwnership")
    yield Fact("ownership", inner(resource.inputs, "rule", "objectOwnership"), found)


def bucket_lifecycle(resource: Declared) -> Iterator[Fact]:
    """The rules, by id and status."""
    rules = resource.client("s3").get_bucket_lifecycle_configuration(Bucket=resource.inputs["bucket"])["Rules"]
    found = sorted((rule["ID"], rule["Status"]) for rule in rules)
    yield Fact("rules", sorted((rule["id"], rule["status"]) for rule in resource.inputs["rules"]), found)


def role(resource: Declared) -> Iterator[Fact]:
    """Who may assume it, and its boundary."""
    found = resource.client("iam").get_role(RoleName=resource.id)["Role"]
    yield Fact("trust", document(resource.inputs["assumeRolePolicy"]), document(found["AssumeRolePolicyDocument"]))
    boundary = inner(found, "PermissionsBoundary", "PermissionsBoundaryArn")
    yield Fact("boundary", resource.inputs.get("permissionsBoundary"), boundary)


def role_policy(resource: Declared) -> Iterator[Fact]:
    """The inline document."""
    role_name, _, name = resource.id.partition(":")
    found = resource.client("iam").get_role_policy(RoleName=role_name, PolicyName=name)["PolicyDocument"]
    yield Fact("policy", document(resource.inputs["policy"]), document(found))


def role_policy_attachment(resource: Declared) -> Iterator[Fact]:
    """That the role has the policy."""
    answer = resource.client("iam").list_attached_role_policies(RoleName=resource.inputs["role"])
    attached = {policy["PolicyArn"] for policy in answer["AttachedPolicies"]}
    yield Fact("attached", True, resource.inputs["policyArn"] in attached)


def policy(resource: Declared) -> Iterator[Fact]:
    """The document of the default version."""
    iam = resource.client("iam")
    version = iam.get_policy(PolicyArn=resource.id)["Policy"]["DefaultVersionId"]
    found = iam.get_policy_version(PolicyArn=resource.id, VersionId=version)["PolicyVersion"]["Document"]
    yield Fact("policy", document(resource.inputs["policy"]), document(found))


def instance_profile(resource: Declared) -> Iterator[Fact]:
    """The role it hands out."""
    found = resource.client("iam").get_instance_profile(InstanceProfileName=resource.id)["InstanceProfile"]
    yield Fact("role", resource.inputs.get("role"), inner(found, "Roles", "RoleName"))


def identity_provider(resource: Declared) -> Iterator[Fact]:
    """Whose tokens it takes, and for whom."""
    found = resource.client("iam").get_open_id_connect_provider(OpenIDConnectProviderArn=resource.id)
    yield Fact("issuer", str(resource.inputs["url"]).removeprefix("https://"), found["Url"])
    yield Fact("clients", ordered(resource.inputs.get("clientIdLists")), ordered(found.get("ClientIDList")))


def log_group(resource: Declared) -> Iterator[Fact]:
    """Retention and key."""
    groups = resource.client("logs").describe_log_groups(logGroupNamePrefix=resource.id)["logGroups"]
    found = fields(next((group for group in groups if group["logGroupName"] == resource.id), None))
    yield Fact("exists", True, bool(found))
    # AWS has no retention where the program says 0.
    yield Fact("retention days", resource.inputs.get("retentionInDays") or None, found.get("retentionInDays"))
    yield Fact("key", resource.inputs.get("kmsKeyId"), found.get("kmsKeyId"))


def queue(resource: Declared) -> Iterator[Fact]:
    """Encryption."""
    answer = resource.client("sqs").get_queue_attributes(QueueUrl=resource.id, AttributeNames=["All"])
    yield Fact("key", resource.inputs.get("kmsMasterKeyId"), answer["Attributes"].get("KmsMasterKeyId"))


def queue_policy(resource: Declared) -> Iterator[Fact]:
    """The document."""
    answer = resource.client("sqs").get_queue_attributes(QueueUrl=resource.id, AttributeNames=["Policy"])
    found = fields(answer.get("Attributes")).get("Policy")
    yield Fact("policy", document(resource.inputs["policy"]), document(found))


def budget(resource: Declared) -> Iterator[Fact]:
    """The limit and its period."""
    name = resource.id.partition(":")[2]
    answer = resource.client("budgets").describe_budget(AccountId=resource.account_id, BudgetName=name)
    found = answer["Budget"]
    yield Fact("period", resource.inputs["timeUnit"], found["TimeUnit"])
    if "limitAmount" in resource.inputs:
        declared = float(resource.inputs["limitAmount"]), resource.inputs["limitUnit"]
        yield Fact("limit", declared, (float(found["BudgetLimit"]["Amount"]), found["BudgetLimit"]["Unit"]))


READERS: dict[str, Reader] = {
    "aws:budgets/budget:Budget": budget,
    "aws:cloudwatch/logGroup:LogGroup": log_group,
    "aws:iam/instanceProfile:InstanceProfile": instance_profile,
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": identity_provider,
    "aws:iam/policy:Policy": policy,
    "aws:iam/role:Role": role,
    "aws:iam/rolePolicy:RolePolicy": role_policy,
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": role_policy_attachment,
    "aws:kms/alias:Alias": alias,
    "aws:kms/key:Key": key,
    "aws:s3/bucket:Bucket": bucket,
    "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": bucket_lifecycle,
    "aws:s3/bucketOwnershipControls:BucketOwnershipControls": bucket_ownership,
    "aws:s3/bucketPolicy:BucketPolicy": bucket_policy,
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": bucket_public_access,
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": bucket_encryption,
    "aws:s3/bucketVersioning:BucketVersioning": bucket_versioning,
    "aws:sqs/queue:Queue": queue,
    "aws:sqs/queuePolicy:QueuePolicy": queue_policy,
}
