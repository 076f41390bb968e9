"""Data from S3 through a NAT gateway costs 4.5 cents a gigabyte and leaves the VPC; a gateway endpoint is free."""

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._reading import UNKNOWN, differs, read
from ._routes import TABLES, Routes
from ._stack import Report, Stack, for_stack

_ENDPOINT = "aws:ec2/vpcEndpoint:VpcEndpoint"
_ASSOCIATION = "aws:ec2/vpcEndpointRouteTableAssociation:VpcEndpointRouteTableAssociation"


def _check(stack: Stack, report: Report) -> None:
    endpoints = [endpoint for endpoint in stack.of(_ENDPOINT) if _may_be_s3_gateway(endpoint)]
    served: set[str] = set()
    for endpoint in endpoints:
        served.update(
            table.urn
            for table in stack.links(endpoint, "routeTableIds", read(endpoint.props, "routeTableIds"), *TABLES).all
        )
    urns = {endpoint.urn for endpoint in endpoints}
    for association in stack.of(_ASSOCIATION):
        linked = stack.links(association, "vpcEndpointId", read(association.props, "vpcEndpointId"), _ENDPOINT).all
        if any(endpoint.urn in urns for endpoint in linked):
            value = read(association.props, "routeTableId")
            served.update(table.urn for table in stack.links(association, "routeTableId", value, *TABLES).all)
    routes = Routes(stack)
    for urn, table in routes.used_tables.items():
        if urn not in served and not routes.leads_out(table):
            report(
                "is a private route table without an S3 gateway endpoint; the VPC's endpoint must list it in "
                "routeTableIds.",
                urn,
            )


def _may_be_s3_gateway(endpoint: PolicyResource) -> bool:
    service = read(endpoint.props, "serviceName")
    # AWS takes Gateway where no endpoint type is said.
    return not differs(read(endpoint.props, "vpcEndpointType"), "Gateway", absent="Gateway") and (
        service is UNKNOWN or str(service).endswith(".s3")
    )


RULE = StackValidationPolicy(
    name="ec2-vpc-s3-gateway-endpoint",
    description="Data from S3 through a NAT gateway costs 4.5 cents a gigabyte and leaves the VPC, while a gateway "
    "endpoint is free.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network", "money"],
    remediation_steps="Give the VPC a Gateway endpoint for com.amazonaws.REGION.s3 and list every private route table "
    "in its routeTableIds.",
    url="https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-s3.html",
    validate=for_stack(_check),
)
