"""`gpufleet cost`: a stack's money from every side, with the assumptions it hangs on."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from gpufleet import progress
from gpufleet.cost import bill, options, report
from gpufleet.documents import print_json
from gpufleet.errors import UsageError
from gpufleet.plan.project import Project


def run(
    project: Project,
    *,
    unchanged: Project | None = None,
    utilisation: Sequence[str] = (),
    spot_ratio: float | None = None,
    usage: Mapping[str, float] | None = None,
    price_file: Path | None = None,
    stale_days: int = bill.STALE_DAYS,
    as_json: bool = False,
) -> bool:
    """Print what the stack costs; always True, since money alone breaks no rule (`gpufleet plan` has the ceilings).

    Args:
        project: the stack, with what `--set` changed.
        unchanged: the same without those changes; the difference is then shown.
        utilisation: `POOL=SHARE` each.
        spot_ratio: spot as a share of on-demand where no history is known.
        usage: GiB a month by the keys of `pricing.usage.KINDS`.
        price_file: laid over the built-in prices.
        stale_days: from which age in days a price is called stale.
        as_json: one document on stdout instead of tables.

    Raises:
        UsageError: the settings, the program, the price file or the arguments are wrong.
    """
    if stale_days < 0:
        raise UsageError(f"--stale-after {stale_days}: must be 0 or more days")
    assumed = options.assumptions(utilisation, spot_ratio, usage)
    options.use_prices(price_file)
    with progress.shown() as tell:
        tell(f"running {project.name}/{project.stack}")
        found = bill.of(project, assumed, unchanged=unchanged, stale_days=stale_days)
    document = found.as_document()
    if as_json:
        print_json(document)
    else:
        report.print_bill(document)
    return True
