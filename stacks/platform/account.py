"""What belongs to the account as a whole."""

from collections.abc import Sequence

from components.identity import service_linked_roles
from stacks.settings import Settings

AUTOSCALING = "autoscaling.amazonaws.com"
"""Made with the key that names it, so that the key's policy finds it."""


def services(settings: Settings) -> tuple[str, ...]:
    """The AWS services that act in the account by roles of their own, for what the settings ask for."""
    parts = settings.regions.values()
    return service_linked_roles.needed(
        spot=any(pool.purchase == "spot" for part in parts for pool in part.pools),
        lustre=any(part.storage.lustre is not None for part in parts),
        pull_through_cache=any(part.image_cache is not None for part in parts),
    )


def created(settings: Settings, needed: Sequence[str]) -> tuple[str, ...]:
    """Those of the roles that this stack makes: none where they are adopted."""
    if settings.account.service_linked_roles == "adopt":
        return ()
    return tuple(service for service in needed if service != AUTOSCALING)
