"""Route tables, with routes inside them, their associations, and routes as resources of their own."""

from binascii import crc32
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.diff import normal
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AwsType, Properties, pick
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

_DESTINATIONS = ("destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId")
_TARGETS = (
    "carrierGatewayId",
    "egressOnlyGatewayId",
    "gatewayId",
    "localGatewayId",
    "natGatewayId",
    "networkInterfaceId",
    "transitGatewayId",
    "vpcEndpointId",
    "vpcPeeringConnectionId",
)
_RENAMES = {"egressOnlyGatewayId": "EgressOnlyInternetGatewayId"}


def _create_table(aws: Aws, inputs: Properties) -> str:
    tags = {"TagSpecifications": aws.tag_specifications("route-table", inputs)}
    table_id = str(
        aws.call("ec2", "CreateRouteTable", {"VpcId": inputs["vpcId"], **tags})["RouteTable"]["RouteTableId"]
    )
    for route in inputs.get("routes") or ():
        _make_route(aws, "CreateRoute", {**_standing_alone(route), "routeTableId": table_id})
    return table_id


def _standing_alone(route: Properties) -> dict[str, Any]:
    """Return a route inside a table in the spelling of a Route resource."""
    spelled = {"cidrBlock": _DESTINATIONS[0], "ipv6CidrBlock": _DESTINATIONS[1]}
    return {spelled.get(name, name): value for name, value in route.items() if value not in (None, "")}


def _find_table(aws: Aws, table_id: str) -> dict[str, Any] | None:
    asked = {"RouteTableIds": [table_id]}
    return aws.first("ec2", "DescribeRouteTables", asked, "RouteTables", "InvalidRouteTableID.NotFound")


def _read_table(aws: Aws, table_id: str, state: Properties) -> Properties | None:
    found = _find_table(aws, table_id)
    if found is None:
        return None
    return {
        "arn": aws.arn("ec2", f"route-table/{table_id}"),
        "ownerId": found.get("OwnerId", aws.account_id),
        "vpcId": found["VpcId"],
        "tagsAll": mapped(found.get("Tags", [])),
    }


def _update_table(aws: Aws, table_id: str, old: Properties, new: Properties) -> None:
    if normal(old.get("routes"), SET) != normal(new.get("routes"), SET):
        for route in old.get("routes") or ():
            _drop_route(aws, {**_standing_alone(route), "routeTableId": table_id})
        for route in new.get("routes") or ():
            _make_route(aws, "CreateRoute", {**_standing_alone(route), "routeTableId": table_id})
    retag_ec2(aws, table_id, old, new)


def _delete_table(aws: Aws, table_id: str, state: Properties) -> None:
    aws.drop("ec2", "DeleteRouteTable", {"RouteTableId": table_id}, "InvalidRouteTableID.NotFound")


def _create_association(aws: Aws, inputs: Properties) -> str:
    return str(
        aws.call("ec2", "AssociateRouteTable", pick(inputs, "routeTableId", "subnetId", "gatewayId"))["AssociationId"]
    )


def _association(aws: Aws, state: Properties) -> str | None:
    """Return the id of the target's association: replacing the table gives it another id, of which the engine is not
    told."""
    for found in aws.call("ec2", "DescribeRouteTables", {})["RouteTables"]:
        for association in found.get("Associations", []):
            if any(association.get(key) == state[name] for key, name in _ASSOCIATED.items() if state.get(name)):
                return str(association["RouteTableAssociationId"])
    return None


_ASSOCIATED = {"SubnetId": "subnetId", "GatewayId": "gatewayId"}


def _read_association(aws: Aws, association_id: str, state: Properties) -> Properties | None:
    return {} if _association(aws, state) else None


def _update_association(aws: Aws, association_id: str, old: Properties, new: Properties) -> None:
    change = {"AssociationId": _association(aws, new) or association_id, "RouteTableId": new["routeTableId"]}
    aws.call("ec2", "ReplaceRouteTableAssociation", change)


def _delete_association(aws: Aws, association_id: str, state: Properties) -> None:
    found = _association(aws, state)
    if found:
        aws.drop("ec2", "DisassociateRouteTable", {"AssociationId": found}, "InvalidAssociationID.NotFound")


def _make_route(aws: Aws, operation: str, route: Properties) -> None:
    aws.call("ec2", operation, pick(route, "routeTableId", *_DESTINATIONS, *_TARGETS), _RENAMES)


def _drop_route(aws: Aws, route: Properties) -> None:
    where = pick(route, "routeTableId", *_DESTINATIONS)
    aws.drop("ec2", "DeleteRoute", where, "InvalidRoute.NotFound", "InvalidRouteTableID.NotFound")


def _destination(route: Properties) -> str:
    return next(str(route[name]) for name in _DESTINATIONS if route.get(name))


def _create_route(aws: Aws, inputs: Properties) -> str:
    _make_route(aws, "CreateRoute", inputs)
    return f"r-{inputs['routeTableId']}{crc32(_destination(inputs).encode())}"


def _read_route(aws: Aws, route_id: str, state: Properties) -> Properties | None:
    found = _find_table(aws, state["routeTableId"])
    keys = ("DestinationCidrBlock", "DestinationIpv6CidrBlock", "DestinationPrefixListId")
    routes: list[dict[str, Any]] = found["Routes"] if found else []
    route = next((route for route in routes if any(route.get(key) == _destination(state) for key in keys)), None)
    return (
        None if route is None else {"origin": route.get("Origin", "CreateRoute"), "state": route.get("State", "active")}
    )


def _update_route(aws: Aws, route_id: str, old: Properties, new: Properties) -> None:
    _make_route(aws, "ReplaceRoute", new)


def _delete_route(aws: Aws, route_id: str, state: Properties) -> None:
    _drop_route(aws, state)


TYPES = (
    AwsType(
        name="aws:ec2/routeTable:RouteTable",
        inputs={"routes": SET, "tags": PLAIN, "vpcId": FIXED},
        outputs=("arn", "ownerId"),
        create=_create_table,
        read=_read_table,
        update=_update_table,
        delete=_delete_table,
    ),
    AwsType(
        name="aws:ec2/routeTableAssociation:RouteTableAssociation",
        inputs={"gatewayId": FIXED, "routeTableId": PLAIN, "subnetId": FIXED},
        create=_create_association,
        read=_read_association,
        update=_update_association,
        delete=_delete_association,
    ),
    AwsType(
        name="aws:ec2/route:Route",
        inputs={**dict.fromkeys(_DESTINATIONS, FIXED), **dict.fromkeys(_TARGETS, PLAIN), "routeTableId": FIXED},
        outputs=("origin", "state"),
        create=_create_route,
        read=_read_route,
        update=_update_route,
        delete=_delete_route,
    ),
)
