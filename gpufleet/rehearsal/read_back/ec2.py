"""Readers for networks, security groups and launch templates."""

from collections.abc import Iterator, Mapping
from typing import Any

from gpufleet.rehearsal.read_back.asking import Declared, Fact, Reader, facts, fields, inner, items, ordered

_ROUTE_TARGETS = {
    "gatewayId": "GatewayId",
    "natGatewayId": "NatGatewayId",
    "vpcEndpointId": "GatewayId",
    "transitGatewayId": "TransitGatewayId",
}


def vpc(resource: Declared) -> Iterator[Fact]:
    """CIDR and both DNS switches, which private endpoints and EKS need."""
    ec2 = resource.client("ec2")
    found = ec2.describe_vpcs(VpcIds=[resource.id])["Vpcs"][0]
    yield Fact("cidr", resource.inputs["cidrBlock"], found["CidrBlock"])
    for name, key, attribute, default in (
        ("dns support", "enableDnsSupport", "EnableDnsSupport", True),
        ("dns hostnames", "enableDnsHostnames", "EnableDnsHostnames", False),
    ):
        answer = ec2.describe_vpc_attribute(VpcId=resource.id, Attribute=attribute[0].lower() + attribute[1:])
        yield Fact(name, resource.inputs.get(key, default), answer[attribute]["Value"])


def further_cidr(resource: Declared) -> Iterator[Fact]:
    """That the VPC has the range."""
    found = resource.client("ec2").describe_vpcs(VpcIds=[resource.inputs["vpcId"]])["Vpcs"][0]
    ranges = {block["AssociationId"]: block["CidrBlock"] for block in found["CidrBlockAssociationSet"]}
    yield Fact("cidr", resource.inputs["cidrBlock"], ranges.get(resource.id))


def subnet(resource: Declared) -> Iterator[Fact]:
    """CIDR, zone, and whether instances get public addresses."""
    found = resource.client("ec2").describe_subnets(SubnetIds=[resource.id])["Subnets"][0]
    yield Fact("vpc", resource.inputs["vpcId"], found["VpcId"])
    yield Fact("cidr", resource.inputs["cidrBlock"], found["CidrBlock"])
    yield Fact("public addresses", resource.inputs.get("mapPublicIpOnLaunch", False), found["MapPublicIpOnLaunch"])
    if "availabilityZone" in resource.inputs:
        yield Fact("zone", resource.inputs["availabilityZone"], found["AvailabilityZone"])


def route_table(resource: Declared) -> Iterator[Fact]:
    """The VPC it routes for."""
    found = resource.client("ec2").describe_route_tables(RouteTableIds=[resource.id])["RouteTables"][0]
    yield Fact("vpc", resource.inputs["vpcId"], found["VpcId"])


def route_table_association(resource: Declared) -> Iterator[Fact]:
    """The table that the subnet is routed by."""
    table = resource.inputs["routeTableId"]
    found = resource.client("ec2").describe_route_tables(RouteTableIds=[table])["RouteTables"][0]
    subnets = {association.get("SubnetId") for association in found["Associations"]}
    yield Fact("subnet is associated", True, resource.inputs["subnetId"] in subnets)


def route(resource: Declared) -> Iterator[Fact]:
    """The target of the destination."""
    table = resource.client("ec2").describe_route_tables(RouteTableIds=[resource.inputs["routeTableId"]])[
        "RouteTables"
    ][0]
    destination = resource.inputs["destinationCidrBlock"]
    routes: list[Mapping[str, Any]] = [r for r in table["Routes"] if r.get("DestinationCidrBlock") == destination]
    for key, name in _ROUTE_TARGETS.items():
        if key in resource.inputs:
            yield Fact(f"{destination} goes to", resource.inputs[key], routes[0].get(name) if routes else None)


def internet_gateway(resource: Declared) -> Iterator[Fact]:
    """The VPC it is attached to."""
    found = resource.client("ec2").describe_internet_gateways(InternetGatewayIds=[resource.id])["InternetGateways"][0]
    yield Fact("vpc", resource.inputs.get("vpcId"), inner(found, "Attachments", "VpcId"))


def elastic_ip(resource: Declared) -> Iterator[Fact]:
    """That the address is allocated to a VPC."""
    found = resource.client("ec2").describe_addresses(AllocationIds=[resource.id])["Addresses"][0]
    yield Fact("domain", resource.inputs.get("domain", "vpc"), found["Domain"])


def nat_gateway(resource: Declared) -> Iterator[Fact]:
    """Subnet and address."""
    found = resource.client("ec2").describe_nat_gateways(NatGatewayIds=[resource.id])["NatGateways"][0]
    yield Fact("subnet", resource.inputs.get("subnetId"), found["SubnetId"])
    yield Fact("address", resource.inputs.get("allocationId"), inner(found, "NatGatewayAddresses", "AllocationId"))


def vpc_endpoint(resource: Declared) -> Iterator[Fact]:
    """Service, kind, and what it is placed in."""
    found = resource.client("ec2").describe_vpc_endpoints(VpcEndpointIds=[resource.id])["VpcEndpoints"][0]
    inputs = resource.inputs
    yield Fact("vpc", inputs["vpcId"], found["VpcId"])
    yield Fact("service", inputs["serviceName"], found["ServiceName"])
    yield Fact("kind", inputs.get("vpcEndpointType", "Gateway"), found["VpcEndpointType"])
    yield Fact("private dns", inputs.get("privateDnsEnabled", False), found.get("PrivateDnsEnabled", False))
    yield Fact("subnets", ordered(inputs.get("subnetIds")), ordered(found.get("SubnetIds")))
    yield Fact("route tables", ordered(inputs.get("routeTableIds")), ordered(found.get("RouteTableIds")))


