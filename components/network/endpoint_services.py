"""Which AWS APIs a node must reach, and by which interface endpoints it does so without the internet.

Source: EKS user guide, "Deploy private clusters with limited internet access", read 2026-11-30.
"""

from collections.abc import Sequence

CLOSED_NETWORK = ("ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "logs", "sts")
"""Short service names that a node without a route to the internet cannot join, pull images, log or get credentials
without. S3, which holds the image layers, is reached by its gateway endpoint in every network."""

_CHINA_PREFIXED = frozenset(
    {
        *("autoscaling", "cloudformation", "ebs", "ec2", "ecr.api", "ecr.dkr", "eks", "elasticfilesystem", "fsx"),
        *("lambda", "monitoring", "sagemaker.api", "sagemaker.runtime", "sqs", "sts", "xray"),
    }
)
"""Services whose endpoint is named cn.com.amazonaws... in the China regions, of those a cluster may use. Source: AWS
CDK, aws-ec2/lib/vpc-endpoint.ts, read 2026-11-30; `aws ec2 describe-vpc-endpoint-services` there lists them all."""


def wanted(egress: str, asked: Sequence[str] | None) -> tuple[str, ...]:
    """The interface endpoints of a network: those asked for, else (None: automatic) those that its egress makes
    necessary."""
    if asked is not None:
        return tuple(sorted(set(asked)))
    return CLOSED_NETWORK if egress == "none" else ()


def missing(egress: str, asked: Sequence[str] | None) -> tuple[str, ...]:
    """The necessary endpoints that an explicit list leaves out."""
    if egress != "none" or asked is None:
        return ()
    return tuple(service for service in CLOSED_NETWORK if service not in asked)


def service_name(service: str, region: str) -> str:
    """The full name of an interface endpoint's service: `com.amazonaws.us-east-1.ecr.api`."""
    prefix = "cn." if region.startswith("cn-") and service in _CHINA_PREFIXED else ""
    return f"{prefix}com.amazonaws.{region}.{service}"
