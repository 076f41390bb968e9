"""The pool that a configuration asks for, as YAML for `pools:` of a stack's settings."""

import re

from gpufleet.facts.instances import InstanceType
from gpufleet.sizing import offers
from gpufleet.sizing.checkpoints import NOTICE_SECONDS, Plan
from gpufleet.sizing.job import Job
from gpufleet.sizing.model import Model
from gpufleet.sizing.quantities import GIB
from gpufleet.sizing.search import Configuration

_LEAST_GIB = 200
"""The settings' least root volume: images with CUDA are large."""
_IMAGE_GIB = 100
_MOST_GIB = 16_384
_LONGEST = 31
_MOST_TYPES = 4
"""Instance types of a spot pool; the more there are, the dearer the last of them is."""
_STARTS, _ENDS = "2030-01-01T11:30:00Z", "2030-01-02T11:30:00Z"
"""Stand for the times of a capacity block; nobody takes them for real."""


def name(model: Model, job: Job) -> str:
    """A pool name: `train-llama-3-1-8b`."""
    verb = "serve" if not job.trains else "tune" if job.adapts else "train"
    words = re.sub(r"[^a-z0-9]+", "-", model.name.lower()).strip("-")
    return f"{verb}-{words or 'model'}"[:_LONGEST].rstrip("-")


def zone(region: str, chosen: str | None) -> str:
    """The zone that is written: the chosen one, else the region's first letter."""
    return chosen or f"{region}a"


def volume_gib(one: Configuration, job: Job) -> int:
    """Root volume: images, and for a server the weights that a node downloads, with half as much to spare."""
    if job.trains:
        return _LEAST_GIB
    on_node = min(one.layout.replica, one.instance.gpu_count)
    weights = (one.memory.weights + one.memory.kept_wide) * on_node / GIB
    return min(_MOST_GIB, max(_LEAST_GIB, int(_IMAGE_GIB + 1.5 * weights)))


def types(one: Configuration, region: str) -> tuple[str, ...]:
    """The instance types that are written: spot is to be had more often where several will do, cheapest first.

    What else will do has the same GPUs with the same links, and no less memory, disk and network.
    """
    if one.offer.purchase != "spot":
        return (one.instance.name,)
    alike = [
        (offer.usd, instance.name)
        for instance, offer in offers.offered(region, "spot", [])
        if offer.usd is not None and instance.name != one.instance.name and _does_as_well(instance, one.instance)
    ]
    return (one.instance.name, *(name for _, name in sorted(alike)[: _MOST_TYPES - 1]))


def _does_as_well(other: InstanceType, chosen: InstanceType) -> bool:
    same = all(
        getattr(other, name) == getattr(chosen, name)
        for name in ("gpu_model", "gpu_count", "gpu_partition_size", "cpu_arch", "nvlink_gb_s_per_gpu", "bare_metal")
    )
    # One object of the pool's says how many interfaces its nodes have.
    same = same and other.efa_card_indices == chosen.efa_card_indices
    return same and all(
        (getattr(other, name) or 0) >= (getattr(chosen, name) or 0)
        for name in ("gpu_memory_mib", "memory_mib", "nvme_gb", "network_gbps", "vcpus")
    )


def yaml(
    one: Configuration, model: Model, job: Job, *, region: str, chosen_zone: str | None, checkpoint: Plan | None
) -> str:
    """One entry of `pools:`; what has to be filled in by hand is in capitals, what has to be known is a comment."""
    instance, purchase = one.instance, one.offer.purchase
    where = zone(region, chosen_zone)
    known = "" if chosen_zone else " # A ZONE OF YOUR NETWORK THAT HAS THE TYPE"
    lines = [
        f"# {model.name}, {job.task}: {one.layout.words()} on {one.nodes} x {instance.name}",
        f"- name: {name(model, job)}",
        f"  instance_types: [{', '.join(types(one, region))}]",
        f"  purchase: {purchase}",
        f"  use: {'training' if job.trains else 'inference'}",
        f"  nodes: {{min: 0, max: {one.nodes}}}",
    ]
    if checkpoint is not None and checkpoint.within_notice is False:
        took = f"a checkpoint takes {checkpoint.write_seconds:,.0f} s, and spot's notice leaves {NOTICE_SECONDS} s"
        lines.insert(1, f"# NOT AS IT IS: {took}; take more nodes, or --purchase on-demand")
    if purchase in ("capacity-block", "reservation"):
        lines += ["  reservation:", "    id: cr-0123456789abcdef0 # YOURS", f"    zone: {where}{known}"]
        if purchase == "capacity-block":
            lines += [f'    starts: "{_STARTS}" # AS EC2 GAVE IT', f'    ends: "{_ENDS}" # AS EC2 GAVE IT']
    elif instance.efa_interfaces:
        lines.append(f"  zones: [{where}]{known}")
    lines.append("  efa: auto")
    lines.append(f"  volume_gib: {volume_gib(one, job)}")
    if checkpoint is not None:
        lines += _checkpoint(checkpoint, one.nodes, model, job)
    return "\n".join(lines) + "\n"


def _checkpoint(plan: Plan, nodes: int, model: Model, job: Job) -> list[str]:
    """`gib` is what one node writes: each writes its share."""
    gib = max(plan.bytes / nodes / GIB, 0.1)
    minutes = max(1, round(plan.daly / 60))
    return [
        "  checkpoint:",
        f"    gib: {gib:.1f}",
        f"    path: s3://CHECKPOINT-BUCKET/{name(model, job)} # THE STACK'S BUCKET",
        f"    every_minutes: {minutes}",
    ]
