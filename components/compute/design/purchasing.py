"""How the nodes are bought, and whether the reservation that they need fits the pool."""

from dataclasses import dataclass

from gpufleet.facts import interruptions

from .contract import check_contract
from .ledger import Ledger
from .machines import Machines
from .refusal import Refused
from .request import PoolRequest, Reservation

RESERVED = ("reservation", "capacity-block")


@dataclass(frozen=True, kw_only=True)
class Purchase:
    """In EKS's, EC2's and Karpenter's words."""

    capacity_type: str
    karpenter_capacity_type: str
    market_type: str | None
    tenancy: str | None
    reservation: Reservation | None
    """None unless the pool keeps to one."""
    reservation_preference: str | None
    makes_reservation: str | None
    type_in_template: bool

    @property
    def is_reserved(self) -> bool:
        """Whether nodes come from a reservation or a block only."""
        return self.reservation is not None


def decide(request: PoolRequest, machines: Machines, ledger: Ledger) -> Purchase:
    """The purchase option.

    Raises:
        Refused: `not-sold-on-demand`, `not-sold-as-spot`, `not-sold-as-block`, `dedicated-block`,
            `reservation-not-used`, and those of `contract.check_contract`.
    """
    reserved = request.purchase in RESERVED
    _sold(request, machines)
    reservation = check_contract(request, machines, ledger) if reserved else None
    if request.reservation is not None and not reserved:
        raise Refused(
            "reservation-not-used",
            f"{request.purchase} nodes run outside the reservation, which is billed all the same",
            path="purchase",
            value=request.purchase,
            allowed="reservation or capacity-block beside a reservation",
            nearest="purchase: reservation",
            change={"purchase": "reservation"},
        )
    _explain(request, machines, ledger)
    return Purchase(
        capacity_type={"spot": "SPOT", "capacity-block": "CAPACITY_BLOCK"}.get(request.purchase, "ON_DEMAND"),
        karpenter_capacity_type="reserved" if reserved else request.purchase,
        market_type="capacity-block" if request.purchase == "capacity-block" else None,
        tenancy=_tenancy(request, ledger),
        reservation=reservation,
        reservation_preference="capacity-reservations-only" if request.purchase == "reservation" else None,
        makes_reservation=_makes(request, reservation),
        type_in_template=request.purchase == "capacity-block",
    )


def _sold(request: PoolRequest, machines: Machines) -> None:
    """Every type is sold the way the pool buys."""
    for type_ in machines.types:
        if request.purchase in ("on-demand", "reservation") and type_.on_demand is False:
            raise Refused(
                "not-sold-on-demand",
                f"{type_.name} is sold in capacity blocks only",
                path="purchase",
                value=request.purchase,
                allowed="capacity-block",
                nearest="purchase: capacity-block, with the reservation of a block",
            )
        if request.purchase == "spot" and type_.spot is False:
            raise Refused(
                "not-sold-as-spot",
                f"{type_.name} is not sold as spot",
                path="purchase",
                value="spot",
                allowed="on-demand, reservation" if type_.on_demand is not False else "capacity-block",
                nearest="purchase: on-demand" if type_.on_demand is not False else "purchase: capacity-block",
                change={"purchase": "on-demand"} if type_.on_demand is not False else None,
            )
        if request.purchase == "capacity-block" and type_.capacity_block is not True:
            raise Refused(
                "not-sold-as-block",
                f"{type_.name} is not sold in capacity blocks",
                path="purchase",
                value="capacity-block",
                allowed="on-demand, spot, reservation",
                nearest="a reservation whose end is known: purchase: reservation",
                change={"purchase": "reservation"},
            )
    if request.dedicated and request.purchase == "capacity-block":
        raise Refused(
            "dedicated-block",
            "EC2 sells capacity blocks on shared tenancy only",
            path="dedicated",
            value=True,
            allowed="false with a capacity block",
            nearest="whole servers anyway, as all block types of eight GPUs are: dedicated: false",
            change={"dedicated": False},
        )


def _makes(request: PoolRequest, reservation: Reservation | None) -> str | None:
    if reservation is None:
        return None
    if request.purchase == "capacity-block":
        return "capacity-block" if reservation.offering_id is not None else None
    return "on-demand" if reservation.create else None


def _tenancy(request: PoolRequest, ledger: Ledger) -> str | None:
    if not request.dedicated:
        ledger.decide("tenancy", "shared", "EC2 keeps accounts apart on shared hardware too, and nobody asked for more")
        return None
    ledger.decide(
        "tenancy",
        "dedicated",
        "no other account is on the hardware; EC2 takes 2 USD an hour and region for it, and a reservation must have "
        "the same tenancy",
    )
    return "dedicated"


def _explain(request: PoolRequest, machines: Machines, ledger: Ledger) -> None:
    if request.purchase == "spot":
        ledger.decide(
            "purchase",
            "spot (SPOT)",
            f"up to nine tenths cheaper, gone after {interruptions.SPOT_NOTICE_SECONDS} s notice; EKS takes the pools "
            "with the most capacity for the price (price-capacity-optimized)",
        )
        if len(machines.types) == 1:
            ledger.warn(
                f"spot with {machines.names[0]} alone: when it runs out there is nothing to fall back on; name three "
                "types or more"
            )
        return
    ledger.decide(
        "purchase",
        {
            "on-demand": "on-demand (ON_DEMAND)",
            "reservation": "on-demand in a capacity reservation (ON_DEMAND)",
            "capacity-block": "capacity block (CAPACITY_BLOCK)",
        }[request.purchase],
        {
            "on-demand": "billed while it runs, ended by nobody else",
            "reservation": "the capacity is held and billed, used or not; nodes run inside it and nowhere else",
            "capacity-block": "paid in advance for its window; its end ends the nodes, whatever they do",
        }[request.purchase],
    )
