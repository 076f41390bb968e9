"""What an environment may set: frozen models, read once from `gpufleet:settings`, the only reader of Pulumi's configuration.

A mistake is answered with the path, the value, what is allowed and the fix. Defaults live here and nowhere else;
environments differ by values only.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

import pulumi
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from components.network import endpoint_services
from gpufleet.facts import instances, kubernetes, regions
from stacks import checks
from stacks.mistakes import SettingsError, explain, mistake

KEY = "settings"
REQUIRED_TAGS = ("owner", "cost-center", "expires")

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,29}[a-z0-9]$")]
Types = Annotated[tuple[str, ...], Field(min_length=1, max_length=20)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Budget(_Model):
    """What the environment may cost."""

    monthly_usd: Annotated[float, Field(gt=0, description="USD a month at which the alerts are aimed")]
    max_hourly_usd: Annotated[
        float, Field(gt=0, description="USD an hour that all pools at their ceilings together may cost")
    ]
    alert_emails: Annotated[
        tuple[str, ...], Field(min_length=1, max_length=10, description="Addresses that get the budget's alerts")
    ]

    @field_validator("alert_emails")
    @classmethod
    def _addresses(cls, emails: tuple[str, ...]) -> tuple[str, ...]:
        for index, email in enumerate(emails):
            if not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", email):
                raise mistake(str(index), email, "an e-mail address", "write it as name@example.com")
        return emails


class Network(_Model):
    """The private network of a region."""

    cidr: Annotated[str, Field(description="The VPC's block, /16 to /20, for example 10.20.0.0/16")]
    zones: Annotated[
        tuple[str, ...], Field(min_length=2, max_length=6, description="Availability zones by name, at least two")
    ]
    egress: Literal["nat-per-zone", "single-nat", "none"] = Field(
        "nat-per-zone", description="The way out to the internet"
    )
    endpoints: Annotated[
        tuple[str, ...] | None,
        BeforeValidator(lambda value: None if value == "auto" else value),
        Field(
            description="Interface endpoints by short service name (ecr.api), or auto: those the egress makes necessary"
        ),
    ] = None
    flow_log_days: Annotated[int, Field(description="Days that flow logs are kept; one of CloudWatch's periods")] = 90

    @field_validator("flow_log_days")
    @classmethod
    def _retention(cls, days: int) -> int:
        return checks.retention_days(days)

    @model_validator(mode="after")
    def _endpoints_suffice(self) -> "Network":
        if missing := endpoint_services.missing(self.egress, self.endpoints):
            raise mistake(
                "endpoints",
                list(self.endpoints or ()),
                f"with egress none at least {', '.join(endpoint_services.CLOSED_NETWORK)}",
                f"add {', '.join(missing)}, or write endpoints: auto",
            )
        return self


class Api(_Model):
    """Who reaches the Kubernetes API: the VPC always, the internet only from the listed CIDRs."""

    public_cidrs: Annotated[
        tuple[str, ...],
        Field(min_length=1, max_length=40, description="The networks that may call the public API endpoint"),
    ]

    @field_validator("public_cidrs")
    @classmethod
    def _narrow(cls, blocks: tuple[str, ...]) -> tuple[str, ...]:
        for index, block in enumerate(blocks):
            allowed = "an IPv4 CIDR of /8 or narrower, such as 203.0.113.0/24"
            if not re.fullmatch(r"\d{1,3}(\.\d{1,3}){3}/\d{1,2}", block) or int(block.rsplit("/", 1)[1]) < 8:
                raise mistake(
                    str(index), block, allowed, "name the office's or the VPN's addresses, or write api: private"
                )
        return blocks


class NodeCount(_Model):
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


class SystemNodes(_Model):
    """The CPU nodes on which the cluster's own services run."""

    instance_types: Types = ("m7i.xlarge",)
    nodes: NodeCount = NodeCount(min=2, max=4)

    @field_validator("instance_types")
    @classmethod
    def _known(cls, types: tuple[str, ...]) -> tuple[str, ...]:
        return checks.known_types(types)


class Cluster(_Model):
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
        for index, admin in enumerate(admins):
            if not re.fullmatch(r"(arn:[a-z-]+:iam::\d{12}:)?(role|user)/[\w+=,.@/-]+", admin):
                raise mistake(
                    str(index), admin, "role/NAME, user/NAME or an IAM ARN", "name the role that the team assumes"
                )
        return admins

    @field_validator("log_days")
    @classmethod
    def _retention(cls, days: int) -> int:
        return checks.retention_days(days)


