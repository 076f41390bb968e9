"""From the command line's words to assumptions."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path

from gpufleet.errors import UsageError
from gpufleet.facts import prices
from gpufleet.pricing.assumptions import Assumptions, Stated
from gpufleet.pricing.usage import KINDS


def assumptions(
    utilisation: Sequence[str] = (), spot_ratio: float | None = None, usage: Mapping[str, float] | None = None
) -> Assumptions:
    """What was told; the rest keeps its default.

    Args:
        utilisation: `POOL=SHARE` each, with a share of 0 to 1.
        spot_ratio: spot as a share of on-demand, where no history is known.
        usage: GiB a month, by the keys of `pricing.usage.KINDS`.

    Raises:
        UsageError: one of them is not what it should be.
    """
    shares = dict(_share(text) for text in utilisation)
    amounts = {key: _amount(key, value) for key, value in (usage or {}).items()}
    if spot_ratio is None:
        return Assumptions(utilisation=shares, usage=amounts)
    if not prices.SPOT_FLOOR_RATIO <= spot_ratio <= 1:
        raise UsageError(
            f"--spot-ratio {spot_ratio:g}: allowed are {prices.SPOT_FLOOR_RATIO} to 1, as a share of on-demand"
        )
    told = Stated(Decimal(str(spot_ratio)), "as told by --spot-ratio")
    return Assumptions(utilisation=shares, usage=amounts, spot=told)


def check_pools(told: Assumptions, known: Sequence[str]) -> None:
    """Refuse a utilisation of a pool that is not there.

    Raises:
        UsageError: the pool's name is none of the known ones.
    """
    for name in told.utilisation:
        if name not in known:
            listed = ", ".join(sorted(set(known))) or "none"
            raise UsageError(f"--utilisation {name}=...: there is no such pool\n  allowed: {listed}")


def use_prices(path: Path | None) -> None:
    """Lay a price file over the built-in prices; without one, the file that the environment names, if any.

    Raises:
        UsageError: it is not a price file.
    """
    try:
        prices.use(path)
        prices.as_of()
    except prices.UnreadablePrices as error:
        raise UsageError(str(error)) from error


def _share(text: str) -> tuple[str, Decimal]:
    name, equals, number = text.partition("=")
    try:
        share = Decimal(number)
    except InvalidOperation:
        share = Decimal(-1)
    if not equals or not name or not share.is_finite() or not 0 <= share <= 1:
        raise UsageError(f"--utilisation {text}: must be POOL=SHARE with a share of 0 to 1, for example train=0.6")
    return name, share


def _amount(key: str, value: float) -> Decimal:
    if key not in KINDS:
        raise UsageError(f"{key}: no such usage; allowed are {', '.join(KINDS)}")
    if not 0 <= value < float("inf"):
        raise UsageError(f"--{key.replace('_', '-')} {value:g}: must be 0 or more, in GiB")
    return Decimal(str(value))
