"""Questions to AWS: clients of one set of credentials, with retries, an end in time, and refusals as plain words."""

import importlib
import threading
import time
from collections.abc import Callable
from typing import Any, Final, Self, TypeVar

from gpufleet.cleanup import account
from gpufleet.preflight.results import CouldNotAsk

T = TypeVar("T")

_ATTEMPTS: Final = 6
_CONNECT_SECONDS: Final = 5
_READ_SECONDS: Final = 20
_THROTTLED: Final = frozenset(
    {"RequestLimitExceeded", "Throttling", "ThrottlingException", "TooManyRequestsException", "SlowDown"}
)
_NOT_TAKEN: Final = frozenset({"AuthFailure", "InvalidClientTokenId", "OptInRequired", "UnrecognizedClientException"})
"""What a region answers that the account has not enabled."""


class Deadline:
    """When to stop asking."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._end = clock, clock() + seconds
        self.seconds = seconds

    def check(self, **_: Any) -> None:
        """Refuse to send what would come too late; botocore calls this before each request.

        Raises:
            CouldNotAsk: the time is over.
        """
        if self._clock() >= self._end:
            raise CouldNotAsk(f"the {self.seconds:g} seconds for all questions are over")


class Aws:
    """What one set of credentials may ask, in one region and, by `at`, in others."""

    def __init__(self, session: Any, region: str, deadline: Deadline) -> None:
        self.region = region
        self._session, self._deadline = session, deadline
        # A boto3 session is not made for threads; the clients that it makes are.
        self._lock = threading.Lock()
        self._clients: dict[tuple[str, str], Any] = {}

    def at(self, region: str) -> Self:
        """The same in another region, sharing all connections."""
        other = type(self)(self._session, region, self._deadline)
        other._lock, other._clients = self._lock, self._clients
        return other

    def client(self, service: str) -> Any:
        """boto3's client of a service in the region, made once."""
        key = (service, self.region)
        with self._lock:
            if key not in self._clients:
                config: Any = importlib.import_module("botocore.config").Config(
                    retries={"mode": "adaptive", "total_max_attempts": _ATTEMPTS},
                    connect_timeout=_CONNECT_SECONDS,
                    read_timeout=_READ_SECONDS,
                )
                client = self._session.client(service, region_name=self.region, config=config)
                client.meta.events.register("before-send", self._deadline.check)
                self._clients[key] = client
            return self._clients[key]

    def ask(self, permission: str, question: Callable[[], T], *absent: str) -> T | None:
        """The answer; None where AWS says with one of the codes in `absent` that there is no such thing.

        Raises:
            CouldNotAsk: the permission is missing, or AWS does not answer.
        """
        self._deadline.check()
        exceptions: Any = importlib.import_module("botocore.exceptions")
        parsers: Any = importlib.import_module("botocore.parsers")
        gaps: list[account.Gap] = []
        try:
            answer = account.ask(lambda: account.or_none(question, *absent), permission, self.region, gaps)
        except exceptions.ClientError as error:
            raise CouldNotAsk(self._why(error, account.code(error))) from error
        except exceptions.BotoCoreError as error:
            raise CouldNotAsk(f"AWS could not be reached: {error}") from error
        except parsers.ResponseParserError as error:
            raise CouldNotAsk("what answered is not AWS: its answer cannot be read") from error
        if gaps:
            raise CouldNotAsk(f"{permission} is missing", permission)
        return answer

    def _why(self, error: Exception, code: str) -> str:
        if code in _THROTTLED:
            return f"AWS is asked too often ({code})"
        if code in _NOT_TAKEN:
            return f"the credentials are not taken in {self.region} ({code}); is the region enabled for the account?"
        # A status in place of a code: a proxy's page, or an endpoint of a rehearsal that has not this operation.
        return f"what answered is not AWS ({code})" if code.isdigit() else str(error)

    def told(self, permission: str, question: Callable[[], T]) -> T:
        """The answer to a question that always has one.

        Raises:
            CouldNotAsk: as `ask`.
        """
        answer = self.ask(permission, question)
        if answer is None:
            raise CouldNotAsk("AWS answered with nothing")
        return answer

    def listed(self, permission: str, service: str, operation: str, items: str, **parameters: Any) -> list[Any]:
        """Everything that a paginated operation lists below `items`.

        Raises:
            CouldNotAsk: as `ask`.
        """
        pages = self.client(service).get_paginator(operation)
        return self.told(
            permission, lambda: [item for page in pages.paginate(**parameters) for item in page.get(items) or ()]
        )
