"""VPCs and subnets."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.errors import AwsError
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, AwsType, Input, Properties, pick
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

_VPC_ATTRIBUTES = ("enableDnsSupport", "enableDnsHostnames", "enableNetworkAddressUsageMetrics")
_SUBNET_ATTRIBUTES = (
    "assignIpv6AddressOnCreation",
    "enableDns64",
    "enableResourceNameDnsARecordOnLaunch",
    "mapPublicIpOnLaunch",
    "privateDnsHostnameTypeOnLaunch",
)


def _create_vpc(aws: Aws, inputs: Properties) -> str:
    tags = {"TagSpecifications": aws.tag_specifications("vpc", inputs)}
    vpc = aws.call("ec2", "CreateVpc", {**pick(inputs, "cidrBlock", "instanceTenancy"), **tags})["Vpc"]
    _set_vpc_attributes(aws, vpc["VpcId"], {"enableDnsSupport": True}, inputs)
    return str(vpc["VpcId"])


def _set_vpc_attributes(aws: Aws, vpc_id: str, old: Properties, new: Properties) -> None:
    # One attribute a call: EC2 refuses two in one.
    for name in _VPC_ATTRIBUTES:
        if name in new and new[name] != old.get(name):
            aws.call("ec2", "ModifyVpcAttribute", {"VpcId": vpc_id, name: {"Value": new[name]}})


def _read_vpc(aws: Aws, vpc_id: str, state: Properties) -> Properties | None:
    vpc = aws.first("ec2", "DescribeVpcs", {"VpcIds": [vpc_id]}, "Vpcs", "InvalidVpcID.NotFound")
    if vpc is None:
        return None
    main = _of_vpc(aws, "DescribeRouteTables", "RouteTables", vpc_id, "association.main", "true")["RouteTableId"]
    return {
        "arn": aws.arn("ec2", f"vpc/{vpc_id}"),
        "cidrBlock": vpc["CidrBlock"],
        "defaultNetworkAclId": _of_vpc(aws, "DescribeNetworkAcls", "NetworkAcls", vpc_id, "default", "true")[
            "NetworkAclId"
        ],
        "defaultRouteTableId": main,
        "defaultSecurityGroupId": _of_vpc(
            aws, "DescribeSecurityGroups", "SecurityGroups", vpc_id, "group-name", "default"
        )["GroupId"],
        "dhcpOptionsId": vpc.get("DhcpOptionsId", "default"),
        "enableDnsHostnames": _vpc_attribute(aws, vpc_id, "enableDnsHostnames"),
        "enableDnsSupport": _vpc_attribute(aws, vpc_id, "enableDnsSupport"),
        "mainRouteTableId": main,
        "ownerId": vpc.get("OwnerId", aws.account_id),
        "tagsAll": mapped(vpc.get("Tags", [])),
    }


def _of_vpc(aws: Aws, operation: str, key: str, vpc_id: str, name: str, value: str) -> dict[str, Any]:
    filters = [{"Name": "vpc-id", "Values": [vpc_id]}, {"Name": name, "Values": [value]}]
    return aws.call("ec2", operation, {"Filters": filters})[key][0]


def _vpc_attribute(aws: Aws, vpc_id: str, name: str) -> bool:
    answer = aws.call("ec2", "DescribeVpcAttribute", {"VpcId": vpc_id, "Attribute": name})
    return bool(answer[name[:1].upper() + name[1:]]["Value"])


def _update_vpc(aws: Aws, vpc_id: str, old: Properties, new: Properties) -> None:
    _set_vpc_attributes(aws, vpc_id, old, new)
    retag_ec2(aws, vpc_id, old, new)


def _delete_vpc(aws: Aws, vpc_id: str, state: Properties) -> None:
    standing = _dependents(aws, vpc_id)
    if standing:
        # moto lets some of these go with their VPC, where AWS refuses: a wrong order of deletion must show here.
        message = f"The vpc '{vpc_id}' has dependencies and cannot be deleted. ({', '.join(standing)})"
        raise AwsError("ec2", "DeleteVpc", "DependencyViolation", message)
    aws.drop("ec2", "DeleteVpc", {"VpcId": vpc_id}, "InvalidVpcID.NotFound")


def _dependents(aws: Aws, vpc_id: str) -> list[str]:
    """Return what keeps the VPC from being deleted, beside subnets and route tables, for which moto looks itself."""
    of_vpc = {"Filters": [{"Name": "vpc-id", "Values": [vpc_id]}]}
    attached = {"Filters": [{"Name": "attachment.vpc-id", "Values": [vpc_id]}]}
    groups = aws.call("ec2", "DescribeSecurityGroups", of_vpc)["SecurityGroups"]
    gateways = aws.call("ec2", "DescribeInternetGateways", attached)["InternetGateways"]
    endpoints = aws.call("ec2", "DescribeVpcEndpoints", of_vpc)["VpcEndpoints"]
    return [
        *(group["GroupId"] for group in groups if group["GroupName"] != "default"),
        *(gateway["InternetGatewayId"] for gateway in gateways),
        *(endpoint["VpcEndpointId"] for endpoint in endpoints if endpoint["State"].lower() != "deleted"),
    ]


def _create_subnet(aws: Aws, inputs: Properties) -> str:
    placed = pick(inputs, "vpcId", "cidrBlock", "availabilityZone", "availabilityZoneId", "ipv6CidrBlock")
    subnet = aws.call("ec2", "CreateSubnet", {**placed, "TagSpecifications": aws.tag_specifications("subnet", inputs)})[
        "Subnet"
    ]
    _set_subnet_attributes(aws, subnet["SubnetId"], {}, inputs)
    return str(subnet["SubnetId"])


def _set_subnet_attributes(aws: Aws, subnet_id: str, old: Properties, new: Properties) -> None:
    for name in _SUBNET_ATTRIBUTES:
        value = new.get(name)
        if value is not None and value != old.get(name, False):
            wire: Any = value if isinstance(value, str) else {"Value": value}
            aws.call("ec2", "ModifySubnetAttribute", {"SubnetId": subnet_id, name: wire})


def _read_subnet(aws: Aws, subnet_id: str, state: Properties) -> Properties | None:
    subnet = aws.first("ec2", "DescribeSubnets", {"SubnetIds": [subnet_id]}, "Subnets", "InvalidSubnetID.NotFound")
    if subnet is None:
        return None
    return {
        "arn": subnet["SubnetArn"],
        "availabilityZone": subnet["AvailabilityZone"],
        "availabilityZoneId": subnet["AvailabilityZoneId"],
        "cidrBlock": subnet["CidrBlock"],
        "mapPublicIpOnLaunch": subnet["MapPublicIpOnLaunch"],
        "ownerId": subnet["OwnerId"],
        "vpcId": subnet["VpcId"],
        "tagsAll": mapped(subnet.get("Tags", [])),
    }


def _update_subnet(aws: Aws, subnet_id: str, old: Properties, new: Properties) -> None:
    _set_subnet_attributes(aws, subnet_id, old, new)
    retag_ec2(aws, subnet_id, old, new)


def _delete_subnet(aws: Aws, subnet_id: str, state: Properties) -> None:
    aws.drop("ec2", "DeleteSubnet", {"SubnetId": subnet_id}, "InvalidSubnetID.NotFound")


_OFF = Input(default=False)

TYPES = (
    AwsType(
        name="aws:ec2/vpc:Vpc",
        inputs={
            "cidrBlock": FIXED,
            "enableDnsHostnames": PLAIN,
            "enableDnsSupport": Input(default=True),
            "enableNetworkAddressUsageMetrics": PLAIN,
            "instanceTenancy": Input(default="default"),
            "tags": PLAIN,
        },
        outputs=(
            "arn",
            "defaultNetworkAclId",
            "defaultRouteTableId",
            "defaultSecurityGroupId",
            "dhcpOptionsId",
            "enableDnsHostnames",
            "mainRouteTableId",
            "ownerId",
        ),
        create=_create_vpc,
        read=_read_vpc,
        update=_update_vpc,
        delete=_delete_vpc,
    ),
    AwsType(
        name="aws:ec2/subnet:Subnet",
        inputs={
            "assignIpv6AddressOnCreation": _OFF,
            "availabilityZone": FIXED,
            "availabilityZoneId": FIXED,
            "cidrBlock": FIXED,
            "enableDns64": _OFF,
            "enableResourceNameDnsARecordOnLaunch": _OFF,
            "ipv6CidrBlock": FIXED,
            "mapPublicIpOnLaunch": _OFF,
            "privateDnsHostnameTypeOnLaunch": PLAIN,
            "tags": PLAIN,
            "vpcId": FIXED,
        },
        outputs=("arn", "availabilityZone", "availabilityZoneId", "ownerId"),
        create=_create_subnet,
        read=_read_subnet,
        update=_update_subnet,
        delete=_delete_subnet,
    ),
)
