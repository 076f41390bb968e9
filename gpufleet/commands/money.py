"""Commands about money."""

from pathlib import Path
from typing import Annotated, Any

import typer

from gpufleet.commands.options import AsJson, Overrides, Program, SettingsFile, Stack

prices = typer.Typer(
    help="Prices: ask AWS for newer ones.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _gib(flag: str, what: str) -> Any:
    return typer.Option(flag, metavar="GIB", help=f"{what}; no plan tells, so it is stated.", show_default=False)


def cost(
    stack: Stack = None,
    program: Program = Path(),
    settings: SettingsFile = None,
    set_: Overrides = None,
    utilisation: Annotated[
        list[str] | None,
        typer.Option(
            "--utilisation",
            metavar="POOL=SHARE",
            help="Share of what lies above a pool's floor that runs on average: train=0.6. May be repeated.",
            show_default=False,
        ),
    ] = None,
    spot_ratio: Annotated[
        float | None,
        typer.Option(
            "--spot-ratio", help="Spot as a share of on-demand, where no history is known.", show_default=False
        ),
    ] = None,
    nat: Annotated[float | None, _gib("--nat-gib-per-month", "Through NAT gateways a month")] = None,
    endpoints: Annotated[float | None, _gib("--endpoint-gib-per-month", "Through interface endpoints a month")] = None,
    cross_zone: Annotated[float | None, _gib("--cross-zone-gib-per-month", "Between zones a month")] = None,
    internet: Annotated[float | None, _gib("--internet-gib-per-month", "Out to the internet a month")] = None,
    s3: Annotated[float | None, _gib("--s3-gib", "Kept in buckets")] = None,
    logs: Annotated[float | None, _gib("--log-gib-per-month", "Taken in by CloudWatch Logs a month")] = None,
    registry: Annotated[float | None, _gib("--registry-gib", "Kept in ECR")] = None,
    price_file: Annotated[
        Path | None,
        typer.Option(
            "--prices", metavar="FILE", help="A price file, laid over the built-in prices.", show_default=False
        ),
    ] = None,
    stale_after: Annotated[
        int, typer.Option("--stale-after", metavar="DAYS", help="From which age prices are called stale.")
    ] = 90,
    as_json: AsJson = False,
) -> None:
    """Show what a stack costs: floor, expected and ceiling, by pool, workspace, component and region.

    With --set the difference to the unchanged stack too. Exit status: 0 fine, 2 the settings or arguments are wrong.
    """
    from gpufleet.cost import command
    from gpufleet.plan import project

    told = {
        "nat_gib_per_month": nat,
        "endpoint_gib_per_month": endpoints,
        "cross_zone_gib_per_month": cross_zone,
        "internet_gib_per_month": internet,
        "s3_gib": s3,
        "log_gib_per_month": logs,
        "registry_gib": registry,
    }
    command.run(
        project.load(program, stack, settings_file=settings, overrides=set_ or ()),
        unchanged=project.load(program, stack, settings_file=settings) if set_ else None,
        utilisation=utilisation or (),
        spot_ratio=spot_ratio,
        usage={key: gib for key, gib in told.items() if gib is not None},
        price_file=price_file,
        stale_days=stale_after,
        as_json=as_json,
    )


@prices.callback()
def _prices() -> None:
    """Prices: ask AWS for newer ones."""


@prices.command()
def refresh(
    region: Annotated[
        list[str] | None,
        typer.Option(
            "--region",
            metavar="NAME",
            help="Ask for this region, us-east-1 if none is named. May be repeated.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE", help="The price file; other regions in it stay.")
    ] = Path("prices.json"),
    spot_days: Annotated[
        int, typer.Option("--spot-days", metavar="DAYS", help="How far back spot prices are looked at; 0: not at all.")
    ] = 7,
    as_json: AsJson = False,
) -> None:
    """Ask AWS what instances cost now, on demand and as spot, and write it to a price file.

    It is used where it is named: cost --prices FILE, or GPUFLEET_PRICES. Exit status: 0 written, 1 a price could not
    be had, 2 the arguments are wrong, 3 boto3 or credentials are not here.
    """
    from gpufleet.cost.refresh import command

    ok = command.run(regions_=region or ("us-east-1",), output=output, spot_days=spot_days, as_json=as_json)
    raise typer.Exit(0 if ok else 1)