class Checkpoint(_Model):
    """What a training job on interruptible nodes promises to save."""

    gib: Annotated[float, Field(gt=0, description="Size of one checkpoint in GiB")]
    path: Annotated[
        str, Field(pattern=r"^s3://.+|^/.+", description="Where it is written: s3://BUCKET/PREFIX or a mounted path")
    ]
    every_minutes: Annotated[int, Field(ge=1, description="Minutes between two checkpoints")]


class Pool(_Model):
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
                raise mistake(
                    str(index),
                    name,
                    "types with NVIDIA GPUs for which EKS has an image",
                    f"choose another type ({found.accelerator or 'no accelerator'}; {'; '.join(found.notes) or 'no EKS NVIDIA image'})",
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


class Bucket(_Model):
    """One bucket of a region."""

    keep_days: Annotated[int, Field(ge=1, description="Days after which objects go")] | None = None


class Storage(_Model):
    """Where data lies."""

    buckets: Annotated[
        Mapping[Literal["datasets", "checkpoints", "artifacts", "scratch"], Bucket],
        Field(description="Buckets by purpose"),
    ] = Field(default_factory=lambda: {})


class Region(_Model):
    """One region of the environment."""

    network: Annotated[Network, Field(description="The private network: cidr, zones, egress")]
    cluster: Cluster = Cluster()
    pools: Annotated[tuple[Pool, ...], Field(description="The pools of GPU nodes")] = ()
    storage: Storage = Storage()

    @model_validator(mode="after")
    def _pools_differ(self) -> "Region":
        seen: set[str] = set()
        for index, pool in enumerate(self.pools):
            if pool.name in seen:
                raise mistake(
                    f"pools.{index}.name",
                    pool.name,
                    "a name that no other pool of the region has",
                    "rename one of them",
                )
            seen.add(pool.name)
            if strange := sorted(set(pool.zones or ()) - set(self.network.zones)):
                raise mistake(
                    f"pools.{index}.zones", strange, ", ".join(self.network.zones), "keep to the network's zones"
                )
        return self


class Settings(_Model):
    """Everything an environment may set."""

    account_id: Annotated[str, Field(pattern=r"^\d{12}$", description="The AWS account, twelve digits, quoted")]
    tags: Annotated[
        Mapping[str, str], Field(description="Tags of every resource; owner, cost-center and expires are needed")
    ]
    budget: Annotated[
        Budget, Field(description="What the environment may cost: monthly_usd, max_hourly_usd, alert_emails")
    ]
    regions: Annotated[
        Mapping[str, Region], Field(min_length=1, description="What is wanted in each region, by its name")
    ]
    permissions_boundary_arn: (
        Annotated[str, Field(pattern=r"^arn:", description="Policy that bounds every role made")] | None
    ) = None

    @field_validator("tags")
    @classmethod
    def _complete(cls, tags: Mapping[str, str]) -> Mapping[str, str]:
        for key in REQUIRED_TAGS:
            if not tags.get(key):
                raise mistake(key, tags.get(key), f"non-empty tags {', '.join(REQUIRED_TAGS)}", f"add {key}")
        try:
            date.fromisoformat(tags["expires"])
        except ValueError:
            raise mistake(
                "expires", tags["expires"], "a quoted date, YYYY-MM-DD", 'write expires: "2027-01-31"'
            ) from None
        return tags

    @model_validator(mode="after")
    def _places_and_prices(self) -> "Settings":
        limits = {"max_hourly_usd": self.budget.max_hourly_usd, "monthly_usd": self.budget.monthly_usd}
        for name, region in self.regions.items():
            if regions.find(name) is None:
                raise mistake(f"regions.{name}", name, ", ".join(regions.names()), "name a region of AWS")
            checks.network(name, region.network.cidr, region.network.zones)
            for pool in region.pools:
                checks.affordable(limits, name, pool.name, pool.instance_types)
        return self


def parse(given: Any, root: str) -> Settings:
    """Validate one settings object; `root` names it in messages.

    Raises:
        SettingsError: every mistake, one paragraph each.
    """
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        raise explain(error, Settings, root, given) from None


def load() -> Settings:
    """Read and validate the stack's `gpufleet:settings`.

    Raises:
        SettingsError: it is missing or wrong.
    """
    config = pulumi.Config()
    root = f"{config.name}:{KEY}"
    given = config.get_object(KEY)
    if given is None:
        raise SettingsError(
            f"{root}: missing\n  allowed: one settings object\n  fix: write it into stacks/Pulumi.STACK.yaml"
        )
    return parse(given, root)
