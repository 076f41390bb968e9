"""The AWS services that a VPC can have an endpoint for, from ``data/endpoint_services.json``.

Services go by their short name, `ecr.api`; `service_name` makes the full one. Which of them a region offers is told by
`aws ec2 describe-vpc-endpoint-services` there; the list here is of all regions together.
"""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Any

from gpufleet.facts import _data

_DEFAULT_PREFIX = "com.amazonaws"
_FULL = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+\.[a-z]{2,4}(-[a-z]+){1,2}-\d+\.[a-z0-9.-]+")
"""`com.amazonaws.us-east-1.ecr.api`: a prefix of two parts or more, a region, a service."""


def as_of() -> date:
    """Day on which the list was read."""
    return date.fromisoformat(_file()["date"])


def names() -> tuple[str, ...]:
    """Every known service, sorted."""
    return tuple(_kinds())


def kind(service: str) -> str | None:
    """`Gateway` (a route, free) or `Interface` (an address in each zone, paid by the hour); `None` where unknown.

    A full name, `com.amazonaws.us-east-1.ecr.api`, is taken as an interface's, so that a service which is newer than
    the list can be had.
    """
    return "Interface" if _is_full(service) else _kinds().get(service)


def elsewhere(service: str) -> str | None:
    """Why a VPC has no endpoint for the service in a region of its own; `None` where it can have one."""
    return _file()["elsewhere"].get(service)


def nearest(service: str) -> list[str]:
    """Up to three known names that look like `service`, best first; empty when none does."""
    import difflib  # here, since only a mistake needs it and it would double the import time of this module

    return difflib.get_close_matches(service.lower(), names(), n=3, cutoff=0.6)


def service_name(service: str, region: str) -> str:
    """The full name: `com.amazonaws.us-east-1.ecr.api`. In some partitions a few services have another prefix."""
    if _is_full(service):
        return service
    exceptions = _file()["prefixes"].get(region)
    prefix = exceptions["prefix"] if exceptions and service in exceptions["services"] else _DEFAULT_PREFIX
    return f"{prefix}.{region}.{service}"


def _is_full(service: str) -> bool:
    return bool(_FULL.fullmatch(service))


@cache
def _file() -> Mapping[str, Any]:
    return MappingProxyType(_data.read("endpoint_services"))


@cache
def _kinds() -> Mapping[str, str]:
    kinds = {name: "Interface" for name in _file()["interfaces"] if name not in _file()["elsewhere"]}
    kinds |= dict.fromkeys(_file()["gateways"], "Gateway")
    return MappingProxyType(dict(sorted(kinds.items())))
