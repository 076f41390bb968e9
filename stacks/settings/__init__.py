"""What an environment may set: frozen models, read once from `gpufleet:settings`.

This is the only reader of Pulumi's configuration.

A mistake is answered with the path, the value, what is allowed and the fix. Defaults live here and nowhere else;
environments differ by values only.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pulumi
from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from components.network import endpoint_policies
from stacks.settings import checks, designs, partitions, people, tags
from stacks.settings.data import ImageCache, Lustre, Registry, Storage
from stacks.settings.mistakes import SettingsError, explain, mistake
from stacks.settings.model import Model
from stacks.settings.nodes import Cluster
from stacks.settings.people import Account, Workspace
from stacks.settings.pools import Pool
from stacks.settings.waivers import Waiver

__all__ = ["Lustre", "Pool", "Region", "Settings", "SettingsError", "Workspace", "load", "parse"]

KEY = "settings"
BOUNDARY = r"^arn:aws[a-z-]*:iam::(\d{12}|aws):policy/[\w+=,.@/-]+$"


class Budget(Model):
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


class Network(Model):
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
    pod_cidr: Annotated[str, Field(description="A block for pods, /16 to /18 inside 100.64.0.0/10")] | None = None
    s3_readable_buckets: Annotated[
        tuple[str, ...], Field(description="Buckets of other accounts that may be read, by name or beginning and *")
    ] = ()
    flow_log_days: Annotated[int, Field(description="Days that flow logs are kept; one of CloudWatch's periods")] = 90

    @field_validator("flow_log_days")
    @classmethod
    def _retention(cls, days: int) -> int:
        return checks.retention_days(days)

    @field_validator("s3_readable_buckets")
    @classmethod
    def _buckets(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        checks.accepted(lambda: endpoint_policies.check_readable(names), list(names), "names of buckets")
        return names


class Region(Model):
    """One region of the environment."""

    network: Annotated[Network, Field(description="The private network: cidr, zones, egress")]
    cluster: Cluster = Cluster()
    pools: Annotated[tuple[Pool, ...], Field(description="The pools of GPU nodes")] = ()
    storage: Annotated[Storage, Field(description="Buckets and caches: buckets, lustre, express")] = Storage()
    registry: Annotated[Registry, Field(description="Repositories of the stack's own images")] | None = None
    image_cache: Annotated[ImageCache, Field(description="Copies of other registries' images")] | None = None

    @model_validator(mode="after")
    def _parts_fit(self) -> "Region":
        checks.pools(self.pools, self.network.zones)
        return self


class Settings(Model):
    """Everything an environment may set."""

    account_id: Annotated[str, Field(pattern=r"^[0-9]{12}$", description="The AWS account, twelve digits, quoted")]
    tags: Annotated[
        Mapping[str, str], Field(description="Tags of every resource; owner, cost-center and expires are needed")
    ]
    budget: Annotated[
        Budget, Field(description="What the environment may cost: monthly_usd, max_hourly_usd, alert_emails")
    ]
    regions: Annotated[
        Mapping[str, Region], Field(min_length=1, description="What is wanted in each region, by its name")
    ]
    account: Annotated[Account, Field(description="What belongs to the account as a whole")] = Account()
    protected: Annotated[
        bool, Field(description="Whether images are pinned, and what may be lost is refused: for production")
    ] = False
    workspaces: Annotated[tuple[Workspace, ...], Field(description="The teams that share the clusters")] = ()
    waivers: Annotated[tuple[Waiver, ...], Field(description="Violations that somebody answers for until a day")] = ()
    permissions_boundary_arn: (
        Annotated[str, Field(pattern=BOUNDARY, description="ARN of the IAM policy that bounds every role made")] | None
    ) = None

    @field_validator("tags")
    @classmethod
    def _complete(cls, given: Mapping[str, str]) -> Mapping[str, str]:
        tags.check(given)
        return given

    @field_validator("workspaces")
    @classmethod
    def _workspaces_differ(cls, workspaces: tuple[Workspace, ...]) -> tuple[Workspace, ...]:
        checks.differ([workspace.name for workspace in workspaces], "workspace of the environment")
        return workspaces

    def _without_people(self) -> str | None:
        """A region whose cluster nobody could enter: whoever creates it is not let in by that."""
        if any(workspace.admins or workspace.developers for workspace in self.workspaces):
            return None
        return next((name for name, region in self.regions.items() if not region.cluster.admins), None)

    @model_validator(mode="after")
    def _places_and_prices(self) -> "Settings":
        if nobody := self._without_people():
            fix = "name the role of those who run the cluster under cluster.admins, or of a team under workspaces"
            raise mistake(f"regions.{nobody}.cluster.admins", [], "somebody who may enter the cluster", fix)
        limits = {"max_hourly_usd": self.budget.max_hourly_usd, "monthly_usd": self.budget.monthly_usd}
        partitions.check(self)
        for principals in partitions.principals(self):
            people.ends_differ(principals, self.account_id)
        for name, region in self.regions.items():
            checks.network(name, region.network.cidr, region.network.zones, region.network.pod_cidr)
            checks.addresses(name, region)
            checks.locality(name, region)
            checks.copies(name, self.regions)
            checks.endpoints(name, region, designs.designs(name, region, protected=self.protected))
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
    try:
        given = config.get_object(KEY)
    except pulumi.ConfigTypeError:
        value = config.get(KEY)
        allowed = "one settings object, in clear"
        raise SettingsError(f"{root}: {value!r}\n  allowed: {allowed}\n  fix: write it as a YAML mapping") from None
    if given is None:
        raise SettingsError(
            f"{root}: missing\n  allowed: one settings object\n  fix: write it into stacks/Pulumi.STACK.yaml"
        )
    stack = pulumi.get_stack()
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,60}", stack):
        allowed = "1 to 60 letters, digits, - and _, since clusters are named after it"
        raise SettingsError(f"stack {stack!r}\n  allowed: {allowed}\n  fix: rename the stack")
    return parse(given, root)
