"""`gpufleet prices refresh`: ask AWS what instances cost now, and write it to a file."""

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from gpufleet import progress
from gpufleet.cleanup.account import Gap, ask
from gpufleet.cleanup.account import answered as answered_by_aws
from gpufleet.cost.refresh import list_prices, price_file, spot_prices
from gpufleet.documents import print_json
from gpufleet.errors import MissingError, UsageError
from gpufleet.facts import instances, prices, regions
from gpufleet.plan import report

OUTPUT = Path("prices.json")
SPOT_DAYS = 7
_CHANGES = 12
"""Changes of list prices shown; --json has all."""
_ATTEMPTS = 3
_CONNECT_SECONDS = 5
_READ_SECONDS = 20
"""boto3 alone waits five minutes for an endpoint that never answers."""

T = TypeVar("T")

Clients = Callable[[str, str], Any]
"""boto3's client of a service in a region."""


def run(
    *,
    regions_: Sequence[str] = ("us-east-1",),
    output: Path = OUTPUT,
    spot_days: int = SPOT_DAYS,
    as_json: bool = False,
    clients: Clients | None = None,
    now: datetime | None = None,
) -> bool:
    """Ask for every type of the catalogue, write the file, say what has changed; True if all could be asked.

    Args:
        regions_: of which the prices are asked; others that the file has already stay as they are.
        output: the file.
        spot_days: how far back spot prices are looked at; 0 leaves them out.
        as_json: one document on stdout instead of a table.
        clients: as boto3 makes them, unless a test has others.
        now: the clock's time, unless a test has another.

    Raises:
        UsageError: an argument is wrong, or the file cannot be written.
        MissingError: boto3, credentials or AWS cannot be had.
    """
    _check(regions_, spot_days)
    before = price_file.read(output)
    make = clients or _boto3_clients()
    moment = now or datetime.now(UTC)
    hours: list[dict[str, Any]] = []
    spot: list[dict[str, Any]] = []
    gaps: list[Gap] = []
    with progress.shown() as tell:
        for region in regions_:
            tell(f"asking for the prices of {region}")
            hours += _answered(lambda region=region: _hours(make, region, moment, gaps))
            if spot_days:
                tell(f"asking for the spot history of {region}")
                spot += _answered(lambda region=region: _spot(make, region, moment, spot_days, gaps))
    written = bool(hours or (spot and before))
    changes = [change for group in hours for change in _changes(group)]
    if written:
        price_file.write(output, price_file.merged(before, hours, spot))
    document = {
        "schema": 1,
        "output": str(output) if written else None,
        "at": moment.isoformat(timespec="seconds"),
        "regions": [_region(region, hours, spot) for region in regions_],
        "changes": changes,
        "missing_permissions": [gap.as_document() for gap in gaps],
    }
    if as_json:
        print_json(document)
    else:
        _print(document)
    return not gaps and written


def _check(asked: Sequence[str], spot_days: int) -> None:
    if not asked:
        raise UsageError("--region: none was named")
    for name in asked:
        region = regions.find(name)
        if region is None or region.partition != "aws":
            raise UsageError(
                f"--region {name}: not a region of the partition aws, whose prices are in USD\n"
                "  fix: name one such as us-east-1 or eu-west-1"
            )
    if not 0 <= spot_days <= spot_prices.MOST_DAYS:
        raise UsageError(f"--spot-days {spot_days}: allowed are 0 to {spot_prices.MOST_DAYS}; 0 leaves spot out")


def _boto3_clients() -> Clients:
    if importlib.util.find_spec("boto3") is None:
        raise MissingError("asking for prices needs boto3: install gpufleet[rehearsal] (in a checkout: make sync)")
    session: Any = importlib.import_module("boto3").Session()
    if session.get_credentials() is None:
        raise MissingError(
            "asking for prices needs credentials of any account, and there are none\n"
            "  fix: name a profile with AWS_PROFILE, log in (aws sso login), or set AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY; pricing:GetProducts and ec2:DescribeSpotPriceHistory are all that is asked"
        )
    config: Any = importlib.import_module("botocore.config").Config(
        retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_READ_SECONDS,
    )
    return lambda service, region: session.client(service, region_name=region, config=config)


