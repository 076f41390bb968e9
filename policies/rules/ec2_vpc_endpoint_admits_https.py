"""An endpoint that no security group opens is dead weight: nodes wait for an API that never answers."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._admission import Admission
from ._endpoints import ENDPOINT, is_interface
from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_HTTPS = 443
_ASSOCIATION = "aws:ec2/vpcEndpointSecurityGroupAssociation:VpcEndpointSecurityGroupAssociation"


def _check(stack: Stack, report: Report) -> None:
    admission = Admission(stack)
    for endpoint in stack.of(ENDPOINT):
        if not is_interface(endpoint):
            continue
        groups = read(endpoint.props, "securityGroupIds")
        if groups is not UNKNOWN and not elements(groups):
            if not stack.of(_ASSOCIATION) and admission.default_lacks((_HTTPS,)):
                report(
                    f"securityGroupIds is not set, and the VPC's default group lets in no TCP {_HTTPS}; it must name a "
                    "group that does.",
                    endpoint.urn,
                )
        elif admission.lacking(endpoint, "securityGroupIds", (_HTTPS,)):
            report(
                f"no ingress rule of its security groups lets in TCP {_HTTPS}; the nodes' group or the VPC's range "
                "must get in.",
                endpoint.urn,
            )


RULE = StackValidationPolicy(
    name="ec2-vpc-endpoint-admits-https",
    description="An endpoint that no security group opens is dead weight, while nodes wait for an API that never "
    "answers.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network"],
    remediation_steps="Let TCP 443 into the endpoint's security group from the nodes' group or the VPC's range.",
    url="https://docs.aws.amazon.com/vpc/latest/privatelink/create-interface-endpoint.html",
    validate=for_stack(_check),
)
