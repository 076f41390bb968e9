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
from stacks import checks
from stacks.mistakes import SettingsError, explain, mistake
from stacks.model import Model
from stacks.nodes import Cluster, Pool

KEY = "settings"
REQUIRED_TAGS = ("owner", "cost-center", "expires")


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


class Bucket(Model):
    """One bucket of a region."""

    keep_days: Annotated[int, Field(ge=1, description="Days after which objects go")] | None = None


class Storage(Model):
    """Where data lies."""

    buckets: Annotated[
        Mapping[Literal["datasets", "checkpoints", "artifacts", "scratch"], Bucket],
        Field(description="Buckets by purpose"),
    ] = Field(default_factory=lambda: {})


class Region(Model):
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


class Settings(Model):
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
