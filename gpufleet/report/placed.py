"""What lies in a subnet, across a network or beside it: which types the drawing knows, and what it says of each."""

from collections.abc import Iterator, Mapping

from gpufleet.facts import instances
from gpufleet.report import elastic
from gpufleet.report.estate import Entry, Estate, as_list, mapping, number, text, texts
from gpufleet.report.places import Chip

DRAWN = frozenset(
    {
        "aws:autoscaling/group:Group",
        "aws:ec2/eip:Eip",
        "aws:ec2/instance:Instance",
        "aws:ec2/internetGateway:InternetGateway",
        "aws:ec2/launchTemplate:LaunchTemplate",
        "aws:ec2/natGateway:NatGateway",
        "aws:ec2/route:Route",
        "aws:ec2/routeTable:RouteTable",
        "aws:ec2/routeTableAssociation:RouteTableAssociation",
        "aws:ec2/subnet:Subnet",
        "aws:ec2/vpc:Vpc",
        "aws:ec2/vpcEndpoint:VpcEndpoint",
        "aws:ecr/repository:Repository",
        "aws:eks/cluster:Cluster",
        "aws:eks/nodeGroup:NodeGroup",
        "aws:fsx/lustreFileSystem:LustreFileSystem",
        "aws:s3/bucket:Bucket",
        "aws:s3/bucketV2:BucketV2",
        "aws:s3/directoryBucket:DirectoryBucket",
        elastic.TYPE,
        elastic.NODE_CLASS,
    }
)
"""Types that are in the drawing, as a box, a line or a part of one; the others are counted below it."""


def inside(estate: Estate, subnet: Entry) -> Iterator[Chip]:
    """What lies in a subnet."""
    here = subnet["id"]
    for gateway in estate.of("aws:ec2/natGateway:NatGateway"):
        if gateway["inputs"].get("subnetId") == here:
            yield Chip(look="edge", title="NAT gateway", detail=_address(estate, gateway))
    for group in estate.of("aws:eks/nodeGroup:NodeGroup"):
        if here in texts(group["inputs"].get("subnetIds")):
            yield _node_group(estate, group)
    yield from elastic.inside(estate, subnet)
    for group in estate.of("aws:autoscaling/group:Group"):
        if here in texts(group["inputs"].get("vpcZoneIdentifiers")):
            yield _scaling_group(estate, group)
    for instance in estate.of("aws:ec2/instance:Instance"):
        if instance["inputs"].get("subnetId") == here:
            types = texts(instance["inputs"].get("instanceType"))
            yield Chip(look=_look(types), title=instance["name"], detail=" ".join(types))
    for lustre in estate.of("aws:fsx/lustreFileSystem:LustreFileSystem"):
        if here in texts(lustre["inputs"].get("subnetIds")):
            yield Chip(look="data", title=lustre["name"], detail=_lustre(lustre["inputs"]))
    endpoints = [
        endpoint
        for endpoint in estate.of("aws:ec2/vpcEndpoint:VpcEndpoint")
        if here in texts(endpoint["inputs"].get("subnetIds"))
    ]
    if endpoints:
        names = ", ".join(sorted(_service(endpoint) for endpoint in endpoints))
        count = len(endpoints)
        yield Chip(look="edge", title=f"{count} interface endpoint{'s' * (count > 1)}", detail=names)
    for cluster in estate.of("aws:eks/cluster:Cluster"):
        if here in texts(mapping(cluster["inputs"].get("vpcConfig")).get("subnetIds")):
            yield Chip(look="cluster", title="control plane interfaces", detail=_cluster_name(cluster))


def across(estate: Estate, vpc: Entry) -> Iterator[Chip]:
    """What a network has in all its zones: control planes and gateway endpoints."""
    subnets = {entry["id"] for entry in estate.of("aws:ec2/subnet:Subnet") if entry["inputs"].get("vpcId") == vpc["id"]}
    for cluster in estate.of("aws:eks/cluster:Cluster"):
        config = mapping(cluster["inputs"].get("vpcConfig"))
        if subnets & {*texts(config.get("subnetIds"))}:
            version = text(cluster["inputs"].get("version"))
            detail = f"Kubernetes {version}, {api_reach(config)}" if version else api_reach(config)
            yield Chip(look="cluster", title=f"EKS {_cluster_name(cluster)}", detail=detail)
    yield from elastic.across(estate, vpc)
    for endpoint in estate.of("aws:ec2/vpcEndpoint:VpcEndpoint"):
        if endpoint["inputs"].get("vpcId") == vpc["id"] and not endpoint["inputs"].get("subnetIds"):
            reach = "without a policy" if not endpoint["inputs"].get("policy") else "with a policy of its own"
            title = f"{_service(endpoint)} gateway endpoint"
            yield Chip(look="edge", title=title, detail=f"{reach}, no traffic charge")