def flow_log(resource: Declared) -> Iterator[Fact]:
    """What is logged and where to."""
    found = resource.client("ec2").describe_flow_logs(FlowLogIds=[resource.id])["FlowLogs"][0]
    inputs = resource.inputs
    yield Fact("traffic", inputs.get("trafficType"), found["TrafficType"])
    yield Fact("of", inputs.get("vpcId") or inputs.get("subnetId"), found["ResourceId"])
    yield Fact("destination kind", inputs.get("logDestinationType", "cloud-watch-logs"), found["LogDestinationType"])


def security_group(resource: Declared) -> Iterator[Fact]:
    """The VPC it is in."""
    found = resource.client("ec2").describe_security_groups(GroupIds=[resource.id])["SecurityGroups"][0]
    yield Fact("vpc", resource.inputs.get("vpcId"), found["VpcId"])


def default_security_group(resource: Declared) -> Iterator[Fact]:
    """That as many rules are left as were declared: none, where it is closed."""
    found = resource.client("ec2").describe_security_groups(GroupIds=[resource.id])["SecurityGroups"][0]
    yield Fact("rules in", len(items(resource.inputs.get("ingress"))), len(found["IpPermissions"]))
    yield Fact("rules out", len(items(resource.inputs.get("egress"))), len(found["IpPermissionsEgress"]))


def security_group_rule(resource: Declared) -> Iterator[Fact]:
    """Protocol, ports and the other side."""
    answer = resource.client("ec2").describe_security_group_rules(SecurityGroupRuleIds=[resource.id])
    found = answer["SecurityGroupRules"][0]
    inputs = resource.inputs
    yield Fact("group", inputs["securityGroupId"], found["GroupId"])
    yield Fact("is egress", resource.type.endswith("EgressRule"), found["IsEgress"])
    yield Fact("protocol", inputs["ipProtocol"], found["IpProtocol"])
    if inputs["ipProtocol"] != "-1":
        ports = (inputs.get("fromPort"), inputs.get("toPort"))
        yield Fact("ports", ports, (found.get("FromPort"), found.get("ToPort")))
    others = {
        "cidrIpv4": found.get("CidrIpv4"),
        "cidrIpv6": found.get("CidrIpv6"),
        "prefixListId": found.get("PrefixListId"),
        "referencedSecurityGroupId": inner(found, "ReferencedGroupInfo", "GroupId"),
    }
    yield from facts({key: inputs[key] for key in others if inputs.get(key)}, others)


def launch_template(resource: Declared) -> Iterator[Fact]:
    """Metadata service and volumes of the newest version."""
    ec2 = resource.client("ec2")
    answer = ec2.describe_launch_template_versions(LaunchTemplateId=resource.id, Versions=["$Latest"])
    data: Mapping[str, Any] = answer["LaunchTemplateVersions"][0]["LaunchTemplateData"]
    options = fields(resource.inputs.get("metadataOptions"))
    metadata = fields(data.get("MetadataOptions"))
    for name, key, found in (
        ("metadata tokens", "httpTokens", metadata.get("HttpTokens")),
        ("metadata hop limit", "httpPutResponseHopLimit", metadata.get("HttpPutResponseHopLimit")),
    ):
        if key in options:
            yield Fact(name, options[key], found)
    volumes = {volume["DeviceName"]: fields(volume.get("Ebs")) for volume in items(data.get("BlockDeviceMappings"))}
    for mapping in items(resource.inputs.get("blockDeviceMappings")):
        device, ebs = str(mapping["deviceName"]), fields(mapping.get("ebs"))
        found = fields(volumes.get(device))
        yield Fact(f"{device} encrypted", ebs.get("encrypted") in (True, "true"), found.get("Encrypted", False))
        yield Fact(f"{device} key", ebs.get("kmsKeyId"), found.get("KmsKeyId"))
        yield Fact(f"{device} GiB", ebs.get("volumeSize"), found.get("VolumeSize"))
    tagged = ordered(tag["resourceType"] for tag in items(resource.inputs.get("tagSpecifications")))
    yield Fact("tagged at launch", tagged, ordered(tag["ResourceType"] for tag in items(data.get("TagSpecifications"))))


READERS: dict[str, Reader] = {
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": default_security_group,
    "aws:ec2/eip:Eip": elastic_ip,
    "aws:ec2/flowLog:FlowLog": flow_log,
    "aws:ec2/internetGateway:InternetGateway": internet_gateway,
    "aws:ec2/launchTemplate:LaunchTemplate": launch_template,
    "aws:ec2/natGateway:NatGateway": nat_gateway,
    "aws:ec2/route:Route": route,
    "aws:ec2/routeTable:RouteTable": route_table,
    "aws:ec2/routeTableAssociation:RouteTableAssociation": route_table_association,
    "aws:ec2/securityGroup:SecurityGroup": security_group,
    "aws:ec2/subnet:Subnet": subnet,
    "aws:ec2/vpc:Vpc": vpc,
    "aws:ec2/vpcEndpoint:VpcEndpoint": vpc_endpoint,
    "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation": further_cidr,
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": security_group_rule,
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": security_group_rule,
}
