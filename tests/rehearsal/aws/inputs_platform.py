"""Inputs for one resource of every type beside network and compute."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.rehearsal.aws.documents import GRANT, TRUST, WORKER

if TYPE_CHECKING:
    from tests.rehearsal.aws.stack import Stack


def kms_key(stack: Stack) -> dict[str, Any]:
    return {"description": "lab", "enableKeyRotation": True, "rotationPeriodInDays": 180, "deletionWindowInDays": 7}


def kms_alias(stack: Stack) -> dict[str, Any]:
    return {"name": "alias/lab", "targetKeyId": stack.id("aws:kms/key:Key")}


def iam_role(stack: Stack) -> dict[str, Any]:
    return {"assumeRolePolicy": TRUST, "description": "nodes", "tags": {"Name": "nodes"}}


def iam_role_policy(stack: Stack) -> dict[str, Any]:
    return {"role": stack.id("aws:iam/role:Role"), "policy": GRANT}


def iam_role_policy_attachment(stack: Stack) -> dict[str, Any]:
    return {"role": stack.id("aws:iam/role:Role"), "policyArn": WORKER}


def iam_policy(stack: Stack) -> dict[str, Any]:
    return {"policy": GRANT, "description": "read"}


def iam_instance_profile(stack: Stack) -> dict[str, Any]:
    return {"role": stack.id("aws:iam/role:Role")}


def iam_service_linked_role(stack: Stack) -> dict[str, Any]:
    return {"awsServiceName": "spot.amazonaws.com", "description": "spot"}


def iam_open_id_connect_provider(stack: Stack) -> dict[str, Any]:
    return {
        "url": "https://oidc.example.com/id/1",
        "clientIdLists": ["sts.amazonaws.com"],
        "thumbprintLists": ["0" * 40],
    }


def s3_bucket(stack: Stack) -> dict[str, Any]:
    return {"forceDestroy": True, "tags": {"Name": "data"}}


def _of_bucket(stack: Stack, **settings: Any) -> dict[str, Any]:
    return {"bucket": stack.id("aws:s3/bucket:Bucket"), **settings}


def s3_bucket_versioning(stack: Stack) -> dict[str, Any]:
    return _of_bucket(stack, versioningConfiguration={"status": "Enabled"})


def s3_bucket_encryption(stack: Stack) -> dict[str, Any]:
    key = {"sseAlgorithm": "aws:kms", "kmsMasterKeyId": stack.get("aws:kms/key:Key")["arn"]}
    return _of_bucket(stack, rules=[{"applyServerSideEncryptionByDefault": key, "bucketKeyEnabled": True}])


def s3_bucket_public_access_block(stack: Stack) -> dict[str, Any]:
    blocks = ("blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets")
    return _of_bucket(stack, **dict.fromkeys(blocks, True))


def s3_bucket_ownership_controls(stack: Stack) -> dict[str, Any]:
    return _of_bucket(stack, rule={"objectOwnership": "BucketOwnerEnforced"})


def s3_bucket_lifecycle_configuration(stack: Stack) -> dict[str, Any]:
    parts = {"abortIncompleteMultipartUpload": {"daysAfterInitiation": 7}}
    old = {"noncurrentVersionExpiration": {"noncurrentDays": 30}, "expiration": {"days": 90}}
    return _of_bucket(stack, rules=[{"id": "keep", "status": "Enabled", **parts, **old}])


def s3_bucket_policy(stack: Stack) -> dict[str, Any]:
    return _of_bucket(stack, policy=GRANT)


def s3_bucket_logging(stack: Stack) -> dict[str, Any]:
    target = stack.add(
        "aws:s3/bucket:Bucket", {"bucket": f"logs-{stack.id('aws:s3/bucket:Bucket')}", "forceDestroy": True}
    )
    deliver = {"Effect": "Allow", "Principal": {"Service": "logging.s3.amazonaws.com"}, "Action": "s3:PutObject"}
    statement = {**deliver, "Resource": f"arn:aws:s3:::{target.id}/*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    stack.add("aws:s3/bucketPolicy:BucketPolicy", {"bucket": target.id, "policy": policy})
    return _of_bucket(stack, targetBucket=target.id, targetPrefix="access/")


def eks_cluster(stack: Stack) -> dict[str, Any]:
    return {
        "name": "lab",
        "version": "1.35",
        "roleArn": stack.get("aws:iam/role:Role")["arn"],
        "vpcConfig": {
            "subnetIds": [stack.id("aws:ec2/subnet:Subnet")],
            "endpointPrivateAccess": True,
            "endpointPublicAccess": False,
        },
        "accessConfig": {"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": False},
        "encryptionConfig": {
            "provider": {"keyArn": stack.get("aws:kms/key:Key")["arn"]},
            "resources": ["secrets"],
        },
        "enabledClusterLogTypes": ["api", "audit"],
        "upgradePolicy": {"supportType": "STANDARD"},
        "kubernetesNetworkConfig": {"serviceIpv4Cidr": "172.20.0.0/16"},
    }


def eks_node_group(stack: Stack) -> dict[str, Any]:
    template = stack.get("aws:ec2/launchTemplate:LaunchTemplate")
    return {
        "clusterName": stack.id("aws:eks/cluster:Cluster"),
        "nodeRoleArn": stack.get("aws:iam/role:Role")["arn"],
        "subnetIds": [stack.id("aws:ec2/subnet:Subnet")],
        "instanceTypes": ["g6.2xlarge", "g6.4xlarge"],
        "capacityType": "SPOT",
        "amiType": "AL2023_x86_64_NVIDIA",
        "scalingConfig": {"minSize": 0, "desiredSize": 0, "maxSize": 4},
        "launchTemplate": {"id": template.id, "version": str(template["latestVersion"])},
        "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
        "labels": {"pool": "l4"},
        "updateConfig": {"maxUnavailable": 1},
    }


def eks_access_entry(stack: Stack) -> dict[str, Any]:
    return {
        "clusterName": stack.id("aws:eks/cluster:Cluster"),
        "principalArn": stack.get("aws:iam/role:Role")["arn"],
        "kubernetesGroups": ["viewers"],
    }


def eks_access_policy_association(stack: Stack) -> dict[str, Any]:
    return {
        "clusterName": stack.id("aws:eks/cluster:Cluster"),
        "principalArn": stack.get("aws:iam/role:Role")["arn"],
        "policyArn": "arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy",
        "accessScope": {"type": "cluster"},
    }


def eks_addon(stack: Stack) -> dict[str, Any]:
    return {
        "clusterName": stack.id("aws:eks/cluster:Cluster"),
        "addonName": "vpc-cni",
        "configurationValues": '{"env": {"ENABLE_PREFIX_DELEGATION": "true"}}',
        "resolveConflictsOnCreate": "OVERWRITE",
    }


def eks_pod_identity_association(stack: Stack) -> dict[str, Any]:
    return {
        "clusterName": stack.id("aws:eks/cluster:Cluster"),
        "namespace": "kube-system",
        "serviceAccount": "aws-node",
        "roleArn": stack.get("aws:iam/role:Role")["arn"],
    }


def cloudwatch_log_group(stack: Stack) -> dict[str, Any]:
    return {"retentionInDays": 90, "tags": {"Name": "flow"}}


def budgets_budget(stack: Stack) -> dict[str, Any]:
    notification = {"comparisonOperator": "GREATER_THAN", "threshold": 80, "thresholdType": "PERCENTAGE"}
    told = {"notificationType": "ACTUAL", "subscriberEmailAddresses": ["gpu-costs@example.com"]}
    return {
        "budgetType": "COST",
        "limitAmount": "4000",
        "limitUnit": "USD",
        "timeUnit": "MONTHLY",
        "costFilters": [{"name": "TagKeyValue", "values": ["user:owner$ml"]}],
        "notifications": [{**notification, **told}],
    }


def sqs_queue(stack: Stack) -> dict[str, Any]:
    return {"sqsManagedSseEnabled": True, "messageRetentionSeconds": 300}


def sqs_queue_policy(stack: Stack) -> dict[str, Any]:
    return {"queueUrl": stack.id("aws:sqs/queue:Queue"), "policy": GRANT}


INPUTS: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "aws:kms/key:Key": kms_key,
    "aws:kms/alias:Alias": kms_alias,
    "aws:iam/role:Role": iam_role,
    "aws:iam/rolePolicy:RolePolicy": iam_role_policy,
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment": iam_role_policy_attachment,
    "aws:iam/policy:Policy": iam_policy,
    "aws:iam/instanceProfile:InstanceProfile": iam_instance_profile,
    "aws:iam/serviceLinkedRole:ServiceLinkedRole": iam_service_linked_role,
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider": iam_open_id_connect_provider,
    "aws:s3/bucket:Bucket": s3_bucket,
    "aws:s3/bucketVersioning:BucketVersioning": s3_bucket_versioning,
    "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": s3_bucket_encryption,
    "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": s3_bucket_public_access_block,
    "aws:s3/bucketOwnershipControls:BucketOwnershipControls": s3_bucket_ownership_controls,
    "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": s3_bucket_lifecycle_configuration,
    "aws:s3/bucketPolicy:BucketPolicy": s3_bucket_policy,
    "aws:s3/bucketLogging:BucketLogging": s3_bucket_logging,
    "aws:eks/cluster:Cluster": eks_cluster,
    "aws:eks/nodeGroup:NodeGroup": eks_node_group,
    "aws:eks/accessEntry:AccessEntry": eks_access_entry,
    "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": eks_access_policy_association,
    "aws:eks/addon:Addon": eks_addon,
    "aws:eks/podIdentityAssociation:PodIdentityAssociation": eks_pod_identity_association,
    "aws:cloudwatch/logGroup:LogGroup": cloudwatch_log_group,
    "aws:budgets/budget:Budget": budgets_budget,
    "aws:sqs/queue:Queue": sqs_queue,
    "aws:sqs/queuePolicy:QueuePolicy": sqs_queue_policy,
}
