"""VPC endpoints: gateway endpoints on route tables, interface endpoints in subnets."""

from collections.abc import Iterable
from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import DOCUMENT, FIXED, PLAIN, SET, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

_ATTACHED = ("routeTableIds", "subnetIds", "securityGroupIds")
_RENAMES = {"policy": "PolicyDocument"}


def _create(aws: Aws, inputs: Properties) -> str:
    given = pick(inputs, "vpcId", "serviceName", "vpcEndpointType", "policy", "ipAddressType", "dnsOptions", *_ATTACHED)
    # EC2's own default is true for interface endpoints; the provider's, which is what is declared here, is false.
    private = {"PrivateDnsEnabled": inputs.get("privateDnsEnabled", False)}
    tags = {"TagSpecifications": aws.tag_specifications("vpc-endpoint", inputs)}
    return str(
        aws.call("ec2", "CreateVpcEndpoint", {**given, **private, **tags}, _RENAMES)["VpcEndpoint"]["VpcEndpointId"]
    )


def _find(aws: Aws, endpoint_id: str) -> dict[str, Any] | None:
    asked = {"VpcEndpointIds": [endpoint_id]}
    endpoint = aws.first("ec2", "DescribeVpcEndpoints", asked, "VpcEndpoints", "InvalidVpcEndpointId.NotFound")
    return endpoint if endpoint and endpoint["State"].lower() not in ("deleted", "deleting") else None


def _read(aws: Aws, endpoint_id: str, state: Properties) -> Properties | None:
    endpoint = _find(aws, endpoint_id)
    if endpoint is None:
        return None
    return {
        "arn": aws.arn("ec2", f"vpc-endpoint/{endpoint_id}"),
        "dnsEntries": [
            {"dnsName": e.get("DnsName"), "hostedZoneId": e.get("HostedZoneId")} for e in endpoint.get("DnsEntries", [])
        ],
        "networkInterfaceIds": endpoint.get("NetworkInterfaceIds", []),
        "ownerId": endpoint.get("OwnerId", aws.account_id),
        "policy": endpoint.get("PolicyDocument"),
        "prefixListId": _prefix_list(aws, endpoint["ServiceName"]),
        "state": endpoint["State"],
        "tagsAll": mapped(endpoint.get("Tags", [])),
    }


def _prefix_list(aws: Aws, service: str) -> str | None:
    lists = aws.call("ec2", "DescribePrefixLists", {})["PrefixLists"]
    return next((entry["PrefixListId"] for entry in lists if entry["PrefixListName"] == service), None)


def _update(aws: Aws, endpoint_id: str, old: Properties, new: Properties) -> None:
    change: dict[str, Any] = {"VpcEndpointId": endpoint_id}
    for name in _ATTACHED:
        before, after = set[str](old.get(name) or ()), set[str](new.get(name) or ())
        member = name[:1].upper() + name[1:]
        change |= {f"Add{member}": sorted(after - before) or None, f"Remove{member}": sorted(before - after) or None}
    for name in ("policy", "ipAddressType", "dnsOptions", "privateDnsEnabled"):
        if new.get(name) is not None and new[name] != old.get(name):
            change[name] = new[name]
    if any(value is not None for name, value in change.items() if name != "VpcEndpointId"):
        aws.call("ec2", "ModifyVpcEndpoint", change, _RENAMES)
        _drop_routes(aws, new["serviceName"], change.get("RemoveRouteTableIds") or ())
    retag_ec2(aws, endpoint_id, old, new)


def _drop_routes(aws: Aws, service: str, table_ids: Iterable[str]) -> None:
    """Take the service's routes from the tables, as AWS does; moto makes them with the endpoint and then forgets."""
    for table_id in table_ids:
        route = {"RouteTableId": table_id, "DestinationPrefixListId": _prefix_list(aws, service)}
        aws.drop("ec2", "DeleteRoute", route, "InvalidRoute.NotFound", "InvalidRouteTableID.NotFound")


def _delete(aws: Aws, endpoint_id: str, state: Properties) -> None:
    endpoint = _find(aws, endpoint_id)
    if endpoint is None:
        return
    # Off the tables first: moto insists on a route in each table, and makes none when a table is added later.
    tables: list[str] = endpoint.get("RouteTableIds") or []
    if tables:
        aws.call("ec2", "ModifyVpcEndpoint", {"VpcEndpointId": endpoint_id, "RemoveRouteTableIds": tables})
        _drop_routes(aws, endpoint["ServiceName"], tables)
    aws.call("ec2", "DeleteVpcEndpoints", {"VpcEndpointIds": [endpoint_id]})


TYPES = (
    AwsType(
        name="aws:ec2/vpcEndpoint:VpcEndpoint",
        inputs={
            "dnsOptions": PLAIN,
            "ipAddressType": PLAIN,
            "policy": DOCUMENT,
            "privateDnsEnabled": PLAIN,
            "routeTableIds": SET,
            "securityGroupIds": SET,
            "serviceName": FIXED,
            "subnetIds": SET,
            "tags": PLAIN,
            "vpcEndpointType": Input(replaces=True, default="Gateway"),
            "vpcId": FIXED,
        },
        outputs=("arn", "dnsEntries", "networkInterfaceIds", "ownerId", "policy", "prefixListId", "state"),
        moving=("dnsEntries", "networkInterfaceIds"),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
)
