"""EKS clusters, with the security group that EKS makes for each."""

from hashlib import sha256
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.errors import AwsError
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AutoName, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import changes

NO_CLUSTER = "ResourceNotFoundException"
"""EKS's error code for what is not there."""

_LOG_TYPES = ("api", "audit", "authenticator", "controllerManager", "scheduler")
_UPDATED_ONE_BY_ONE = (
    "computeConfig",
    "controlPlaneScalingConfig",
    "deletionProtection",
    "storageConfig",
    "upgradePolicy",
    "zonalShiftConfig",
)
_CREATED = ("version", "roleArn", "accessConfig", "bootstrapSelfManagedAddons", *_UPDATED_ONE_BY_ONE)
_RENAMES = {"vpcConfig": "resourcesVpcConfig"}


def _logging(inputs: Properties) -> dict[str, Any]:
    on: list[str] = inputs.get("enabledClusterLogTypes") or []
    off = [kind for kind in _LOG_TYPES if kind not in on]
    setup = [{"types": kinds, "enabled": enabled} for kinds, enabled in ((on, True), (off, False)) if kinds]
    return {"logging": {"clusterLogging": setup}}


def _network(inputs: Properties) -> dict[str, Any]:
    """Return what the program says of the network, without what EKS has added to it in the state."""
    config = {
        name: value for name, value in inputs["vpcConfig"].items() if name not in ("clusterSecurityGroupId", "vpcId")
    }
    return {"vpcConfig": config}


def _create(aws: Aws, inputs: Properties) -> str:
    request: dict[str, Any] = {
        "name": inputs["name"],
        **pick(inputs, *_CREATED),
        **_network(inputs),
        **_logging(inputs),
    }
    if "kubernetesNetworkConfig" in inputs:
        request["kubernetesNetworkConfig"] = inputs["kubernetesNetworkConfig"]
    if "encryptionConfig" in inputs:
        request["encryptionConfig"] = [inputs["encryptionConfig"]]
    aws.call("eks", "CreateCluster", {**request, "tags": aws.tags(inputs) or None}, _RENAMES)
    _make_security_group(aws, inputs)
    return str(inputs["name"])


def _security_group_name(aws: Aws, name: str) -> str:
    digits = int(sha256(f"{aws.account_id} {aws.region} {name}".encode()).hexdigest()[:8], 16)
    return f"eks-cluster-sg-{name}-{digits}"


