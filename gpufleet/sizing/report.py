"""The answer as a person reads it: the memory of one GPU, what holds the model, what the data need."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from gpufleet.plan.report import console, new_table
from gpufleet.sizing.answer import Answer, memory_mib
from gpufleet.sizing.checkpoints import NOTICE_SECONDS
from gpufleet.sizing.quantities import GB, GIB, MIB, written
from gpufleet.sizing.search import Configuration
from gpufleet.sizing.speed import operations_per_token
from gpufleet.sizing.states import rule_of_thumb

_PARTS = {
    "weights": "weights",
    "kept_wide": "embedding and output layer, kept in 16 bits",
    "gradients": "gradients",
    "optimizer": "optimizer state",
    "gathered": "largest layer, gathered",
    "activations": "activations",
    "cache": "KV cache",
    "overhead": "CUDA, NCCL, graphs",
}
_KINDS = {"s3": "read from S3", "lustre": "FSx for Lustre", "nvme": "a copy on each node's NVMe"}


def print_answer(answer: Answer, *, top: int) -> None:
    """Print all tables."""
    out = console()
    model, job = answer.asked.model, answer.asked.job
    active = f", {written(model.active_parameters)} active" if model.experts else ""
    size = f"{written(model.parameters)} parameters"
    # A model that is known by its size alone has no other name.
    named = f"[bold]{escape(model.name)}[/]" + ("" if model.name == size else f"  {size}")
    out.print(f"{named}{active}, {job.task} in {job.precision}")
    thumb = rule_of_thumb(model.parameters)
    out.print(f"rule of thumb, 4 bytes a parameter in FP32: {thumb / GIB:,.1f} GiB ({thumb / GB:,.1f} GB)\n")
    if tokens := answer.asked.limits.tokens:
        work = operations_per_token(model, job, recompute="none") * tokens
        out.print(f"{written(tokens)} tokens are {work:.2e} operations\n")
    if answer.shown is not None:
        _print_memory(out, answer, answer.shown)
    if answer.best is None:
        _print_nothing(out, answer)
    else:
        _print_ranked(out, answer, answer.found.cheapest[:top], "Least money")
        _print_ranked(out, answer, answer.found.fastest[:top], "Least time")
        _print_prices(out, [*answer.found.cheapest[:top], *answer.found.fastest[:top]])
        document = answer.as_document(top=0)
        _print_data(out, document["data"])
        _print_checkpoints(out, document["checkpoints"], answer.best)
    _print_small_print(out, answer)


def _print_memory(out: Console, answer: Answer, one: Configuration) -> None:
    out.print(f"[bold]Memory[/] on {one.nodes} x {one.instance.name}, {one.layout.words()}")
    table = new_table(("of each GPU", "left"), ("MiB", "right"), ("GiB", "right"), title="")
    table.title = None
    for part, mib in memory_mib(one.memory).items():
        if part in _PARTS and mib:
            table.add_row(_PARTS[part], f"{mib:,}", f"{mib / 1024:,.2f}")
    total = one.memory.total
    colour = "green" if total <= one.available else "red"
    table.add_section()
    table.add_row("[bold]total[/]", f"[bold {colour}]{total / MIB:,.0f}[/]", f"[bold]{total / GIB:,.2f}[/]")
    table.add_row("may be used", f"{one.available / MIB:,.0f}", f"{one.available / GIB:,.2f}")
    seen = "reported" if one.gpu.measured else "reported, estimated"
    table.add_row(f"{one.gpu.model} {seen}", f"{one.gpu.reported_mib:,}", f"{one.gpu.reported_mib / 1024:,.2f}")
    table.add_row("as EC2 names it", f"{one.instance.gpu_memory_mib or 0:,}", "")
    out.print(table)
    if one.memory.host:
        out.print(f"  and {one.memory.host / GIB:,.1f} GiB of the host's memory for each GPU\n")
    whole = one.memory.total * one.layout.gpus
    out.print(f"  all {one.layout.gpus} GPUs together: {whole / GIB:,.1f} GiB\n" if one.layout.gpus > 1 else "")


def _print_ranked(out: Console, answer: Answer, ranked: Sequence[Configuration], title: str) -> None:
    job, limits = answer.asked.job, answer.asked.limits
    money = [("hours", "right"), ("USD", "right")] if limits.tokens else [("USD/h", "right")]
    columns = [
        ("nodes", "left"),
        ("GPUs", "left"),
        ("layout", "left"),
        ("MiB of GPU", "right"),
        ("links", "left"),
        ("tokens/s", "right"),
        (_last_heading(answer), "right"),
        *money,
    ]
    table = new_table(*columns, title=f"{title}: each instance type at its best ({limits.purchase}, {limits.region})")
    for column in table.columns:
        column.no_wrap = column.header not in ("GPUs", "layout", "links")
    for one in ranked:
        mark = "*" if one.offer.assumed else ""
        run = (f"{one.hours or 0:,.0f}", "-" if one.usd is None else f"{one.usd:,.0f}{mark}")
        table.add_row(
            f"{one.nodes} x {one.instance.name}",
            f"{one.layout.gpus} {one.gpu.model}",
            one.layout.words(),
            f"{one.memory.total / MIB:,.0f} {one.memory.total / one.available:.0%}",
            _links(one),
            f"{one.speed.tokens_per_second:,.0f}",
            f"{one.speed.micro_batches}" if job.trains else _milliseconds(one.speed.step_seconds),
            *(run if limits.tokens else (f"{_usd(one.offer.usd, one.nodes)}{mark}",)),
        )
    out.print(table)


def _print_prices(out: Console, shown: Sequence[Configuration]) -> None:
    """Every way to buy what the rankings show, each once."""
    table = new_table(
        ("nodes", "left"),
        ("on demand", "right"),
        ("spot", "right"),
        ("reservation", "right"),
        ("capacity block", "right"),
        title="USD an hour by purchase option",
    )
    for one in {(one.nodes, one.instance.name): one for one in shown}.values():
        mark = "*" if one.offer.assumed else ""
        options = (one.offer.on_demand, one.offer.reservation, one.offer.capacity_block)
        on_demand, reservation, block = (f"{_usd(usd, one.nodes)}{mark if usd else ''}" for usd in options)
        table.add_row(f"{one.nodes} x {one.instance.name}", on_demand, _spot(one), reservation, block)
    out.print(table)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.0f}" if seconds >= 0.1 else f"{seconds * 1000:.3g}"


def _last_heading(answer: Answer) -> str:
    if answer.asked.job.trains:
        return "accum."
    return "ms/token" if answer.asked.model.cached else "ms/pass"


def _links(one: Configuration) -> str:
    """What GPUs talk over: within a node, and between nodes."""
    instance = one.instance
    parts = ["NVLink" if instance.nvlink_gb_s_per_gpu else "PCIe"] if instance.gpu_count > 1 else []
    if one.nodes > 1:
        parts.append(f"EFA x{instance.efa_interfaces}" if instance.efa_interfaces else "nodes apart")
    return ", ".join(parts) or "one GPU"


def _spot(one: Configuration) -> str:
    low, high = one.offer.spot_low, one.offer.spot_high
    if low is None or high is None:
        return "-"
    return f"{low * one.nodes:,.2f} to {high * one.nodes:,.2f}"


def _usd(usd: float | None, nodes: int) -> str:
    return "-" if usd is None else f"{usd * nodes:,.2f}"


def _print_nothing(out: Console, answer: Answer) -> None:
    nearest, limits = answer.found.nearest, answer.asked.limits
    if nearest is None and answer.found.candidates:
        out.print(f"[red]nothing is done in {limits.most_hours:g} hours[/] on {limits.most_nodes} nodes or fewer")
        return
    if nearest is None:
        out.print(
            f"[red]no layout was possible[/] in {limits.region}: see what was left out, and --nodes, --gpus, --tensor"
        )
        return
    need, have = nearest.memory.total / MIB, nearest.available / MIB
    nodes = limits.nodes or limits.most_nodes
    out.print(
        f"[bold red]nothing fits[/] on {'one node' if nodes == 1 else f'{nodes} nodes'}; nearest is {nearest.nodes} x "
        f"{nearest.instance.name} ({nearest.layout.words()}): it needs {need:,.0f} MiB of {have:,.0f} on each GPU. "
        "Try more nodes (--max-nodes), a shorter --sequence or --context, a smaller --batch, --offload, or fewer bits."
    )


def _print_data(out: Console, data: Mapping[str, Any] | None) -> None:
    if data is None:
        return
    table = new_table(
        ("way", "left"),
        ("", "left"),
        ("size GiB", "right"),
        ("MB/s/TiB", "right"),
        ("USD/month", "right"),
        ("why", "left"),
        title=f"Data: {data['dataset_bytes'] / GIB:,.0f} GiB, {data['samples_per_second']:,.1f} samples/s, "
        f"{data['bytes_per_second'] / 1e6:,.1f} MB/s",
    )
    for one in data["choices"]:
        mark = "[green]does[/]" if one["fits"] else "[red]does not[/]"
        usd = "-" if one["usd_month"] is None else f"{one['usd_month']:,.2f}"
        size = "" if one["size_gib"] is None else f"{one['size_gib']:,}"
        tier = "" if one["throughput"] is None else str(one["throughput"])
        table.add_row(_KINDS[one["kind"]], mark, size, tier, usd if one["fits"] else "", escape(one["why"]))
    out.print(table)
    if data["bucket_usd_month"] is not None:
        out.print(f"  beside the bucket itself, {data['bucket_usd_month']:,.2f} USD a month\n")


def _print_checkpoints(out: Console, plan: Mapping[str, Any] | None, one: Configuration) -> None:
    if plan is None:
        return
    lost = "" if plan["lost_usd_hour"] is None else f", {plan['lost_usd_hour']:,.2f} USD an hour"
    notice = {
        None: "",
        True: "; a last one fits into spot's notice",
        False: f"; [yellow]a last one does not fit into the {NOTICE_SECONDS} s that spot's notice leaves[/]",
    }[plan["within_notice"]]
    out.print(
        f"[bold]Checkpoints[/] of {plan['bytes'] / GIB:,.1f} GiB, written in {_time(plan['write_seconds'])} at "
        f"{plan['write_gb_s']:,.2f} GB/s. With {plan['failures_per_node_day']:g} failures a node and day, "
        f"{'one node fails' if one.nodes == 1 else f'one of {one.nodes} nodes fails'} every "
        f"{_time(plan['between_failures'])}: write one every {_time(plan['daly'])} "
        f"(Daly; Young {_time(plan['young'])}). Writing, repeating and restarting then take "
        f"{plan['lost_share']:.1%} of the time{lost}{notice}.\n"
    )


def _time(seconds: float) -> str:
    for unit, size in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.1f} seconds"


def _print_small_print(out: Console, answer: Answer) -> None:
    found = answer.found
    for line in answer.assumptions():
        out.print(f"  {escape(line)}", soft_wrap=True)
    if any(not one.offer.spot_from_history for one in (*found.cheapest, *found.fastest)):
        out.print("  spot: from a tenth of on-demand to all of it, where no history is known; ranked at its ceiling")
    if found.cheapest:
        out.print("  blocks have a price of their own each; the on-demand price stands in, as it does for reservations")
    if any(one.offer.assumed for one in (*found.cheapest, *found.fastest)):
        out.print("  * the price of us-east-1 stands in for the region's own")
    out.print(f"  {found.candidates:,} layouts looked at, {found.fitting:,} fit")
    for why, count in Counter(why for _, why in found.left_out).most_common():
        names = [name for name, reason in found.left_out if reason == why]
        some = ", ".join(names[:4]) + (" ..." if count > 4 else "")
        out.print(f"  left out, {escape(why)}: {some}", soft_wrap=True)
