"""Where each region keeps EKS's own images, from ``data/eks_registries.json``."""

from functools import cache
from typing import Any

from gpufleet.facts import _data, regions


def find(region: str) -> str | None:
    """The registry's host, `602401143452.dkr.ecr.eu-west-1.amazonaws.com`; None where no source tells.

    A network without a way out reaches the registry of its own region only.
    """
    account, known = _accounts().get(region), regions.find(region)
    if account is None or known is None:
        return None
    return f"{account}.dkr.ecr.{region}.{known.dns_suffix}"


@cache
def _accounts() -> dict[str, str]:
    content: dict[str, Any] = _data.read("eks_registries")
    regions_of_the_usual: list[str] = content["usual"]["regions"]
    account: str = content["usual"]["account"]
    return dict.fromkeys(regions_of_the_usual, account) | content["others"]
