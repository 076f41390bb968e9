"""Where decisions are written down as they are made."""

from .shapes import Decision


class Ledger:
    """The decisions about one pool, in the order in which they were made, and what to warn of."""

    def __init__(self) -> None:
        """An empty one."""
        self._decisions: list[Decision] = []
        self._warnings: list[str] = []

    def decide(self, about: str, choice: str, because: str) -> None:
        """Write down one choice and its reason."""
        self._decisions.append(Decision(about=about, choice=choice, because=because))

    def warn(self, text: str) -> None:
        """Write down what is allowed and may well disappoint."""
        self._warnings.append(text)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All choices so far."""
        return tuple(self._decisions)

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings so far."""
        return tuple(self._warnings)
