"""Where things are: regions, networks, zones, subnets and what lies in them, read from a plan's resources."""

from collections import Counter
from collections.abc import Iterator

from gpufleet.report import placed
from gpufleet.report.estate import Entry, Estate, as_list, kind, mapping, text
from gpufleet.report.places import ACCESS, Chip, Network, Region, Subnet, Topology, Zone


def of(estate: Estate) -> Topology:
    """Read the topology of a plan."""
    routes = _Routes(estate)
    regions: dict[str, list[Network]] = {}
    for vpc in estate.of("aws:ec2/vpc:Vpc"):
        regions.setdefault(estate.region(vpc), []).append(_network(estate, vpc, routes))
    beside: dict[str, list[Chip]] = {}
    for region, chip in placed.beside(estate):
        beside.setdefault(region, []).append(chip)
    names = sorted(regions.keys() | beside.keys())
    return Topology(
        regions=tuple(
            Region(name=name, networks=tuple(regions.get(name, ())), beside=tuple(beside.get(name, ())))
            for name in names
        ),
        not_drawn=_not_drawn(estate),
    )


def _network(estate: Estate, vpc: Entry, routes: "_Routes") -> Network:
    zones: dict[str, list[Subnet]] = {}
    for subnet in estate.of("aws:ec2/subnet:Subnet"):
        if subnet["inputs"].get("vpcId") != vpc["id"]:
            continue
        zone = text(subnet["inputs"].get("availabilityZone") or subnet["inputs"].get("availabilityZoneId"))
        access, way_out = routes.of(subnet)
        zones.setdefault(zone or "zone left to AWS", []).append(
            Subnet(
                name=subnet["name"],
                cidr=text(subnet["inputs"].get("cidrBlock")),
                access=access,
                way_out=way_out,
                chips=tuple(placed.inside(estate, subnet)),
            )
        )
    return Network(
        name=vpc["name"],
        cidr=text(vpc["inputs"].get("cidrBlock")),
        internet=routes.has_internet(vpc),
        zones=tuple(
            Zone(name=name, subnets=tuple(sorted(found, key=lambda s: (ACCESS.index(s.access), s.name))))
            for name, found in sorted(zones.items())
        ),
        chips=tuple(placed.across(estate, vpc)),
    )


_POD_TAG = "kubernetes.io/role/cni"
"""By which the VPC CNI finds subnets for pods alone. https://github.com/aws/amazon-vpc-cni-k8s (subnet discovery)"""


class _Routes:
    """Which way a subnet's traffic leaves: by the routes of its route table, or of the network's main one."""

    def __init__(self, estate: Estate) -> None:
        self._estate = estate
        self._table_of = {
            a["inputs"].get("subnetId"): a["inputs"].get("routeTableId")
            for a in estate.of("aws:ec2/routeTableAssociation:RouteTableAssociation")
        }
        self._targets: dict[object, list[str]] = {}
        for table, target in self._default_routes():
            self._targets.setdefault(table, []).append(target)

    def _default_routes(self) -> Iterator[tuple[object, str]]:
        for route in self._estate.of("aws:ec2/route:Route"):
            inputs = route["inputs"]
            yield from ((inputs.get("routeTableId"), target) for target in _target(inputs))
        for type_ in ("aws:ec2/routeTable:RouteTable", "aws:ec2/defaultRouteTable:DefaultRouteTable"):
            for table in self._estate.of(type_):
                for inline in map(mapping, as_list(table["inputs"].get("routes"))):
                    yield from ((table["id"], target) for target in _target(inline))

    def of(self, subnet: Entry) -> tuple[str, str]:
        """Access and, in words, the way out."""
        vpc = self._estate.find(subnet["inputs"].get("vpcId"))
        main = vpc["outputs"].get("mainRouteTableId") if vpc else None
        targets = self._targets.get(self._table_of.get(subnet["id"], main), [])
        named = [(target, self._estate.find(target)) for target in targets]
        types = {entry["type"] if entry else target for target, entry in named}
        if any("InternetGateway" in type_ or type_.startswith("igw-") for type_ in types):
            return "public", "internet gateway"
        is_pods = _POD_TAG in mapping(subnet["inputs"].get("tags"))
        if targets:
            return ("pods" if is_pods else "private"), f"out by {', '.join(self._short(target) for target in targets)}"
        return ("pods" if is_pods else "isolated"), "no way out"

    def _short(self, target: str) -> str:
        found = self._estate.find(target)
        if found is None:
            return target
        where = self._estate.find(found["inputs"].get("subnetId"))
        zone = text(where["inputs"].get("availabilityZone")) if where else ""
        return f"NAT {zone}".strip() if kind(found["type"]) == "NatGateway" else kind(found["type"])

    def has_internet(self, vpc: Entry) -> bool:
        gateways = self._estate.of("aws:ec2/internetGateway:InternetGateway")
        attached = self._estate.of("aws:ec2/internetGatewayAttachment:InternetGatewayAttachment")
        return any(entry["inputs"].get("vpcId") == vpc["id"] for entry in (*gateways, *attached))


_TARGETS = (
    "gatewayId",
    "natGatewayId",
    "transitGatewayId",
    "networkInterfaceId",
    "egressOnlyGatewayId",
    "vpcPeeringConnectionId",
    "coreNetworkArn",
)


def _target(route: Entry) -> Iterator[str]:
    """Where a route sends everything; nothing where it is a route to somewhere in particular."""
    to_all = route.get("destinationCidrBlock") or route.get("cidrBlock") or route.get("destinationIpv6CidrBlock")
    if to_all in ("0.0.0.0/0", "::/0"):
        yield from (str(route[key]) for key in _TARGETS if route.get(key))


def _not_drawn(estate: Estate) -> tuple[tuple[str, int], ...]:
    """Cloud resources of types that the drawing does not know, most first."""
    counts = Counter(
        kind(entry["type"])
        for entry in estate.resources
        if entry.get("id") and not entry["type"].startswith("pulumi:") and entry["type"] not in placed.DRAWN
    )
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
