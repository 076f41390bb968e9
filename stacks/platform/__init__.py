"""What the settings become: components wired through typed outputs.

Components meet only here. There is no raw AWS resource in this package and no branch on a stack's name.
"""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_aws as aws

from components import ServiceLinkedRoles, ServiceLinkedRolesArgs, SpendBudget, SpendBudgetArgs
from gpufleet.facts import regions
from stacks.platform import account, data, region
from stacks.platform.place import PROTECTED_TAG, STACK_TAG, Place
from stacks.settings import Settings

_HOME = {"aws": "us-east-1", "aws-cn": "cn-northwest-1", "aws-us-gov": "us-gov-west-1"}
"""The region of each partition that answers for what belongs to the account as a whole."""


def deploy(settings: Settings) -> Mapping[str, Any]:
    """Create everything that the settings describe and return the stack's outputs."""
    stack_name = f"{pulumi.get_project()}-{pulumi.get_stack()}"
    tags = {**settings.tags, STACK_TAG: stack_name, "managed-by": "pulumi"}
    if settings.protected:
        tags[PROTECTED_TAG] = "true"
    first = next(iter(sorted(settings.regions)))
    partition = _partition(first)

    everywhere = _options("aws-account", _HOME.get(partition, first), settings.account_id, tags)
    SpendBudget(
        "budget",
        SpendBudgetArgs(
            budget_name=stack_name,
            monthly_usd=settings.budget.monthly_usd,
            max_hourly_usd=settings.budget.max_hourly_usd,
            alert_emails=settings.budget.alert_emails,
            tag_key=STACK_TAG,
            tag_value=stack_name,
        ),
        everywhere,
    )
    services = account.services(settings)
    ServiceLinkedRoles(
        "service-roles",
        ServiceLinkedRolesArgs(
            account_id=settings.account_id,
            partition=partition,
            services=services,
            created=account.created(settings, services),
        ),
        everywhere,
    )

    places = {
        name: Place(
            region=name,
            partition=partition,
            account_id=settings.account_id,
            stack_name=stack_name,
            tags=tags,
            boundary_arn=settings.permissions_boundary_arn,
            opts=_options(f"aws-{name}", name, settings.account_id, tags),
        )
        for name in sorted(settings.regions)
    }
    built = {name: region.build(place, settings) for name, place in places.items()}
    data.replicate(places, settings, {name: one.data for name, one in built.items()})
    return {"regions": {name: one.outputs for name, one in built.items()}}


def _options(name: str, region_name: str, account_id: str, tags: Mapping[str, str]) -> pulumi.ResourceOptions:
    provider = aws.Provider(
        name,
        region=region_name,
        allowed_account_ids=[account_id],
        default_tags=aws.ProviderDefaultTagsArgs(tags=tags),
    )
    return pulumi.ResourceOptions(providers=[provider])


def _partition(name: str) -> str:
    found = regions.find(name)
    if found is None:
        raise LookupError(f"{name} is no region of the catalogue; the settings refuse it before it comes here")
    return found.partition
