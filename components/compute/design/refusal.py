"""What cannot be had, why not, and what comes nearest."""

from collections.abc import Mapping
from types import MappingProxyType


class Refused(ValueError):
    """The combination is impossible, or would be dear for nothing.

    `str()` of it is the whole message: path, value, reason, what is allowed, the nearest that is possible.
    """

    def __init__(
        self,
        rule: str,
        reason: str,
        *,
        path: str,
        value: object,
        allowed: str,
        nearest: str,
        change: Mapping[str, object] | None = None,
    ) -> None:
        """Say no.

        Args:
            rule: stable name of the refusal, `efa-one-zone`; for tests and tables.
            reason: why, in a sentence without its full stop.
            path: the pool's setting that is wrong, `reservation.zone`, below the pool.
            value: what stands there; None for nothing.
            allowed: what may stand there.
            nearest: the nearest possible combination, in words and as settings.
            change: the same as fields of `PoolRequest`; empty where nothing short of another instance type helps.
        """
        self.rule = rule
        self.reason = reason
        self.path = path
        self.value = value
        self.allowed = allowed
        self.nearest = nearest
        self.change: Mapping[str, object] = MappingProxyType(dict(change or {}))
        shown = "missing" if value is None else repr(value)
        super().__init__(f"{path}: {shown}: {reason}; allowed: {allowed}; nearest: {nearest}")