def _answered(work: Callable[[], T]) -> T:
    """Do the work; a refusal, a network that fails or a proxy's page in place of an answer is one message.

    Raises:
        MissingError: AWS could not be asked.
    """
    parsers: Any = importlib.import_module("botocore.parsers")
    try:
        return answered_by_aws(work)
    except parsers.ResponseParserError as error:
        raise MissingError(
            "what answered is not AWS: its answer cannot be read\n  fix: see AWS_ENDPOINT_URL, proxies"
        ) from error


def _hours(make: Clients, region: str, now: datetime, gaps: list[Gap]) -> list[dict[str, Any]]:
    client = make("pricing", list_prices.ENDPOINT)
    wanted = frozenset(instances.names())
    usd = ask(lambda: list_prices.hours(client, region, wanted), "pricing:GetProducts", region, gaps)
    if not usd:
        return []
    return [{"region": region, "date": now.date().isoformat(), "source": list_prices.SOURCE, "usd": usd}]


def _spot(make: Clients, region: str, now: datetime, days: int, gaps: list[Gap]) -> list[dict[str, Any]]:
    client, since = make("ec2", region), now - timedelta(days=days)
    wanted = [name for name in instances.names() if instances.get(name).spot is not False]
    question = lambda: spot_prices.hours(client, wanted, since, now)  # noqa: E731 -- handed to ask
    usd = ask(question, "ec2:DescribeSpotPriceHistory", region, gaps)
    if not usd:
        return []
    dates = {"since": since.date().isoformat(), "until": now.date().isoformat()}
    return [{"region": region, **dates, "source": spot_prices.SOURCE, "usd": usd}]


def _changes(group: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the region's own prices have changed to, against those in force until now; the largest first."""
    found: list[dict[str, Any]] = []
    for name, usd in group["usd"].items():
        was = prices.instance_hour(name, group["region"])
        if was is None or was.usd != usd:
            share = None if was is None else round(usd / was.usd - 1, 4)
            old = None if was is None else was.usd
            stood_in = was is not None and was.assumed
            found.append(
                {"region": group["region"], "type": name, "was": old, "usd": usd, "share": share, "stood_in": stood_in}
            )
    return sorted(found, key=lambda change: (-abs(change["share"] or 0), change["type"]))


def _region(region: str, hours: Sequence[Any], spot: Sequence[Any]) -> dict[str, Any]:
    def count(groups: Sequence[Any]) -> int:
        return sum(len(group["usd"]) for group in groups if group["region"] == region)

    return {"region": region, "types": count(hours), "spot_types": count(spot)}


def _print(document: Mapping[str, Any]) -> None:
    out = report.console()
    for found in document["regions"]:
        of = f"{found['types']} of {len(instances.names())} known types priced, spot history of {found['spot_types']}"
        out.print(f"[bold]{found['region']}[/]  {of}")
    if changes := document["changes"]:
        columns = (("region", "left"), ("type", "left"), ("was", "right"), ("USD/h", "right"), ("", "right"))
        table = report.new_table(*columns, title="What has changed")
        for change in changes[:_CHANGES]:
            was = "unknown" if change["was"] is None else f"{change['was']:g}{' *' if change['stood_in'] else ''}"
            share = "" if change["share"] is None else f"{change['share']:+.1%}"
            table.add_row(change["region"], change["type"], was, f"{change['usd']:g}", share)
        out.print(table)
        if len(changes) > _CHANGES:
            out.print(f"  and {len(changes) - _CHANGES} more; --json has them all")
        if any(change["stood_in"] for change in changes):
            out.print("  * the price of us-east-1 stood in")
    for gap in document["missing_permissions"]:
        out.print(f"[red]missing permission:[/] {gap['permission']} for {gap['on']}")
    if document["output"] is None:
        out.print("[bold red]nothing was written: AWS named no price[/]")
        return
    out.print(f"written: {document['output']}")
    out.print(f"  use it: gpufleet cost STACK --prices {document['output']}")
    out.print(f"  or for every command: export {prices.VARIABLE}={document['output']}")
