"""Which inputs bear on security, cost or safety and how each is made weaker; which do not, and why.

`data/relevant.json` and `data/ignored.json` decide by type and place, both shell patterns; the first entry that fits
wins, and what is relevant wins over what is ignored (one without operators leaves alone
what a later one would change). Where no entry fits, the value itself decides: a flag is flipped,
a policy document weakened, a range opened. What is left over is undecided, and that is an error of the tables.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Final

from tools.mutation import documents, operators
from tools.mutation.values import is_list, is_mapping

DATA: Final = Path(__file__).parent / "data"
DROP, UNPROTECT = "drop", "unprotect"
"""What is done to a resource as a whole: it goes, or its protection against deletion does."""
_CIDR: Final = re.compile(r"\d+\.\d+\.\d+\.\d+/\d+|[0-9a-f:]*::[0-9a-f:]*/\d+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table."""

    type: str
    place: str
    """Empty for the resource as a whole."""
    do: tuple[str, ...]
    why: str
    holding: str = ""
    """Text that must stand in the value for the entry to fit."""

    def fits(self, type_: str, place: str, value: Any) -> bool:
        """Whether it decides about what stands at the place in a resource of the type."""
        return _matches(self.type, type_) and _matches(self.place, place) and self.holding in str(value)


def relevant(type_: str, place: str, value: Any = None) -> tuple[str, ...]:
    """Return the operators for a place: by the table, else by what stands there; none where it does not matter."""
    entry = _first("relevant", type_, place, value)
    if entry is not None:
        return entry.do
    if not place or _first("ignored", type_, place, value) is not None or is_mapping(value) or is_list(value):
        return ()
    if isinstance(value, bool) or value in ("true", "false"):
        return ("flip",)
    if documents.is_document(value):
        return ("document",)
    return ("open",) if isinstance(value, str) and _CIDR.fullmatch(value) else ()


def ignored(type_: str, place: str, value: Any = None) -> str | None:
    """Return why a place does not matter, if a table says that it does not."""
    entry = _first("ignored", type_, place, value)
    return entry.why if entry else None


@cache
def table(name: str) -> tuple[Entry, ...]:
    """Read a table.

    Raises:
        ValueError: an entry names no operator, an unknown one, or gives no reason.
    """
    rows: Sequence[Mapping[str, Any]] = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return tuple(_entry(name, row, number) for number, row in enumerate(rows, 1))


def _entry(name: str, row: Mapping[str, Any], number: int) -> Entry:
    entry = Entry(row["type"], row["place"], tuple(row.get("do", ())), row["why"], row.get("holding", ""))
    where = f"{name}.json, entry {number} ({entry.type} {entry.place})"
    strange = [one for one in entry.do if one not in (DROP, UNPROTECT) and not operators.known(one)]
    if strange:
        raise ValueError(f"{where}: no such operator: {', '.join(strange)}")
    if not entry.why or (entry.do and name != "relevant"):
        raise ValueError(f"{where}: needs a reason, and operators if and only if it is relevant")
    return entry


def _first(name: str, type_: str, place: str, value: Any) -> Entry | None:
    return next((entry for entry in _candidates(name, type_) if entry.fits(type_, place, value)), None)


@cache
def _candidates(name: str, type_: str) -> tuple[Entry, ...]:
    return tuple(entry for entry in table(name) if _matches(entry.type, type_))


def _matches(shell: str, text: str) -> bool:
    return fnmatchcase(text, shell.replace("[", "[[]"))
