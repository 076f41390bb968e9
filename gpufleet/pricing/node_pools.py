"""Price rule for Karpenter's NodePools: nothing at the floor, the dearest mix within the limits at the ceiling."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal, InvalidOperation
from typing import Any, Final

from gpufleet.facts import prices
from gpufleet.facts.instances import InstanceType
from gpufleet.facts.prices import Price
from gpufleet.pricing import pools, requirements, volumes, wire
from gpufleet.pricing.charge import Charge, Count, Gap, usd
from gpufleet.pricing.fleet import SPOT_FLOOR, expected_spot, why_no_price
from gpufleet.pricing.index import Context, Resource, field
from gpufleet.pricing.mix import Candidate, Mix, dearest

_MEMORY_LEFT: Final = Decimal("0.925")
"""Share of a type's memory that Karpenter counts as a node's: `vmMemoryOverheadPercent` is 0.075 by default.
https://karpenter.sh/docs/reference/settings/"""
_DISK: Final = {"deviceName": "/dev/xvda", "ebs": {"volumeSize": "20Gi", "volumeType": "gp3"}}
"""What Karpenter mounts where a node class names no volume.
https://karpenter.sh/docs/concepts/nodeclasses/#specblockdevicemappings"""
_QUANTITY: Final = re.compile(r"^(?P<number>[0-9.]+(?:e[0-9]+)?)(?P<unit>m|[kMGTP]|[KMGTP]i)?$")
_UNITS: Final[Mapping[str, Decimal]] = {
    "m": Decimal("0.001"),
    "k": Decimal(10**3),
    **{unit: Decimal(10 ** (3 * power)) for power, unit in enumerate("MGTP", start=2)},
    **{f"{unit}i": Decimal(1024**power) for power, unit in enumerate("KMGTP", start=1)},
}
_ACCELERATORS: Final = {"nvidia": "nvidia.com/gpu", "amd": "amd.com/gpu", "habana": "habana.ai/gaudi"}
_MIB: Final = 1024 * 1024


def node_pool(resource: Resource, context: Context) -> Iterator[Charge | Gap]:
    """A NodePool of karpenter.sh/v1, with the volumes of its EC2NodeClass."""
    spec = wire.value(resource.get("inputs"), "spec")
    rules = wire.items(spec, "template.spec.requirements")
    if "linux" not in requirements.values_of(rules, requirements.OPERATING_SYSTEM, ("linux",)):
        yield Gap("nodes that do not run Linux: the known prices are those of Linux")
        return
    bought = requirements.values_of(rules, requirements.CAPACITY_TYPE, ("on-demand",))
    for name in requirements.unknown_names(rules):
        yield Gap(why_no_price(name))
    types = requirements.admitted(rules)
    known = {type_.name: price for type_ in types if (price := prices.instance_hour(type_.name, context.region))}
    for type_ in types:
        if type_.name not in known:
            yield Gap(why_no_price(type_.name))
    if not known:
        yield Gap("its requirements admit no type that has a known price")
        return
    if any(type_.accelerator is None for type_ in types) and not requirements.names_types(rules):
        yield Gap("it also admits CPU types beyond those of the catalogue: name the types to hold the ceiling")
    limits = _limits(spec)
    priced = [type_ for type_ in types if type_.name in known]
    candidates = [Candidate(type_.name, usd(known[type_.name]), _takes(type_, limits)) for type_ in priced]
    mix = dearest(candidates, limits)
    if mix is None:
        held = f"the limits {', '.join(limits)} do not hold every type it admits" if limits else "it has no limits"
        yield Gap(f"{held}: it may start any number of nodes")
        return
    charge = _charge(resource, context, known, candidates, limits, mix, bought)
    yield charge
    most = max(_filling(one, limits) for one in candidates).to_integral_value(ROUND_FLOOR)
    nodes = Count(charge.count.minimum, charge.count.expected, max(most, charge.count.maximum, charge.count.expected))
    yield from _volumes(spec, nodes, context)


