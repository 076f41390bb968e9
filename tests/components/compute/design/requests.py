"""Wishes for tests: a plain pool, and what it takes to make each purchase option complete."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from components.compute.design import Refused, decide
from components.compute.design.request import PoolRequest, Reservation
from components.compute.design.shapes import Design

STARTS = datetime(2027, 1, 17, 11, 30, tzinfo=UTC)
ENDS = datetime(2027, 1, 31, 11, 30, tzinfo=UTC)
HELD = Reservation(id="cr-0123456789abcdef0", zone="us-east-1a", count=2)
BLOCK = replace(HELD, starts=STARTS, ends=ENDS)


def wish(*instance_types: str, **fields: Any) -> PoolRequest:
    """A pool of up to two nodes in one zone of us-east-1; fields take the place of these."""
    plain: dict[str, Any] = {
        "name": "pool",
        "instance_types": instance_types,
        "region": "us-east-1",
        "zones": ("us-east-1a",),
        "kubernetes_version": "1.35",
        "max_nodes": 2,
    }
    return PoolRequest(**{**plain, **fields})


def bought(request: PoolRequest, purchase: str) -> PoolRequest:
    """The same, bought so, with the reservation that this takes."""
    kept = {"reservation": HELD, "capacity-block": BLOCK}.get(purchase)
    if kept is not None:
        kept = replace(kept, zone=request.zones[0])
    return replace(request, purchase=purchase, reservation=kept)


def answer(request: PoolRequest) -> Design | Refused:
    """The design or its refusal; any other exception is a failure."""
    try:
        return decide(request)
    except Refused as refused:
        return refused


def refusal(request: PoolRequest) -> Refused:
    """Why the wish is refused; a design is a failure."""
    with pytest.raises(Refused) as caught:
        decide(request)
    return caught.value


def reason(design: Design, about: str) -> str:
    """Why a choice was made."""
    return next(decision.because for decision in design.decisions if decision.about == about)
