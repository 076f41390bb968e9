"""Price rules for the services around the nodes: control plane, network, keys, secrets, shared file system."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from gpufleet.facts import kubernetes, prices
from gpufleet.pricing import wire
from gpufleet.pricing.charge import Charge, Gap, fixed
from gpufleet.pricing.index import Context, Resource

_ONE: Final = Decimal(1)
_TRAFFIC: Final = "data processed is billed on top, by the GB"


def cluster(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """EKS control plane; dearer once its version is past standard support, unless AWS upgrades it then."""
    inputs = resource.get("inputs")
    version = wire.text(inputs, "version")
    release = kubernetes.find(version)
    # Absent means EXTENDED: what EKS does with a cluster that does not say.
    support = wire.text(inputs, "upgradePolicy.supportType", "EXTENDED")
    key, note = "eks-cluster", ""
    if release is not None and release.support(context.today) != "standard":
        if support == "STANDARD":
            note = f"{version} left standard support on {release.standard_until}: EKS upgrades the cluster by itself"
        else:
            key, note = "eks-cluster-extended", f"{version} left standard support on {release.standard_until}"
    elif release is None and version:
        note = f"Kubernetes {version} is not in the version calendar; standard support assumed"
    yield from _fixed("EKS control plane", _ONE, key, context, note)
    if wire.is_true(inputs, "computeConfig.enabled"):
        yield Gap("EKS Auto Mode: the nodes it starts, and its fee on them, are not in the plan")
    tier = wire.text(inputs, "controlPlaneScalingConfig.tier", "standard")
    if tier != "standard":
        yield Gap(f"control plane tier {tier!r} is billed above the standard one")


def nat_gateway(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """NAT gateway: one zonal, or a regional one in each of its zones."""
    inputs = resource.get("inputs")
    zones = _ONE
    if wire.text(inputs, "availabilityMode", "zonal") == "regional":
        zones = Decimal(len(wire.items(inputs, "availabilityZoneAddresses")))
        if not zones:
            yield Gap(
                "a regional NAT gateway without addresses spreads to zones by itself: how many is not in the plan"
            )
            return
    yield from _fixed("NAT gateway", zones, "nat-gateway", context, _TRAFFIC)


def endpoint(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """VPC endpoint: gateway endpoints are free, interface endpoints cost an hour in each subnet."""
    inputs = resource.get("inputs")
    kind = wire.text(inputs, "vpcEndpointType", "Gateway")
    if kind == "Gateway":
        return
    if kind not in ("Interface", "GatewayLoadBalancer"):
        yield Gap(f"no price rule for a VPC endpoint of type {kind!r}")
        return
    subnets = len(wire.items(inputs, "subnetIds")) or len(wire.items(inputs, "subnetConfigurations"))
    if not subnets:
        yield Gap("the endpoint names no subnet: where it is present is not in the plan")
        return
    service = wire.text(inputs, "serviceName").rpartition("com.amazonaws.")[2]
    yield from _fixed(f"{kind} endpoint {service}".rstrip(), Decimal(subnets), "interface-endpoint", context, _TRAFFIC)


def endpoint_subnet(_: Resource, context: Context) -> Iterator[Charge | Gap]:
    """One more subnet of an interface endpoint."""
    yield from _fixed("Interface endpoint, one more subnet", _ONE, "interface-endpoint", context, _TRAFFIC)


def elastic_ip(_: Resource, context: Context) -> Iterator[Charge | Gap]:
    """Public IPv4 address: billed attached or not."""
    yield from _fixed("public IPv4 address", _ONE, "public-ipv4", context)


def key(_: Resource, context: Context) -> Iterator[Charge | Gap]:
    """KMS key that the account owns."""
    note = "its first two rotations add the same again each; requests are billed on top"
    yield from _fixed("KMS key", _ONE, "kms-key", context, note)


def secret(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """Secret, and one more for each region it is copied to."""
    copies = len(wire.items(resource.get("inputs"), "replicas"))
    yield from _fixed("secret", _ONE + copies, "secretsmanager-secret", context, "requests are billed on top")


def parameter(resource: Resource, _: Context) -> Iterator[Charge | Gap]:
    """Parameter of the Parameter Store: standard ones are free."""
    tier = wire.text(resource.get("inputs"), "tier", "Standard")
    if tier != "Standard":
        yield Gap(f"a parameter of the tier {tier!r} is billed by the month and by use; no price rule")


def kubernetes_service(resource: Resource, _: Context) -> Iterator[Charge | Gap]:
    """Service of a cluster: free, but for the load balancer that one of that type has made."""
    if wire.text(resource.get("inputs"), "spec.type", "ClusterIP") == "LoadBalancer":
        yield Gap("a Service of type LoadBalancer creates a load balancer; not in the plan")


def registry_scanning(resource: Resource, _: Context) -> Iterator[Charge | Gap]:
    """Scanning of images: what ECR does by itself is free, Amazon Inspector charges for each image."""
    kind = wire.text(resource.get("inputs"), "scanType", "BASIC")
    if kind != "BASIC":
        yield Gap(f"scanning of kind {kind!r} is Amazon Inspector's, by use: images scanned first and again")


def lustre(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """FSx for Lustre, persistent SSD of the second generation: capacity at the price of its throughput."""
    inputs = resource.get("inputs")
    generation = wire.text(inputs, "deploymentType", "SCRATCH_1")
    storage = wire.text(inputs, "storageType", "SSD")
    if generation != "PERSISTENT_2" or storage != "SSD":
        yield Gap(f"no price rule for FSx for Lustre {generation} {storage}, only for PERSISTENT_2 SSD")
        return
    capacity = wire.number(inputs, "storageCapacity")
    throughput = wire.number(inputs, "perUnitStorageThroughput")
    what = f"FSx for Lustre, {throughput} MB/s per TiB"
    yield from _fixed(what, capacity, f"fsx-lustre-persistent2-{throughput}", context, "backups are billed on top")
    if wire.text(inputs, "metadataConfiguration.mode", "AUTOMATIC") != "AUTOMATIC":
        yield Gap("metadata IOPS above those that come with the capacity are billed on top")


def _fixed(what: str, quantity: Decimal, price_key: str, context: Context, note: str = "") -> Iterator[Charge | Gap]:
    price = prices.service(price_key, context.region)
    if price is None:
        yield Gap(f"no price is known for {what}")
    else:
        yield fixed(what, quantity, price, note)