def _make_security_group(aws: Aws, inputs: Properties) -> None:
    """Make the group that EKS puts on the control plane and its nodes: moto makes none, and programs build rules on
    it."""
    subnets = aws.call("ec2", "DescribeSubnets", {"SubnetIds": inputs["vpcConfig"]["subnetIds"]})["Subnets"]
    name = inputs["name"]
    tags = {"Name": _security_group_name(aws, name), f"kubernetes.io/cluster/{name}": "owned"}
    group = {
        "GroupName": _security_group_name(aws, name),
        "Description": f"EKS created security group for the control plane and managed nodes of {name}",
        "VpcId": subnets[0]["VpcId"],
        "TagSpecifications": [{"ResourceType": "security-group", "Tags": tags}],
    }
    group_id = aws.call("ec2", "CreateSecurityGroup", group)["GroupId"]
    among_themselves = {"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group_id}]}
    aws.call("ec2", "AuthorizeSecurityGroupIngress", {"GroupId": group_id, "IpPermissions": [among_themselves]})


def _security_group(aws: Aws, name: str) -> dict[str, Any] | None:
    filters = [{"Name": "group-name", "Values": [_security_group_name(aws, name)]}]
    return aws.first("ec2", "DescribeSecurityGroups", {"Filters": filters}, "SecurityGroups")


def _read(aws: Aws, name: str, state: Properties) -> Properties | None:
    answer = aws.find("eks", "DescribeCluster", {"name": name}, NO_CLUSTER)
    if answer is None:
        return None
    cluster, group = answer["cluster"], _security_group(aws, name) or {}
    made = {"clusterSecurityGroupId": group.get("GroupId"), "vpcId": group.get("VpcId")}
    return {
        "arn": cluster["arn"],
        "certificateAuthority": {"data": cluster["certificateAuthority"]["data"]},
        "createdAt": cluster["createdAt"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "endpoint": cluster["endpoint"],
        "identities": [{"oidcs": [{"issuer": cluster["identity"]["oidc"]["issuer"]}]}],
        "name": name,
        "platformVersion": cluster["platformVersion"],
        "status": cluster["status"],
        "vpcConfig": {**(state.get("vpcConfig") or {}), **made},
        "tagsAll": cluster.get("tags", {}),
    }


def _update(aws: Aws, name: str, old: Properties, new: Properties) -> None:
    # EKS takes one kind of change a call.
    cluster = {"name": name}
    if new.get("version") != old.get("version"):
        aws.call(
            "eks", "UpdateClusterVersion", {**cluster, **pick(new, "version"), "force": new.get("forceUpdateVersion")}
        )
    if _network(new) != _network(old):
        _require_same_vpc(aws, old, new)
        aws.call("eks", "UpdateClusterConfig", {**cluster, **_network(new)}, _RENAMES)
    if _logging(new) != _logging(old):
        aws.call("eks", "UpdateClusterConfig", {**cluster, **_logging(new)})
    if new.get("accessConfig") != old.get("accessConfig"):
        mode = pick(new.get("accessConfig") or {}, "authenticationMode")
        aws.call("eks", "UpdateClusterConfig", {**cluster, "accessConfig": mode})
    for setting in _UPDATED_ONE_BY_ONE:
        if setting in new and new[setting] != old.get(setting):
            aws.call("eks", "UpdateClusterConfig", {**cluster, setting: new[setting]})
    if "encryptionConfig" in new and new["encryptionConfig"] != old.get("encryptionConfig"):
        request = {"clusterName": name, "encryptionConfig": [new["encryptionConfig"]]}
        aws.call("eks", "AssociateEncryptionConfig", request)
    retag(aws, _arn(aws, name), old, new)


def _require_same_vpc(aws: Aws, old: Properties, new: Properties) -> None:
    """Refuse as EKS does, and moto does not: a cluster gets other subnets of its VPC in place, and no other VPC.

    The provider foresees no replacement for that, so nothing but the update itself tells.
    https://docs.aws.amazon.com/eks/latest/APIReference/API_UpdateClusterConfig.html
    """
    vpc = old["vpcConfig"].get("vpcId")
    subnets = aws.call("ec2", "DescribeSubnets", {"SubnetIds": new["vpcConfig"]["subnetIds"]})["Subnets"]
    if vpc and any(subnet["VpcId"] != vpc for subnet in subnets):
        problem = f"Specified subnets must belong to cluster's vpc {vpc}"
        raise AwsError("eks", "UpdateClusterConfig", "InvalidParameterException", problem)


def _arn(aws: Aws, name: str) -> str:
    return aws.arn("eks", f"cluster/{name}")


def retag(aws: Aws, arn: str, old: Properties, new: Properties) -> None:
    """Bring the tags of an EKS object from the old state to the new inputs."""
    off, on = changes(aws, old, new)
    if off:
        aws.call("eks", "UntagResource", {"resourceArn": arn, "tagKeys": off})
    if on:
        aws.call("eks", "TagResource", {"resourceArn": arn, "tags": on})


def _delete(aws: Aws, name: str, state: Properties) -> None:
    if state.get("deletionProtection"):
        _let_go(aws, name)
    aws.drop("eks", "DeleteCluster", {"name": name}, NO_CLUSTER)
    group = _security_group(aws, name)
    if group:
        aws.drop("ec2", "DeleteSecurityGroup", {"GroupId": group["GroupId"]}, "InvalidGroup.NotFound")


def _let_go(aws: Aws, name: str) -> None:
    """Refuse to delete a protected cluster as EKS does, which moto forgets to; lift the protection where asked to."""
    if not aws.clears_the_way:
        problem = f"Cluster {name} has deletion protection; switch deletionProtection off before it is deleted"
        raise AwsError("eks", "DeleteCluster", "InvalidRequestException", problem)
    unprotected = {"name": name, "deletionProtection": False}
    aws.find("eks", "UpdateClusterConfig", unprotected, NO_CLUSTER)


TYPES = (
    AwsType(
        name="aws:eks/cluster:Cluster",
        inputs={
            "accessConfig": PLAIN,
            "bootstrapSelfManagedAddons": Input(replaces=True, default=True),
            "computeConfig": PLAIN,
            "controlPlaneScalingConfig": PLAIN,
            "deletionProtection": PLAIN,
            "enabledClusterLogTypes": SET,
            "encryptionConfig": PLAIN,
            "forceUpdateVersion": PLAIN,
            "kubernetesNetworkConfig": FIXED,
            "name": FIXED,
            "roleArn": FIXED,
            "storageConfig": PLAIN,
            "tags": PLAIN,
            "upgradePolicy": PLAIN,
            "version": PLAIN,
            "vpcConfig": PLAIN,
            "zonalShiftConfig": PLAIN,
        },
        outputs=("arn", "certificateAuthority", "createdAt", "endpoint", "identities", "platformVersion", "status"),
        moving=("platformVersion",),
        nested_outputs=("vpcConfig.clusterSecurityGroupId", "vpcConfig.vpcId"),
        autoname=AutoName(limit=100, prefix=None),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
