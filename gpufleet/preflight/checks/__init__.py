"""The checks, in the order in which their results are shown."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from gpufleet.preflight.checks import (
    credentials,
    endpoint_services,
    image_parameters,
    limits,
    names,
    offerings,
    reservations,
    service_roles,
    spot_scores,
    vcpus,
    versions,
    zones,
)
from gpufleet.preflight.results import Result
from gpufleet.preflight.site import Site


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing to ask AWS about."""

    name: str
    """As `--only` takes it."""
    permissions: tuple[str, ...]
    """What it may ask for; without some of them it tells less."""
    run: Callable[[Site], Iterator[Result]]
    """Raises `CouldNotAsk` where nothing of it can be told."""


CHECKS: Final = tuple(
    Check(name=module.NAME, permissions=module.PERMISSIONS, run=module.check)
    for module in (
        vcpus,
        zones,
        offerings,
        reservations,
        spot_scores,
        service_roles,
        image_parameters,
        versions,
        endpoint_services,
        limits,
        names,
    )
)
"""All but `credentials`, which comes first: without it nothing else is asked."""

NAMES: Final = (credentials.NAME, *(check.name for check in CHECKS))
"""What `--only` takes."""
