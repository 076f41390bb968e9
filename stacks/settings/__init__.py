"""What an environment may set: frozen models, read once from `gpufleet:settings`.

This is the only reader of Pulumi's configuration.

A mistake is answered with the path, the value, what is allowed and the fix. Defaults live here and nowhere else;
environments differ by values only.
"""

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Literal

import pulumi
from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from components.network import endpoint_services
from gpufleet.facts import regions
from stacks.settings import checks
from stacks.settings.data import ImageCache, Lustre, Registry, Storage
from stacks.settings.mistakes import SettingsError, explain, mistake
from stacks.settings.model import Model
from stacks.settings.nodes import Cluster, Pool
from stacks.settings.people import Account, Workspace

__all__ = ["Lustre", "Pool", "Region", "Settings", "SettingsError", "Workspace", "features", "load", "parse"]

KEY = "settings"
REQUIRED_TAGS = ("owner", "cost-center", "expires")
_TAG = re.compile(r"[\w .:/=+@-]{1,128}")
"""What every AWS service takes. https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html"""


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
        checks.endpoints(self.network.egress, self.network.endpoints, features(self))
        return self


def features(region: Region) -> tuple[str, ...]:
    """The features of a region, by the names that say which AWS APIs they call."""
    wanted = {
        "lustre": region.storage.lustre is not None,
        "express-buckets": region.storage.express is not None,
    }
    return (*endpoint_services.NODES, *(feature for feature, on in wanted.items() if on))


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
    workspaces: Annotated[tuple[Workspace, ...], Field(description="The teams that share the clusters")] = ()
    permissions_boundary_arn: (
        Annotated[str, Field(pattern=r"^arn:", description="Policy that bounds every role made")] | None
    ) = None

    @field_validator("tags")
    @classmethod
    def _complete(cls, tags: Mapping[str, str]) -> Mapping[str, str]:
        for key in REQUIRED_TAGS:
            if not tags.get(key):
                raise mistake(key, tags.get(key), f"non-empty tags {', '.join(REQUIRED_TAGS)}", f"add {key}")
        for key, value in tags.items():
            if not _TAG.fullmatch(key) or not _TAG.fullmatch(value) or key.lower().startswith("aws:"):
                allowed = "letters, digits, spaces and _.:/=+-@, not beginning with aws:"
                raise mistake(key, value, allowed, "write the tag in such characters")
        try:
            date.fromisoformat(tags["expires"])
        except ValueError:
            raise mistake(
                "expires", tags["expires"], "a quoted date, YYYY-MM-DD", 'write expires: "2027-01-31"'
            ) from None
        return tags

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
        for name, region in self.regions.items():
            if regions.find(name) is None:
                raise mistake(f"regions.{name}", name, ", ".join(regions.names()), "name a region of AWS")
            checks.network(name, region.network.cidr, region.network.zones, region.network.pod_cidr)
            checks.addresses(name, region)
            checks.locality(name, region)
            checks.copies(name, self.regions)
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
