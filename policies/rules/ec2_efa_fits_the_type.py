"""EFA that a type cannot carry keeps nodes from starting, and EFA that is left out makes many nodes slower than one."""

from collections.abc import Iterator, Sequence
from typing import Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._node_sets import NodeSet, node_sets
from ._reading import UNKNOWN
from ._stack import Report, Stack, for_stack

_LABEL: Final = "gpufleet.io/efa"


def _check(stack: Stack, report: Report) -> None:
    for nodes in node_sets(stack):
        for fault in _faults(nodes):
            report(fault, nodes.resource.urn)


def _faults(nodes: NodeSet) -> Iterator[str]:
    efa = nodes.efa_interfaces
    if not efa:
        if nodes.maker is not None and nodes.labels.get(_LABEL) == "true" and not _may_have(nodes):
            yield f"its label {_LABEL} promises EFA and {nodes.interfaces_key} has none; each card must have one."
        return
    for type_ in nodes.types:
        if not type_.efa_card_indices:
            yield f"{len(efa)} EFA interfaces for {type_.name}, which carries none; the type must have EFA."
            continue
        cards = {0 if one.card is None else one.card for one in efa}
        beyond = sorted(card for card in cards if card is not UNKNOWN and card not in type_.efa_card_indices)
        if beyond:
            known = _listed(type_.efa_card_indices)
            yield f"EFA on network cards {_listed(beyond)} of {type_.name}, which carries it on {known}."
        elif UNKNOWN not in cards and (idle := sorted(set(type_.efa_card_indices) - cards)):
            yield f"no EFA interface on cards {_listed(idle)} of {type_.name}; each card that has EFA must have one."


def _may_have(nodes: NodeSet) -> bool:
    return any(one.kind is UNKNOWN for one in nodes.interfaces)


def _listed(cards: Sequence[float]) -> str:
    """Numbers in a row as first to last."""
    if len(cards) > 2 and cards[-1] - cards[0] == len(cards) - 1:
        return f"{cards[0]:g} to {cards[-1]:g}"
    return ", ".join(f"{card:g}" for card in cards)


RULE = StackValidationPolicy(
    name="ec2-efa-fits-the-type",
    description="EFA that a type cannot carry keeps nodes from starting, and EFA that is left out makes many nodes "
    "slower than one.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "network"],
    remediation_steps="Give each network card that carries EFA one interface of type efa-only (the first card beside "
    "the node's ordinary one), for pools of types that have EFA, and for no others.",
    url="https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html",
    validate=for_stack(_check),
)
