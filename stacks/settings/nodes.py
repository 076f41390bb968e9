"""What may be set about the cluster and the nodes of its own services."""

from ipaddress import IPv4Network
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator

from components.compute import images
from gpufleet.facts import kubernetes
from stacks.settings import checks
from stacks.settings.mistakes import mistake
from stacks.settings.model import Model
from stacks.settings.people import principals
from stacks.settings.pools import NodeCount, Types


def _public(block: str) -> bool:
    """Whether callers from the internet can have such addresses."""
    try:
        network = IPv4Network(block)
    except ValueError:
        return False
    return network.prefixlen >= 8 and not any(network.overlaps(private) for private in _PRIVATE)


_PRIVATE = [IPv4Network(block) for block in ("10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16")]


class Api(Model):
    """Who reaches the Kubernetes API: the VPC always, the internet only from the listed CIDRs."""

    public_cidrs: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=40, description="The networks that may call the public API endpoint"),
    ]

    @field_validator("public_cidrs")
    @classmethod
    def _narrow(cls, blocks: tuple[str, ...]) -> tuple[str, ...]:
        for index, block in enumerate(blocks):
            allowed = "a public IPv4 CIDR of /8 or narrower, such as 203.0.113.0/24"
            if not _public(block):
                raise mistake(
                    str(index), block, allowed, "name the office's or the VPN's addresses, or write api: private"
                )
        return blocks


class SystemNodes(Model):
    """The CPU nodes on which the cluster's own services run."""

    instance_types: Types = ("m7i.xlarge",)
    nodes: NodeCount = NodeCount(min=2, max=4)

    @field_validator("instance_types")
    @classmethod
    def _known(cls, types: tuple[str, ...]) -> tuple[str, ...]:
        checks.known_types(types)
        checks.accepted(lambda: images.for_system(types), list(types), "general types of one architecture")
        return types

    @field_validator("nodes")
    @classmethod
    def _always_some(cls, nodes: NodeCount) -> NodeCount:
        if nodes.min < 1:
            raise mistake("min", nodes.min, f"1 to max ({nodes.max})", "keep one at least, for the DNS of the cluster")
        return nodes


class Cluster(Model):
    """The EKS cluster of a region."""

    kubernetes: Annotated[str, Field(description='EKS version as text, for example "1.35"')] = (
        kubernetes.DEFAULT_VERSION
    )
    api: Annotated[
        Api | None,
        BeforeValidator(lambda value: None if value == "private" else value),
        Field(description="private, or a mapping with public_cidrs"),
    ] = None
    admins: Annotated[
        tuple[str, ...],
        Field(description="IAM roles or users that administer the cluster: role/NAME, user/NAME or an ARN"),
    ] = ()
    deletion_protected: Annotated[bool, Field(description="Whether AWS refuses to delete the cluster")] = True
    log_days: Annotated[
        int, Field(description="Days that control-plane logs are kept; one of CloudWatch's periods")
    ] = 365
    system: SystemNodes = SystemNodes()

    @field_validator("kubernetes")
    @classmethod
    def _supported(cls, version: str) -> str:
        offered = kubernetes.in_standard_support(kubernetes.AS_OF)
        if version not in offered:
            raise mistake("", version, ", ".join(offered), f'write kubernetes: "{kubernetes.DEFAULT_VERSION}"')
        return version

    @field_validator("admins")
    @classmethod
    def _principals(cls, admins: tuple[str, ...]) -> tuple[str, ...]:
        return principals(admins)

    @field_validator("log_days")
    @classmethod
    def _retention(cls, days: int) -> int:
        return checks.retention_days(days)
