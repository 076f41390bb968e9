"""The ways out of a VPC: internet gateways, Elastic IP addresses, NAT gateways."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

_NO_ADDRESS = "InvalidAllocationID.NotFound"
_NO_GATEWAY = "InvalidInternetGatewayID.NotFound"


def _create_gateway(aws: Aws, inputs: Properties) -> str:
    tags = {"TagSpecifications": aws.tag_specifications("internet-gateway", inputs)}
    gateway_id = str(aws.call("ec2", "CreateInternetGateway", tags)["InternetGateway"]["InternetGatewayId"])
    _attach(aws, "AttachInternetGateway", gateway_id, inputs)
    return gateway_id


def _attach(aws: Aws, operation: str, gateway_id: str, properties: Properties) -> None:
    if properties.get("vpcId"):
        aws.drop(
            "ec2",
            operation,
            {"InternetGatewayId": gateway_id, "VpcId": properties["vpcId"]},
            "Gateway.NotAttached",
            _NO_GATEWAY,
        )


def _read_gateway(aws: Aws, gateway_id: str, state: Properties) -> Properties | None:
    gateway = aws.first(
        "ec2", "DescribeInternetGateways", {"InternetGatewayIds": [gateway_id]}, "InternetGateways", _NO_GATEWAY
    )
    if gateway is None:
        return None
    return {
        "arn": aws.arn("ec2", f"internet-gateway/{gateway_id}"),
        "ownerId": gateway.get("OwnerId", aws.account_id),
        "tagsAll": mapped(gateway.get("Tags", [])),
    }


def _update_gateway(aws: Aws, gateway_id: str, old: Properties, new: Properties) -> None:
    if old.get("vpcId") != new.get("vpcId"):
        _attach(aws, "DetachInternetGateway", gateway_id, old)
        _attach(aws, "AttachInternetGateway", gateway_id, new)
    retag_ec2(aws, gateway_id, old, new)


def _delete_gateway(aws: Aws, gateway_id: str, state: Properties) -> None:
    _attach(aws, "DetachInternetGateway", gateway_id, state)
    aws.drop("ec2", "DeleteInternetGateway", {"InternetGatewayId": gateway_id}, _NO_GATEWAY)


def _create_address(aws: Aws, inputs: Properties) -> str:
    wanted = {**pick(inputs, "domain", "networkBorderGroup", "publicIpv4Pool")}
    tags = {"TagSpecifications": aws.tag_specifications("elastic-ip", inputs)}
    return str(aws.call("ec2", "AllocateAddress", {**wanted, **tags})["AllocationId"])


def _read_address(aws: Aws, allocation_id: str, state: Properties) -> Properties | None:
    address = aws.first("ec2", "DescribeAddresses", {"AllocationIds": [allocation_id]}, "Addresses", _NO_ADDRESS)
    if address is None:
        return None
    where = "compute-1" if aws.region == "us-east-1" else f"{aws.region}.compute"
    return {
        "allocationId": allocation_id,
        "arn": aws.arn("ec2", f"elastic-ip/{allocation_id}"),
        "domain": address.get("Domain", "vpc"),
        "publicDns": f"ec2-{address['PublicIp'].replace('.', '-')}.{where}.{aws.dns_suffix}",
        "publicIp": address["PublicIp"],
        "tagsAll": mapped(address.get("Tags", [])),
    }


def _delete_address(aws: Aws, allocation_id: str, state: Properties) -> None:
    aws.drop("ec2", "ReleaseAddress", {"AllocationId": allocation_id}, _NO_ADDRESS)


def _create_nat(aws: Aws, inputs: Properties) -> str:
    wanted = pick(inputs, "subnetId", "allocationId", "connectivityType")
    tags = {"TagSpecifications": aws.tag_specifications("natgateway", inputs)}
    return str(aws.call("ec2", "CreateNatGateway", {**wanted, **tags})["NatGateway"]["NatGatewayId"])


def _find_nat(aws: Aws, nat_id: str) -> dict[str, Any] | None:
    """Return the gateway; AWS still describes a deleted one for an hour."""
    nat = aws.first("ec2", "DescribeNatGateways", {"NatGatewayIds": [nat_id]}, "NatGateways", "NatGatewayNotFound")
    return nat if nat and nat["State"] not in ("deleted", "deleting") else None


def _read_nat(aws: Aws, nat_id: str, state: Properties) -> Properties | None:
    nat = _find_nat(aws, nat_id)
    if nat is None:
        return None
    addresses: list[dict[str, Any]] = nat.get("NatGatewayAddresses") or [{}]
    address = addresses[0]
    return {
        "associationId": address.get("AssociationId", ""),
        "networkInterfaceId": address.get("NetworkInterfaceId", ""),
        "privateIp": address.get("PrivateIp", ""),
        "publicIp": address.get("PublicIp", ""),
        "tagsAll": mapped(nat.get("Tags", [])),
    }


def _delete_nat(aws: Aws, nat_id: str, state: Properties) -> None:
    if _find_nat(aws, nat_id):
        aws.drop("ec2", "DeleteNatGateway", {"NatGatewayId": nat_id}, "NatGatewayNotFound")


TYPES = (
    AwsType(
        name="aws:ec2/internetGateway:InternetGateway",
        inputs={"tags": PLAIN, "vpcId": PLAIN},
        outputs=("arn", "ownerId"),
        create=_create_gateway,
        read=_read_gateway,
        update=_update_gateway,
        delete=_delete_gateway,
    ),
    AwsType(
        name="aws:ec2/eip:Eip",
        inputs={"domain": FIXED, "networkBorderGroup": FIXED, "publicIpv4Pool": FIXED, "tags": PLAIN},
        outputs=("allocationId", "arn", "domain", "publicDns", "publicIp"),
        create=_create_address,
        read=_read_address,
        update=retag_ec2,
        delete=_delete_address,
    ),
    AwsType(
        name="aws:ec2/natGateway:NatGateway",
        inputs={
            "allocationId": FIXED,
            "connectivityType": Input(replaces=True, default="public"),
            "subnetId": FIXED,
            "tags": PLAIN,
        },
        outputs=("associationId", "networkInterfaceId", "privateIp", "publicIp"),
        create=_create_nat,
        read=_read_nat,
        update=retag_ec2,
        delete=_delete_nat,
    ),
)
