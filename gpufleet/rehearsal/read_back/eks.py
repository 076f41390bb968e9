"""Readers for clusters, node groups and their schedules."""

from collections.abc import Iterator

from gpufleet.rehearsal.read_back.asking import Declared, Fact, Reader, inner, items, ordered


def cluster(resource: Declared) -> Iterator[Fact]:
    """Version, reach of the API, encryption of secrets and logs.

    Authentication mode, support type and deletion protection are not kept by moto: the stand-in records them.
    """
    found = resource.client("eks").describe_cluster(name=resource.id)["cluster"]
    inputs, vpc = resource.inputs, resource.inputs["vpcConfig"]
    yield Fact("role", inputs["roleArn"], found["roleArn"])
    if "version" in inputs:
        yield Fact("version", inputs["version"], found["version"])
    for name, key, default in (
        ("private api", "endpointPrivateAccess", False),
        ("public api", "endpointPublicAccess", True),
    ):
        yield Fact(name, vpc.get(key, default), inner(found, "resourcesVpcConfig", key, default=default))
    if vpc.get("publicAccessCidrs"):
        cidrs = inner(found, "resourcesVpcConfig", "publicAccessCidrs")
        yield Fact("public api from", ordered(vpc["publicAccessCidrs"]), ordered(cidrs))
    yield Fact("subnets", ordered(vpc["subnetIds"]), ordered(inner(found, "resourcesVpcConfig", "subnetIds")))
    declared_key = inner(inputs, "encryptionConfig", "provider", "keyArn")
    yield Fact("secrets key", declared_key, inner(found, "encryptionConfig", "provider", "keyArn"))
    switched = inner(found, "logging", "clusterLogging", default=[])
    logged = [kind for entry in switched if entry.get("enabled") for kind in entry.get("types", [])]
    yield Fact("logs", ordered(inputs.get("enabledClusterLogTypes")), ordered(logged))


def node_group(resource: Declared) -> Iterator[Fact]:
    """Instance types, purchase, ceiling, labels, taints and the launch template."""
    cluster_name, _, name = resource.id.partition(":")
    answer = resource.client("eks").describe_nodegroup(clusterName=cluster_name, nodegroupName=name)
    found, inputs = answer["nodegroup"], resource.inputs
    yield Fact("role", inputs["nodeRoleArn"], found["nodeRole"])
    yield Fact("subnets", ordered(inputs["subnetIds"]), ordered(found["subnets"]))
    for name, key in (("instance types", "instanceTypes"), ("purchase", "capacityType"), ("image", "amiType")):
        if key in inputs:
            yield Fact(name, inputs[key], found.get(key))
    for key in ("minSize", "maxSize", "desiredSize"):
        yield Fact(f"scaling {key}", inner(inputs, "scalingConfig", key), inner(found, "scalingConfig", key))
    yield Fact("labels", dict(inputs.get("labels") or {}), dict(found.get("labels") or {}))
    yield Fact("taints", _taints(inputs.get("taints")), _taints(found.get("taints")))
    template = inner(inputs, "launchTemplate", "id")
    yield Fact("launch template", template, inner(found, "launchTemplate", "id"))


def schedule(resource: Declared) -> Iterator[Fact]:
    """When the group is given which size."""
    group, name = resource.inputs["autoscalingGroupName"], resource.inputs["scheduledActionName"]
    answer = resource.client("autoscaling").describe_scheduled_actions(
        AutoScalingGroupName=group, ScheduledActionNames=[name]
    )
    found, inputs = answer["ScheduledUpdateGroupActions"][0], resource.inputs
    yield Fact("desired size", inputs.get("desiredCapacity"), found.get("DesiredCapacity"))
    yield Fact("start", inputs.get("startTime"), f"{found['StartTime']:%Y-%m-%dT%H:%M:%SZ}")


def _taints(taints: object) -> list[tuple[str, ...]]:
    return sorted((str(t["key"]), str(t.get("value", "")), str(t["effect"])) for t in items(taints))


READERS: dict[str, Reader] = {
    "aws:autoscaling/schedule:Schedule": schedule,
    "aws:eks/cluster:Cluster": cluster,
    "aws:eks/nodeGroup:NodeGroup": node_group,
}
