"""Further address ranges of a VPC."""

from typing import Any

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.table import FIXED, AwsType, Properties, pick


def _create(aws: Aws, inputs: Properties) -> str:
    answer = aws.call("ec2", "AssociateVpcCidrBlock", pick(inputs, "vpcId", "cidrBlock"))
    return str(answer["CidrBlockAssociation"]["AssociationId"])


def _find(aws: Aws, association_id: str, vpc_id: str) -> dict[str, Any] | None:
    vpc = aws.first("ec2", "DescribeVpcs", {"VpcIds": [vpc_id]}, "Vpcs", "InvalidVpcID.NotFound")
    blocks: list[dict[str, Any]] = vpc.get("CidrBlockAssociationSet", []) if vpc else []
    standing = (block for block in blocks if block["CidrBlockState"]["State"] == "associated")
    return next((block for block in standing if block["AssociationId"] == association_id), None)


def _read(aws: Aws, association_id: str, state: Properties) -> Properties | None:
    block = _find(aws, association_id, state["vpcId"])
    return {"cidrBlock": block["CidrBlock"]} if block else None


def _delete(aws: Aws, association_id: str, state: Properties) -> None:
    if _find(aws, association_id, state["vpcId"]):
        aws.call("ec2", "DisassociateVpcCidrBlock", {"AssociationId": association_id})


TYPES = (
    AwsType(
        name="aws:ec2/vpcIpv4CidrBlockAssociation:VpcIpv4CidrBlockAssociation",
        inputs={"cidrBlock": FIXED, "vpcId": FIXED},
        create=_create,
        read=_read,
        delete=_delete,
    ),
)