def beside(estate: Estate) -> Iterator[tuple[str, Chip]]:
    """Region and chip of what belongs to a region and to no network."""
    copies = {
        config["inputs"].get("bucket"): [
            estate.name(mapping(mapping(rule).get("destination")).get("bucket"))
            for rule in as_list(config["inputs"].get("rules"))
        ]
        for config in estate.of("aws:s3/bucketReplicationConfig:BucketReplicationConfig")
    }
    kept = {
        config["inputs"].get("bucket"): _kept_days(config["inputs"])
        for config in estate.of("aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration")
    }
    for type_ in ("aws:s3/bucket:Bucket", "aws:s3/bucketV2:BucketV2", "aws:s3/directoryBucket:DirectoryBucket"):
        for bucket in estate.of(type_):
            said = [f"→ {target}" for target in copies.get(bucket["id"], [])] or ["S3 bucket"]
            if days := kept.get(bucket["id"]):
                said.append(f"kept {days} days")
            yield (
                estate.region(bucket),
                Chip(look="data", title=bucket["name"], detail=", ".join(said)),
            )
    for repository in estate.of("aws:ecr/repository:Repository"):
        title = text(repository["inputs"].get("name")) or repository["name"]
        yield estate.region(repository), Chip(look="data", title=title, detail="image repository")
    yield from elastic.beside(estate)


def api_reach(config: Mapping[str, object]) -> str:
    """In words, from where a cluster's API can be reached; `config` is its `vpcConfig`."""
    if config.get("endpointPublicAccess") is False:
        return "API private"
    allowed = texts(config.get("publicAccessCidrs")) or ["0.0.0.0/0"]
    if "0.0.0.0/0" in allowed:
        return "API open to the internet"
    return f"API from {', '.join(allowed)}"


def pool_types(estate: Estate, group: Entry) -> list[str]:
    """The instance types of a node group or an Auto Scaling group, its launch template's where it names none."""
    template = estate.launch_template(group)
    policy = mapping(group["inputs"].get("mixedInstancesPolicy"))
    overrides = map(mapping, as_list(mapping(policy.get("launchTemplate")).get("overrides")))
    mixed = [text(override.get("instanceType")) for override in overrides]
    return (
        texts(group["inputs"].get("instanceTypes"))
        or [name for name in mixed if name]
        or (texts(template["inputs"].get("instanceType")) if template else [])
    )


def purchase(group: Entry) -> str:
    """How a node group buys: `on-demand`, `spot` or `capacity-block`."""
    return text(group["inputs"].get("capacityType") or "ON_DEMAND").lower().replace("_", "-")


def reservation(template: Entry | None) -> str:
    """The capacity reservation, or the group of them, that a launch template names; empty where none."""
    specification = mapping(template["inputs"].get("capacityReservationSpecification") if template else None)
    target = mapping(specification.get("capacityReservationTarget"))
    return text(target.get("capacityReservationId") or target.get("capacityReservationResourceGroupArn"))


def _node_group(estate: Estate, group: Entry) -> Chip:
    types = pool_types(estate, group)
    scaling = mapping(group["inputs"].get("scalingConfig"))
    name = text(mapping(group["inputs"].get("labels")).get("gpufleet.io/pool")) or group["name"]
    reserved = purchase(group) == "on-demand" and reservation(estate.launch_template(group))
    bought = "reserved" if reserved else purchase(group)
    # What is cut off for want of room is the last of the types, never how they are bought.
    detail = f"{bought}, {_machines(scaling.get('minSize'), scaling.get('maxSize'), types)}"
    return Chip(look=_look(types), title=name, detail=detail)


def _scaling_group(estate: Estate, group: Entry) -> Chip:
    types = pool_types(estate, group)
    inputs = group["inputs"]
    detail = _machines(inputs.get("minSize"), inputs.get("maxSize"), types)
    return Chip(look=_look(types), title=group["name"], detail=detail)


def _machines(least: object, most: object, types: list[str]) -> str:
    """How many machines, in all the group's subnets together, and of what types."""
    return f"{number(least)}-{number(most)} × {' | '.join(types) or 'nodes'}"


def _look(types: list[str]) -> str:
    found = [instances.find(name) for name in types]
    return "gpu" if any(one is not None and one.accelerator for one in found) else "system"


def _address(estate: Estate, gateway: Entry) -> str:
    address = estate.find(gateway["inputs"].get("allocationId"))
    return "public address of its own" if address else text(gateway["inputs"].get("connectivityType"))


def _cluster_name(cluster: Entry) -> str:
    return text(cluster["inputs"].get("name")) or cluster["name"]


def _service(endpoint: Entry) -> str:
    name = text(endpoint["inputs"].get("serviceName"))
    return ".".join(name.split(".")[3:]) if name.startswith(("com.", "cn.com.")) else name or endpoint["name"]


def _kept_days(inputs: Mapping[str, object]) -> int:
    """After how many days current objects of every name expire; 0 where they do not."""
    for rule in map(mapping, as_list(inputs.get("rules"))):
        scope = mapping(rule.get("filter"))
        if rule.get("status") == "Enabled" and not scope.get("prefix") and not scope.get("tag"):
            days = number(mapping(rule.get("expiration")).get("days"))
            if days:
                return days
    return 0


def _lustre(inputs: Mapping[str, object]) -> str:
    speed = number(inputs.get("perUnitStorageThroughput"))
    return f"Lustre, {number(inputs.get('storageCapacity')):,} GiB" + (f", {speed} MB/s a TiB" if speed else "")
