"""Inputs for one resource of every network and compute type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.rehearsal.aws.documents import GRANT

if TYPE_CHECKING:
    from tests.rehearsal.aws.stack import Stack


def ec2_vpc(stack: Stack) -> dict[str, Any]:
    return {"cidrBlock": "10.0.0.0/16", "enableDnsHostnames": True, "tags": {"Name": "lab"}}


def ec2_subnet(stack: Stack) -> dict[str, Any]:
    return {
        "vpcId": stack.id("aws:ec2/vpc:Vpc"),
        "cidrBlock": "10.0.1.0/24",
        "availabilityZone": "us-east-1a",
        "enableResourceNameDnsARecordOnLaunch": True,
        "tags": {"Name": "a"},
    }


def ec2_vpc_ipv4_cidr_block_association(stack: Stack) -> dict[str, Any]:
    return {"vpcId": stack.id("aws:ec2/vpc:Vpc"), "cidrBlock": "100.64.0.0/16"}


def ec2_route_table(stack: Stack) -> dict[str, Any]:
    return {"vpcId": stack.id("aws:ec2/vpc:Vpc")}


def ec2_route_table_association(stack: Stack) -> dict[str, Any]:
    return {
        "routeTableId": stack.id("aws:ec2/routeTable:RouteTable"),
        "subnetId": stack.id("aws:ec2/subnet:Subnet"),
    }


def ec2_route(stack: Stack) -> dict[str, Any]:
    return {
        "routeTableId": stack.id("aws:ec2/routeTable:RouteTable"),
        "destinationCidrBlock": "0.0.0.0/0",
        "natGatewayId": stack.id("aws:ec2/natGateway:NatGateway"),
    }


def ec2_internet_gateway(stack: Stack) -> dict[str, Any]:
    return {"vpcId": stack.id("aws:ec2/vpc:Vpc")}


def ec2_eip(stack: Stack) -> dict[str, Any]:
    return {"domain": "vpc", "tags": {"Name": "nat"}}


def ec2_nat_gateway(stack: Stack) -> dict[str, Any]:
    return {"allocationId": stack.id("aws:ec2/eip:Eip"), "subnetId": stack.id("aws:ec2/subnet:Subnet")}


def ec2_vpc_endpoint(stack: Stack) -> dict[str, Any]:
    return {
        "vpcId": stack.id("aws:ec2/vpc:Vpc"),
        "serviceName": "com.amazonaws.us-east-1.s3",
        "routeTableIds": [stack.id("aws:ec2/routeTable:RouteTable")],
        "policy": GRANT,
    }


def ec2_flow_log(stack: Stack) -> dict[str, Any]:
    return {
        "vpcId": stack.id("aws:ec2/vpc:Vpc"),
        "trafficType": "ALL",
        "logDestination": stack.get("aws:cloudwatch/logGroup:LogGroup")["arn"],
        "iamRoleArn": stack.get("aws:iam/role:Role")["arn"],
        "maxAggregationInterval": 60,
    }


def ec2_security_group(stack: Stack) -> dict[str, Any]:
    web = {"protocol": "tcp", "fromPort": 443, "toPort": 443, "cidrBlocks": ["10.0.0.0/16"]}
    return {"vpcId": stack.id("aws:ec2/vpc:Vpc"), "description": "lab", "ingress": [web]}


def ec2_default_security_group(stack: Stack) -> dict[str, Any]:
    return {"vpcId": stack.id("aws:ec2/vpc:Vpc")}


def ec2_security_group_rule(stack: Stack) -> dict[str, Any]:
    return {
        "type": "egress",
        "protocol": "-1",
        "fromPort": 0,
        "toPort": 0,
        "cidrBlocks": ["10.0.0.0/16"],
        "securityGroupId": stack.id("aws:ec2/securityGroup:SecurityGroup"),
    }


def vpc_security_group_ingress_rule(stack: Stack) -> dict[str, Any]:
    group = stack.id("aws:ec2/securityGroup:SecurityGroup")
    return {
        "securityGroupId": group,
        "ipProtocol": "tcp",
        "fromPort": 1024,
        "toPort": 2048,
        "referencedSecurityGroupId": group,
        "description": "among themselves",
        "tags": {"Name": "rule"},
    }


def vpc_security_group_egress_rule(stack: Stack) -> dict[str, Any]:
    group = stack.id("aws:ec2/securityGroup:SecurityGroup")
    return {"securityGroupId": group, "ipProtocol": "-1", "cidrIpv4": "10.9.0.0/16"}


def ec2_launch_template(stack: Stack) -> dict[str, Any]:
    volume = {
        "encrypted": "true",
        "kmsKeyId": stack.get("aws:kms/key:Key")["arn"],
        "volumeSize": 200,
        "volumeType": "gp3",
    }
    return {
        "blockDeviceMappings": [{"deviceName": "/dev/xvda", "ebs": {**volume, "deleteOnTermination": "true"}}],
        "metadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 1, "httpEndpoint": "enabled"},
        "vpcSecurityGroupIds": [stack.id("aws:ec2/securityGroup:SecurityGroup")],
        "tagSpecifications": [{"resourceType": "instance", "tags": {"owner": "ml", "pool": "l4"}}],
        "userData": "IyEvYmluL2Jhc2gK",
        "updateDefaultVersion": True,
    }


def ec2_placement_group(stack: Stack) -> dict[str, Any]:
    return {"strategy": "cluster"}


INPUTS: dict[str, Callable[[Stack], dict[str, Any]]] = {
    "aws:ec2/vpc:Vpc": ec2_vpc,
    "aws:ec2/subnet:Subnet": ec2_subnet,
    "aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation": ec2_vpc_ipv4_cidr_block_association,
    "aws:ec2/routeTable:RouteTable": ec2_route_table,
    "aws:ec2/routeTableAssociation:RouteTableAssociation": ec2_route_table_association,
    "aws:ec2/route:Route": ec2_route,
    "aws:ec2/internetGateway:InternetGateway": ec2_internet_gateway,
    "aws:ec2/eip:Eip": ec2_eip,
    "aws:ec2/natGateway:NatGateway": ec2_nat_gateway,
    "aws:ec2/vpcEndpoint:VpcEndpoint": ec2_vpc_endpoint,
    "aws:ec2/flowLog:FlowLog": ec2_flow_log,
    "aws:ec2/securityGroup:SecurityGroup": ec2_security_group,
    "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": ec2_default_security_group,
    "aws:ec2/securityGroupRule:SecurityGroupRule": ec2_security_group_rule,
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": vpc_security_group_ingress_rule,
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": vpc_security_group_egress_rule,
    "aws:ec2/launchTemplate:LaunchTemplate": ec2_launch_template,
    "aws:ec2/placementGroup:PlacementGroup": ec2_placement_group,
}
