"""What the pool draws on: the account's quota, and USD an hour."""

from gpufleet.facts import prices, quotas

from .ledger import Ledger
from .machines import Machines
from .purchasing import Purchase
from .request import PoolRequest
from .shapes import PriceRange, Quota


def decide_quotas(request: PoolRequest, machines: Machines, ledger: Ledger) -> tuple[Quota, ...]:
    """The quotas at the ceiling, one for each that the types draw on, that of the most wanted type first."""
    counted = request.purchase != "capacity-block"
    way = "spot" if request.purchase == "spot" else "on-demand"
    found: dict[tuple[str | None, str], Quota] = {}
    for type_ in machines.types:
        row = quotas.vcpus(type_.name, way)
        code, name = (row.code, row.name) if row is not None else (None, f"the {way} quota of {type_.family}")
        vcpus = None if type_.vcpus is None else type_.vcpus * request.max_nodes
        before = found.get((code, name))
        if before is not None and (vcpus is None or (before.vcpus_at_ceiling or 0) > vcpus):
            vcpus = before.vcpus_at_ceiling
        found[code, name] = Quota(code=code, name=name, vcpus_at_ceiling=vcpus, counted=counted)
    shown = "; ".join(f"{q.name} ({q.code or 'code not known'}): {_vcpus(q)}" for q in found.values())
    if counted:
        held = "; what is reserved counts, used or not" if request.purchase == "reservation" else ""
        ledger.decide("quota", shown, f"{request.max_nodes} nodes at the ceiling, by their vCPUs{held}")
    else:
        ledger.decide("quota", "none", "a capacity block counts against no vCPU quota")
    return tuple(found.values())


def decide_price(request: PoolRequest, machines: Machines, purchase: Purchase, ledger: Ledger) -> PriceRange:
    """USD an hour at the floor and at the ceiling."""
    known = [prices.instance_hour(type_.name, request.region) for type_ in machines.types]
    hours = [price for price in known if price is not None]
    complete = len(hours) == len(known)
    as_of = min((price.date for price in hours), default=prices.AS_OF)
    if purchase.reservation is not None:
        paid = purchase.reservation.count or request.max_nodes
        lowest, highest, nodes = 1.0, 1.0, (paid, max(paid, request.max_nodes))
        basis = f"list price of the {paid} reserved instances, used or not"
        if request.purchase == "capacity-block":
            basis = f"list price standing in for what was paid in advance for {paid} instances of the block"
    elif request.purchase == "spot":
        lowest, highest, nodes = prices.SPOT_FLOOR_RATIO, 1.0, (request.min_nodes, request.max_nodes)
        basis = f"spot, from {lowest:.0%} of the list price to all of it"
    else:
        lowest, highest, nodes = 1.0, 1.0, (request.min_nodes, request.max_nodes)
        basis = "on-demand list price"
    if request.dedicated:
        basis += ", of shared tenancy: dedicated is dearer, and 2 USD an hour and region more"
    least = min((price.usd for price in hours), default=0.0) * lowest * nodes[0]
    most = max((price.usd for price in hours), default=0.0) * highest * nodes[1]
    range_ = PriceRange(
        minimum_usd_per_hour=round(least, 4) if complete else None,
        maximum_usd_per_hour=round(most, 4) if complete else None,
        basis=basis,
        as_of=as_of,
        assumed=any(price.assumed for price in hours) or request.dedicated or request.purchase == "capacity-block",
    )
    if complete:
        ledger.decide("price", f"{range_.minimum_usd_per_hour:g} to {range_.maximum_usd_per_hour:g} USD/h", basis)
    else:
        untold = [type_.name for type_, price in zip(machines.types, known, strict=True) if price is None]
        ledger.decide("price", "not known", f"no list price is known of {', '.join(untold)}")
        ledger.warn(f"no list price of {', '.join(untold)} is known: budgets cannot count the pool")
    return range_


def _vcpus(quota: Quota) -> str:
    return "vCPUs not known" if quota.vcpus_at_ceiling is None else f"{quota.vcpus_at_ceiling} vCPUs"
