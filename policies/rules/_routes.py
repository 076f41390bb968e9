"""Which subnets and route tables lead to the internet."""

from functools import cached_property
from typing import Any

from pulumi_policy import PolicyResource

from ._reading import UNKNOWN, elements, read
from ._stack import Links, Stack

VPC = "aws:ec2/vpc:Vpc"
SUBNETS = ("aws:ec2/subnet:Subnet", "aws:ec2/defaultSubnet:DefaultSubnet")
TABLES = ("aws:ec2/routeTable:RouteTable", "aws:ec2/defaultRouteTable:DefaultRouteTable")
_INLINE = ("cidrBlock", "ipv6CidrBlock")
_APART = ("destinationCidrBlock", "destinationIpv6CidrBlock")
_GATEWAYS = ("aws:ec2/internetGateway:InternetGateway",)


class Routes:
    """The route tables of a stack; inline routes and routes that are resources of their own count alike."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack

    def is_public(self, subnet: PolicyResource) -> bool:
        """Tell whether the subnet's route table certainly has a route to an internet gateway.

        A subnet without an association of its own uses the main table of its VPC.
        """
        if tables := self._explicit.get(subnet.urn):
            return any(bool(table.surely(self.leads_out)) for table in tables)
        vpcs = self._stack.links(subnet, "vpcId", read(subnet.props, "vpcId"), VPC).certain
        return any(self.leads_out(table) for vpc in vpcs for table in self._main.get(vpc.urn, ()))

    def is_closed(self, subnet: PolicyResource) -> bool:
        """Tell whether the subnet certainly has no way out: its own association leads to a table without one."""
        tables = self._explicit.get(subnet.urn, [])
        return bool(tables) and all(
            table.certain and not table.possible and not any(found.urn in self._open_tables for found in table.certain)
            for table in tables
        )

    def leads_out(self, table: PolicyResource) -> bool:
        """Tell whether the table certainly has a route to an internet gateway."""
        return table.urn in self._public_tables

    @cached_property
    def used_tables(self) -> dict[str, PolicyResource]:
        """Tables, by URN, that certainly serve at least one subnet of the stack through an association."""
        return {table.urn: table for links in self._explicit.values() for link in links for table in link.certain}

    @cached_property
    def _explicit(self) -> dict[str, list[Links]]:
        found: dict[str, list[Links]] = {}
        for association in self._stack.of("aws:ec2/routeTableAssociation:RouteTableAssociation"):
            tables = self._links(association, "routeTableId", *TABLES)
            for subnet in self._links(association, "subnetId", *SUBNETS).certain:
                found.setdefault(subnet.urn, []).append(tables)
        return found

    @cached_property
    def _main(self) -> dict[str, list[PolicyResource]]:
        found: dict[str, list[PolicyResource]] = {}
        for table in self._stack.of("aws:ec2/defaultRouteTable:DefaultRouteTable"):
            for vpc in table.property_dependencies.get("defaultRouteTableId", ()):
                found.setdefault(vpc.urn, []).append(table)
        for association in self._stack.of("aws:ec2/mainRouteTableAssociation:MainRouteTableAssociation"):
            for vpc in self._links(association, "vpcId", VPC).certain:
                found[vpc.urn] = list(self._links(association, "routeTableId", *TABLES).certain)
        return found

    @cached_property
    def _public_tables(self) -> set[str]:
        found = {
            table.urn
            for table in self._stack.of(*TABLES)
            if any(
                self._to_internet(table, "routes", read(route, "gatewayId"))
                for route in elements(read(table.props, "routes"))
            )
        }
        for route in self._stack.of("aws:ec2/route:Route"):
            if self._to_internet(route, "gatewayId", read(route.props, "gatewayId")):
                found.update(table.urn for table in self._links(route, "routeTableId", *TABLES).certain)
        return found

    @cached_property
    def _open_tables(self) -> set[str]:
        """Tables that have, or may have, a route to everywhere, whatever stands at its other end."""
        found = {
            table.urn
            for table in self._stack.of(*TABLES)
            if read(table.props, "routes") is UNKNOWN
            or any(route is UNKNOWN or _is_default(route, _INLINE) for route in elements(read(table.props, "routes")))
        }
        for route in self._stack.of("aws:ec2/route:Route"):
            if _is_default(route.props, _APART):
                found.update(table.urn for table in self._links(route, "routeTableId", *TABLES).all)
        return found

    def _to_internet(self, resource: PolicyResource, key: str, gateway: Any) -> bool:
        if isinstance(gateway, str) and gateway.startswith("igw-"):
            return True
        if gateway is None:
            return False
        made_of = resource.property_dependencies.get(key, ())
        if gateway is UNKNOWN and any(other.resource_type == "aws:ec2/vpnGateway:VpnGateway" for other in made_of):
            return False
        return bool(self._stack.links(resource, key, gateway, *_GATEWAYS).all)

    def _links(self, resource: PolicyResource, key: str, *types: str) -> Links:
        return self._stack.links(resource, key, read(resource.props, key), *types)


def _is_default(route: Any, keys: tuple[str, ...]) -> bool:
    return any(read(route, key) in ("0.0.0.0/0", "::/0", UNKNOWN) for key in keys)
