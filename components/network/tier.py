"""One kind of subnet across the zones of a network, with its route tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws


@dataclass(frozen=True)
class Tier:
    """The subnets and route tables of one kind, by zone."""

    subnets: Mapping[str, aws.ec2.Subnet]
    tables: Mapping[str, aws.ec2.RouteTable]
    """By zone; where the tier shares one table, every zone names the same."""
    associations: tuple[aws.ec2.RouteTableAssociation, ...]

    @property
    def subnet_ids(self) -> pulumi.Output[dict[str, str]]:
        """The ids of the subnets, by zone."""
        return _by_zone({zone: subnet.id for zone, subnet in self.subnets.items()})

    @property
    def table_ids(self) -> pulumi.Output[dict[str, str]]:
        """The ids of the route tables, by zone."""
        return _by_zone({zone: table.id for zone, table in self.tables.items()})


NONE = Tier({}, {}, ())
"""A tier that a network does not have."""


def build(
    name: str,
    vpc_id: pulumi.Input[str],
    blocks: Mapping[str, str],
    child: pulumi.ResourceOptions,
    *,
    table_per_zone: bool = False,
    tables: Mapping[str, aws.ec2.RouteTable] | None = None,
    tags: Mapping[str, str] | None = None,
) -> Tier:
    """A subnet `{name}-{zone}` for each zone of `blocks`; no instance in them is ever given a public address.

    `tables` are another tier's, by zone, which then serve this one too; without them it gets one for each zone or one
    for all.
    """
    by_zone = tables if tables is not None else _tables(name, vpc_id, blocks, child, table_per_zone)
    subnets = {
        zone: aws.ec2.Subnet(
            f"{name}-{zone}",
            vpc_id=vpc_id,
            availability_zone=zone,
            cidr_block=cidr,
            map_public_ip_on_launch=False,
            tags={"Name": f"{name}-{zone}", **(tags or {})},
            opts=child,
        )
        for zone, cidr in blocks.items()
    }
    associations = tuple(
        aws.ec2.RouteTableAssociation(
            f"{name}-{zone}", subnet_id=subnet.id, route_table_id=by_zone[zone].id, opts=child
        )
        for zone, subnet in subnets.items()
    )
    return Tier(subnets, {zone: by_zone[zone] for zone in blocks}, associations)


def _tables(
    name: str, vpc_id: pulumi.Input[str], zones: Iterable[str], child: pulumi.ResourceOptions, table_per_zone: bool
) -> Mapping[str, aws.ec2.RouteTable]:
    names = {zone: f"{name}-{zone}" if table_per_zone else name for zone in zones}
    tables = {
        table: aws.ec2.RouteTable(table, vpc_id=vpc_id, tags={"Name": table}, opts=child)
        for table in sorted(set(names.values()))
    }
    return {zone: tables[table] for zone, table in names.items()}


def _by_zone(ids: Mapping[str, pulumi.Output[str]]) -> pulumi.Output[dict[str, str]]:
    # Of nothing, Output.all makes a list.
    return pulumi.Output.all(**ids) if ids else pulumi.Output.from_input({})
