"""VPC endpoints: of which kind, and for which service."""

import re
from typing import Any, Final

from pulumi_policy import PolicyResource

from ._reading import UNKNOWN, read

ENDPOINT: Final = "aws:ec2/vpcEndpoint:VpcEndpoint"

_AWS_SERVICE: Final = re.compile(
    r"(?:[a-z0-9-]+\.){2,}[a-z]{2,4}(?:-[a-z]+){1,2}-\d+\.(?!vpce-svc-)(?P<service>[a-z0-9.-]+)"
)
"""`com.amazonaws.us-east-1.ecr.api`; partitions differ in what stands before the region."""


def kind(endpoint: PolicyResource) -> Any:
    """Return its type, for which AWS takes Gateway where none is said; `UNKNOWN` where it is not known yet."""
    found = read(endpoint.props, "vpcEndpointType")
    return "Gateway" if found is None else found


def is_interface(endpoint: PolicyResource) -> bool:
    """Tell whether it certainly is an interface endpoint."""
    return kind(endpoint) == "Interface"


def service(endpoint: PolicyResource) -> Any:
    """Return the short name of the AWS service it leads to, such as `ecr.api`.

    `None` for a service of somebody else, `UNKNOWN` while the name is not known.
    """
    name = read(endpoint.props, "serviceName")
    if name is UNKNOWN:
        return UNKNOWN
    found = _AWS_SERVICE.fullmatch(str(name))
    return found["service"] if found else None
