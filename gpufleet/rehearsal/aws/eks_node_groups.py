"""EKS managed node groups."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.eks_clusters import NO_CLUSTER, retag
from gpufleet.rehearsal.aws.table import FIXED, FIXED_SET, PLAIN, SET, AutoName, AwsType, Properties, pick

_RENAMES = {"nodeGroupName": "nodegroupName", "nodeRoleArn": "nodeRole", "subnetIds": "subnets"}
_CREATED = (
    "amiType",
    "capacityType",
    "clusterName",
    "diskSize",
    "instanceTypes",
    "labels",
    "launchTemplate",
    "nodeGroupName",
    "nodeRepairConfig",
    "nodeRoleArn",
    "releaseVersion",
    "remoteAccess",
    "scalingConfig",
    "subnetIds",
    "taints",
    "updateConfig",
    "version",
    "warmPoolConfig",
)
_CONFIGURED = ("scalingConfig", "updateConfig", "nodeRepairConfig", "warmPoolConfig")
_VERSIONED = ("launchTemplate", "releaseVersion", "version")


def _create(aws: Aws, inputs: Properties) -> str:
    aws.call("eks", "CreateNodegroup", {**pick(inputs, *_CREATED), "tags": aws.tags(inputs) or None}, _RENAMES)
    return f"{inputs['clusterName']}:{inputs['nodeGroupName']}"


def _named(group_id: str) -> dict[str, str]:
    cluster, _, name = group_id.partition(":")
    return {"clusterName": cluster, "nodegroupName": name}


def _read(aws: Aws, group_id: str, state: Properties) -> Properties | None:
    answer = aws.find("eks", "DescribeNodegroup", _named(group_id), NO_CLUSTER)
    if answer is None:
        return None
    group = answer["nodegroup"]
    scaling_groups = [{"name": entry["name"]} for entry in group["resources"]["autoScalingGroups"]]
    return {
        "arn": group["nodegroupArn"],
        "clusterName": group["clusterName"],
        "nodeGroupName": group["nodegroupName"],
        "resources": [{"autoscalingGroups": scaling_groups}],
        "scalingConfig": group["scalingConfig"],
        "status": group["status"],
        "tagsAll": group.get("tags", {}),
    }


def _update(aws: Aws, group_id: str, old: Properties, new: Properties) -> None:
    change: dict[str, Any] = {name: new[name] for name in _CONFIGURED if name in new and new[name] != old.get(name)}
    change |= _labels(old.get("labels") or {}, new.get("labels") or {})
    change |= _taints(old.get("taints") or [], new.get("taints") or [])
    if change:
        aws.call("eks", "UpdateNodegroupConfig", {**_named(group_id), **change})
    if pick(new, *_VERSIONED) != pick(old, *_VERSIONED):
        version = {**_named(group_id), **pick(new, *_VERSIONED), "force": new.get("forceUpdateVersion")}
        aws.call("eks", "UpdateNodegroupVersion", version)
    cluster, _, _ = group_id.partition(":")
    retag(aws, str(old.get("arn") or aws.arn("eks", f"nodegroup/{cluster}")), old, new)


def _labels(old: dict[str, str], new: dict[str, str]) -> dict[str, Any]:
    off, on = sorted(old.keys() - new.keys()), {key: value for key, value in new.items() if old.get(key) != value}
    return {"labels": {"addOrUpdateLabels": on, "removeLabels": off}} if off or on else {}


def _taints(old: list[Any], new: list[Any]) -> dict[str, Any]:
    off, on = [taint for taint in old if taint not in new], [taint for taint in new if taint not in old]
    return {"taints": {"addOrUpdateTaints": on, "removeTaints": off}} if off or on else {}


def _delete(aws: Aws, group_id: str, state: Properties) -> None:
    aws.drop("eks", "DeleteNodegroup", _named(group_id), NO_CLUSTER)


TYPES = (
    AwsType(
        name="aws:eks/nodeGroup:NodeGroup",
        inputs={
            "amiType": FIXED,
            "capacityType": FIXED,
            "clusterName": FIXED,
            "diskSize": FIXED,
            "forceUpdateVersion": PLAIN,
            "instanceTypes": FIXED,
            "labels": PLAIN,
            "launchTemplate": PLAIN,
            "nodeGroupName": FIXED,
            "nodeGroupNamePrefix": FIXED,
            "nodeRepairConfig": PLAIN,
            "nodeRoleArn": FIXED,
            "releaseVersion": PLAIN,
            "remoteAccess": FIXED,
            "scalingConfig": PLAIN,
            "subnetIds": FIXED_SET,
            "tags": PLAIN,
            "taints": SET,
            "updateConfig": PLAIN,
            "version": PLAIN,
            "warmPoolConfig": PLAIN,
        },
        outputs=("arn", "resources", "status"),
        autoname=AutoName(input="nodeGroupName", limit=63, prefix="nodeGroupNamePrefix"),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
