"""What the node monitoring agent's reports lead to, and where that is too much, from ``data/node_repair.json``."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from gpufleet.facts import _data


@dataclass(frozen=True, slots=True)
class Override:
    """Another action than EKS's own for one report."""

    condition: str
    """`AcceleratedHardwareReady`."""
    reason: str
    """`NvidiaXID13Error`."""
    action: str
    """`NoAction`, `Reboot` or `Replace`."""
    wait_minutes: int
    why: str
    xid: int
    """NVIDIA's error code."""
    uses: tuple[str, ...]
    """Uses of a pool that it is for."""


@cache
def overrides() -> tuple[Override, ...]:
    """All of them, by XID."""
    content = _data.read("node_repair")
    rows: list[dict[str, Any]] = content["overrides"]
    return tuple(
        Override(
            content["condition"],
            reason(row["xid"]),
            row["action"],
            content["wait_minutes"],
            row["why"],
            row["xid"],
            tuple(row["uses"]),
        )
        for row in rows
    )


def default_action(xid: int) -> str | None:
    """What EKS does by itself about NVIDIA's error code, since the agent's version `events_since()`.

    Returns:
        `Reboot`, `Replace`, `Replace or Reboot` where EKS's documentation does not say which, or None for nothing.
    """
    return _action(_data.read("node_repair")["defaults"], xid)


def former_action(xid: int) -> str | None:
    """What EKS did about a code that was a condition of the node before that version, and now is an event."""
    return _action(_data.read("node_repair")["before"]["defaults"], xid)


def events_since() -> str:
    """The agent's version, `v1.6.4`, from which on codes with a former action lead to no repair."""
    version: str = _data.read("node_repair")["before"]["version"]
    return version


def _action(actions: dict[str, list[int]], xid: int) -> str | None:
    return next((action for action, codes in actions.items() if xid in codes), None)


def reason(xid: int) -> str:
    """The agent's word for NVIDIA's error code."""
    return f"NvidiaXID{xid}Error"