def _charge(
    resource: Resource,
    context: Context,
    known: Mapping[str, Price],
    candidates: Sequence[Candidate],
    limits: Mapping[str, Decimal],
    mix: Mix,
    bought: Sequence[str],
) -> Charge:
    busy = context.assumptions.busy(field(resource, "name"), pools.name(resource), pools.use(resource)).value
    static = wire.number(resource.get("inputs"), "spec.replicas", default=0)
    nodes = Decimal(sum(mix.nodes.values()))
    cheapest, most = _cheapest(candidates, limits)
    purchase = "spot" if "spot" in bought else "reservation" if list(bought) == ["reserved"] else "on-demand"
    rate, spot_note = usd(known[cheapest.name]), ""
    if purchase == "spot":
        rate, spot_note = expected_spot({cheapest.name: known[cheapest.name]}, context.region, context.assumptions.spot)
    floor_rate = min(one.usd for one in candidates) * (SPOT_FLOOR if purchase == "spot" else 1)
    expected = max(static, min(most, mix.usd / cheapest.usd) * busy)
    dearest_of_mix = max((known[name] for name in mix.nodes), key=usd, default=known[cheapest.name])
    notes = [
        "" if mix.exact else "no mix within all of its limits costs more",
        f"expected in {cheapest.name}, the cheapest for what the limits count",
        spot_note,
        "runs in capacity reservations, which are billed used or not" if purchase == "reservation" else "",
    ]
    counted = " + ".join(f"{count} x {name}" for name, count in sorted(mix.nodes.items())) or "no node fits"
    return Charge(
        what=counted if len(known) == 1 else f"{counted} (dearest of {len(known)} types within the limits)",
        count=Count(static, expected, max(nodes, static)),
        price=dearest_of_mix,
        minimum_usd=static * floor_rate,
        expected_usd=expected * rate,
        maximum_usd=max(mix.usd, static * usd(dearest_of_mix)),
        purchase=purchase,
        types=(cheapest.name,),
        note="; ".join(filter(None, notes)),
    )


def _cheapest(candidates: Sequence[Candidate], limits: Mapping[str, Decimal]) -> tuple[Candidate, Decimal]:
    """The type that gives most for its price of what the limits count (GPUs first), and how many of it they hold."""
    wanted = [key for key in (*_ACCELERATORS.values(), "cpu", "memory", "nodes") if key in limits]
    for key in wanted:
        if all(one.takes[key] for one in candidates):
            best = min(candidates, key=lambda one: (one.usd / one.takes[key], one.usd, one.name))
            return best, _filling(best, limits)
    best = min(candidates, key=lambda one: (one.usd, one.name))
    return best, _filling(best, limits)


def _filling(one: Candidate, limits: Mapping[str, Decimal]) -> Decimal:
    """How many nodes of a type the limits hold."""
    return min((limit / one.takes[key] for key, limit in limits.items() if one.takes.get(key)), default=Decimal())


def _takes(type_: InstanceType, limits: Mapping[str, Decimal]) -> dict[str, int]:
    """What one node counts for in each limit; a limit on what no type has is not held by any."""
    gpus = _ACCELERATORS.get(type_.accelerator or "")
    own = {
        "cpu": type_.vcpus or 0,
        "memory": int((type_.memory_mib or 0) * _MEMORY_LEFT),
        "nodes": 1,
        **({gpus: type_.gpu_count} if gpus else {}),
    }
    return {key: own.get(key, 0) for key in limits}


def _limits(spec: object) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    stated: Any = wire.value(spec, "limits") or {}
    for key in stated:
        amount = _quantity(stated[key], f"limits.{key}")
        found[key] = amount / _MIB if key == "memory" else amount
    if wire.value(spec, "replicas") is not None and "nodes" not in found:
        found["nodes"] = wire.number(spec, "replicas")
    return found


def _quantity(value: object, path: str) -> Decimal:
    """A quantity as Kubernetes writes it: `8`, `"8"`, `1000Gi`, `500m`."""
    written = _QUANTITY.match(str(value))
    if value == wire.UNKNOWN or isinstance(value, bool) or written is None:
        raise wire.Unreadable(f"{path} is {value!r}, not a quantity such as 8 or 1000Gi")
    try:
        return Decimal(written["number"]) * _UNITS.get(written["unit"] or "", Decimal(1))
    except InvalidOperation as error:
        raise wire.Unreadable(f"{path} is {value!r}, not a quantity such as 8 or 1000Gi") from error


def _volumes(spec: object, count: Count, context: Context) -> Iterator[Charge | Gap]:
    name = wire.text(spec, "template.spec.nodeClassRef.name")
    node_class = context.index.node_class(name)
    if node_class is None:
        yield Gap(f"its volumes: the EC2NodeClass {name!r} is not in this plan")
        return
    stated = wire.items(node_class.get("inputs"), "spec.blockDeviceMappings") or (_DISK,)
    mappings: list[dict[str, Any]] = []
    for mapping in stated:
        ebs: dict[str, Any] = {"volumeType": "gp3", **(wire.value(mapping, "ebs") or {})}
        if "volumeSize" in ebs:
            gib = _quantity(ebs["volumeSize"], "blockDeviceMappings.ebs.volumeSize") / 1024**3
            ebs["volumeSize"] = float(gib)
        mappings.append({"deviceName": wire.text(mapping, "deviceName", "device"), "ebs": ebs})
    yield from volumes.of_mappings({"blockDeviceMappings": mappings}, count, context.region)
