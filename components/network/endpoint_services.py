"""Which AWS APIs a cluster must reach, and by which endpoints it does so without the internet.

Each feature of a cluster names the services that it calls from inside the VPC. Source: EKS user guide, "Deploy private
clusters with limited internet access", and the documentation of each add-on, read 2026-11-30.
"""

from collections.abc import Mapping, Sequence

from gpufleet.facts import endpoints

FEATURES: Mapping[str, tuple[str, ...]] = {
    "nodes": ("ec2", "eks", "sts"),
    "images": ("ecr.api", "ecr.dkr"),
    "pod-identity": ("eks-auth",),
    "logs": ("logs",),
    "autoscaler": ("autoscaling", "ec2", "eks"),
    "ebs-volumes": ("ec2",),
    "efs": ("elasticfilesystem",),
    "express-buckets": ("s3express",),
    "isolated-karpenter": ("ec2", "eks", "sqs", "ssm", "sts"),
    "karpenter": ("ec2", "eks", "iam", "pricing.api", "sqs", "ssm", "sts"),
    "keys": ("kms",),
    "load-balancers": ("ec2", "elasticloadbalancing"),
    "lustre": ("fsx",),
    "monitoring": ("monitoring",),
    "prometheus": ("aps-workspaces",),
    "queues": ("sqs",),
    "secrets": ("secretsmanager",),
    "session-manager": ("ec2messages", "ssm", "ssmmessages"),
    "threat-detection": ("guardduty-data",),
    "traces": ("xray",),
}
"""Feature -> short names of the services it calls. S3, which every feature needs, has its gateway in every network."""

NODES = ("nodes", "images", "pod-identity", "logs")
"""The features of every cluster: join, pull images, give pods credentials, log."""

CLOSED_NETWORK = ("ec2", "ecr.api", "ecr.dkr", "eks", "eks-auth", "logs", "sts")
"""What those need: without it a node that has no route to the internet does none of them."""


def needed(features: Sequence[str] = NODES) -> tuple[str, ...]:
    """The services that the features call and a VPC can have an endpoint for, sorted.

    Raises:
        ValueError: a feature is not known.
    """
    return tuple(service for service in _called(features) if endpoints.elsewhere(service) is None)


def beyond(features: Sequence[str] = NODES) -> Mapping[str, str]:
    """The services that the features call although no VPC has an endpoint for them -> why it has none.

    Raises:
        ValueError: a feature is not known.
    """
    return {service: why for service in _called(features) if (why := endpoints.elsewhere(service)) is not None}


def wanted(egress: str, asked: Sequence[str] | None, features: Sequence[str] = NODES) -> tuple[str, ...]:
    """The endpoints of a network: those asked for, else (None: automatic) those that its egress makes necessary.

    With NAT that is none but the free gateways: an interface endpoint costs money by the hour and zone, and saves NAT's
    price by the gigabyte.
    """
    if asked is not None:
        return tuple(sorted(set(asked)))
    return tuple(name for name in needed(features) if egress == "none" or endpoints.kind(name) == "Gateway")


def missing(egress: str, asked: Sequence[str] | None, features: Sequence[str] = NODES) -> tuple[str, ...]:
    """The necessary endpoints that an explicit list leaves out."""
    if egress != "none" or asked is None:
        return ()
    return tuple(service for service in needed(features) if service not in asked)


def unknown(asked: Sequence[str]) -> Mapping[str, str]:
    """What of the list is no service that a VPC can have an endpoint for -> what to write instead."""
    return {name: _instead(name) for name in sorted(set(asked)) if endpoints.kind(name) is None}


def users(service: str, features: Sequence[str] = NODES) -> tuple[str, ...]:
    """Those of the features that call the service."""
    return tuple(feature for feature in features if service in FEATURES[feature])


def _called(features: Sequence[str]) -> list[str]:
    if strangers := [feature for feature in features if feature not in FEATURES]:
        raise ValueError(f"features: {', '.join(strangers)} not known; allowed are {', '.join(FEATURES)}")
    return sorted({service for feature in features for service in FEATURES[feature]})


def _instead(name: str) -> str:
    if (why := endpoints.elsewhere(name)) is not None:
        return f"leave it out: {why}"
    near = endpoints.nearest(name)
    return f"did you mean {', '.join(near)}?" if near else "write a short service name such as ecr.api"
