"""Clients of one AWS account, and what its owner did not permit."""

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Self, TypeVar

from gpufleet.errors import MissingError, UsageError

T = TypeVar("T")

NOTHING: Mapping[str, Any] = MappingProxyType({})
"""What AWS leaves out, where it is read from."""

_DENIED = frozenset({"403", "AccessDenied", "AccessDeniedException", "AuthorizationError", "UnauthorizedOperation"})
"""403 is all that a HEAD request is told."""
_ATTEMPTS = 8
"""Thousands of small questions are asked: throttling is met, and waited out."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that could not be looked at, because a permission is missing."""

    permission: str
    """As IAM writes it: `s3:ListBucketVersions`."""
    on: str

    def as_document(self) -> dict[str, str]:
        """The fields as JSON."""
        return asdict(self)


class Account:
    """Clients of the account that the stack's settings name, and of no other."""

    account_id: str
    partition: str
    caller: str
    """ARN of whoever asks."""

    def __init__(self, session: Any, account_id: str, partition: str, caller: str) -> None:
        self._session = session
        self._clients: dict[tuple[str, str], Any] = {}
        self.account_id, self.partition, self.caller = account_id, partition, caller

    @classmethod
    def connect(cls, account_id: str, region: str) -> Self:
        """Take the credentials that boto3 finds, and see that they are of the right account.

        Args:
            account_id: the account that the settings name.
            region: where STS is asked.

        Raises:
            MissingError: boto3, credentials, or AWS itself cannot be had.
            UsageError: the credentials are another account's.
        """
        if importlib.util.find_spec("boto3") is None:
            raise MissingError("a clean-up needs boto3: install gpufleet[rehearsal] (in a checkout: make sync)")
        boto3: Any = importlib.import_module("boto3")  # ships no types
        try:
            session = boto3.Session()
            who = session.client("sts", region_name=region).get_caller_identity()
        except _errors() as error:
            raise MissingError(
                f"AWS takes no credentials from here: {error}\n"
                "  fix: name a profile with AWS_PROFILE, log in (aws sso login), or set AWS_ACCESS_KEY_ID and "
                "AWS_SECRET_ACCESS_KEY; of a kept rehearsal, paste the exports it printed"
            ) from error
        if who["Account"] != account_id:
            raise UsageError(
                f"the credentials are of account {who['Account']} ({who['Arn']})\n"
                f"  allowed: account {account_id}, which the settings name as account_id\n"
                "  fix: take that account's credentials, or name another stack"
            )
        return cls(session, account_id, who["Arn"].split(":")[1], who["Arn"])

    def client(self, service: str, region: str) -> Any:
        """boto3's client of a service in a region, made once."""
        if (service, region) not in self._clients:
            config: Any = importlib.import_module("botocore.config").Config(
                retries={"mode": "standard", "total_max_attempts": _ATTEMPTS}
            )
            self._clients[service, region] = self._session.client(service, region_name=region, config=config)
        return self._clients[service, region]

    def pages(self, service: str, region: str, operation: str, items: str, **parameters: Any) -> Iterator[Any]:
        """Everything that a paginated operation lists below `items`."""
        for page in self.client(service, region).get_paginator(operation).paginate(**parameters):
            yield from page.get(items) or ()


def ask(question: Callable[[], T], permission: str, on: str, gaps: list[Gap]) -> T | None:
    """The answer; None where the permission for it is missing, which is then noted in `gaps`."""
    try:
        return question()
    except _client_error() as error:
        if code(error) not in _DENIED:
            raise
    gaps.append(Gap(permission, on))
    return None


def or_none(question: Callable[[], T], *absent: str) -> T | None:
    """The answer; None where AWS says with one of the codes that there is no such thing."""
    try:
        return question()
    except _client_error() as error:
        if code(error) not in absent:
            raise
    return None


def code(error: Any) -> str:
    """AWS's code of a refusal."""
    return str(error.response.get("Error", {}).get("Code", ""))


def answered(work: Callable[[], T]) -> T:
    """Do the work; what AWS refuses on the way, or a network that fails, is one message.

    Raises:
        MissingError: AWS could not be asked.
    """
    try:
        return work()
    except _errors() as error:
        raise MissingError(f"AWS could not be asked: {error}") from error


def _client_error() -> Any:
    return importlib.import_module("botocore.exceptions").ClientError


def _errors() -> tuple[Any, Any]:
    exceptions: Any = importlib.import_module("botocore.exceptions")
    return exceptions.ClientError, exceptions.BotoCoreError
