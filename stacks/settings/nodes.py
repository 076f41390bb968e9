"""What may be set about the cluster and its pools of nodes."""

from ipaddress import IPv4Network
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from gpufleet.facts import instances, kubernetes
from stacks.settings import checks
from stacks.settings.mistakes import mistake
from stacks.settings.model import Model
from stacks.settings.people import Name, principals

Types = Annotated[tuple[str, ...], Field(min_length=1, max_length=20)]


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


class NodeCount(Model):
    """How many nodes a pool has."""

    min: Annotated[int, Field(ge=0, description="Nodes that are always there (and always paid for)")] = 0
    max: Annotated[
        int,
        Field(ge=1, le=1000, description="The pool's ceiling in nodes, 1 at least: a pool without one is never closed"),
    ]

    @model_validator(mode="after")
    def _ordered(self) -> "NodeCount":
        if self.min > self.max:
            raise mistake("min", self.min, f"0 to max ({self.max})", "lower min or raise max")
        return self


class SystemNodes(Model):
    """The CPU nodes on which the cluster's own services run."""

    instance_types: Types = ("m7i.xlarge",)
    nodes: NodeCount = NodeCount(min=2, max=4)

    @field_validator("instance_types")
    @classmethod
    def _known(cls, types: tuple[str, ...]) -> tuple[str, ...]:
        return checks.known_types(types)


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


class Checkpoint(Model):
    """What a training job on interruptible nodes promises to save."""

    gib: Annotated[float, Field(gt=0, description="Size of one checkpoint in GiB")]
    path: Annotated[
        str, Field(pattern=r"^s3://.+|^/.+", description="Where it is written: s3://BUCKET/PREFIX or a mounted path")
    ]
    every_minutes: Annotated[int, Field(ge=1, description="Minutes between two checkpoints")]


class Pool(Model):
    """One pool of GPU nodes."""

    name: Annotated[Name, Field(description="Lower-case letters, digits and dashes, 2 to 31 characters")]
    instance_types: Annotated[Types, Field(description="EC2 instance types, the most wanted first")]
    purchase: Annotated[Literal["spot", "on-demand"], Field(description="How the nodes are bought")] = "on-demand"
    nodes: Annotated[NodeCount, Field(description="Floor and ceiling of the pool in nodes: {min: 0, max: 4}")]
    zones: (
        Annotated[tuple[str, ...], Field(min_length=1, description="Zones of the network the pool keeps to")] | None
    ) = None
    volume_gib: Annotated[
        int, Field(ge=200, le=16384, description="Root volume in GiB, 200 at least: GPU images are large")
    ] = 200
    use: Annotated[Literal["interactive", "training", "inference"], Field(description="What the pool is for")] = (
        "interactive"
    )
    checkpoint: Checkpoint | None = None

    @field_validator("instance_types")
    @classmethod
    def _gpus(cls, types: tuple[str, ...]) -> tuple[str, ...]:
        for index, name in enumerate(checks.known_types(types)):
            found = instances.get(name)
            if not found.is_gpu or not found.eks_ami_types:
                why = "; ".join(found.notes) or "no EKS NVIDIA image"
                raise mistake(
                    str(index),
                    name,
                    "types with NVIDIA GPUs for which EKS has an image",
                    f"choose another type ({found.accelerator or 'no accelerator'}; {why})",
                )
        return types

    @model_validator(mode="after")
    def _checkpointed(self) -> "Pool":
        if self.use == "training" and self.purchase == "spot" and self.checkpoint is None:
            raise mistake(
                "checkpoint",
                None,
                "a mapping with gib, path and every_minutes where use: training meets purchase: spot",
                "state the checkpoint, or buy on-demand",
            )
        return self
