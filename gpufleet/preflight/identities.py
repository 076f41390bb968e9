"""Whose credentials a program's provider takes, and whether they are of the account that it may touch."""

import importlib
import importlib.util
from dataclasses import dataclass
from typing import Any

from gpufleet.errors import MissingError
from gpufleet.preflight.asking import Aws, Deadline
from gpufleet.preflight.results import CouldNotAsk

_SESSION = "gpufleet-preflight"


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What a provider says about credentials; two providers that say the same share one."""

    account_ids: tuple[str, ...] = ()
    """The accounts that it may touch; empty: any."""
    profile: str | None = None
    roles: tuple[str, ...] = ()
    """Roles that it takes on, one after the other."""


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who asks."""

    aws: Aws
    account_id: str
    arn: str


def require_boto3() -> None:
    """See that AWS can be asked from here at all.

    Raises:
        MissingError: boto3 is not installed.
    """
    if importlib.util.find_spec("boto3") is None:
        raise MissingError("a preflight needs boto3: install gpufleet[aws] (in a checkout: make sync)")


def connect(identity: Identity, region: str, deadline: Deadline) -> Caller:
    """Take the credentials that the provider would take.

    Raises:
        CouldNotAsk: there are none, or AWS does not take them.
    """
    boto3: Any = importlib.import_module("boto3")  # ships no types
    exceptions: Any = importlib.import_module("botocore.exceptions")
    try:
        session = boto3.Session(profile_name=identity.profile) if identity.profile else boto3.Session()
        for role in identity.roles:
            taken = session.client("sts", region_name=region).assume_role(RoleArn=role, RoleSessionName=_SESSION)
            credentials = taken["Credentials"]
            session = boto3.Session(
                aws_access_key_id=credentials["AccessKeyId"],
                aws_secret_access_key=credentials["SecretAccessKey"],
                aws_session_token=credentials["SessionToken"],
            )
        aws = Aws(session, region, deadline)
        # Needs no permission, and no policy can take it away.
        who = aws.client("sts").get_caller_identity()
    except (exceptions.ClientError, exceptions.BotoCoreError) as error:
        raise CouldNotAsk(f"AWS takes no credentials from here: {error}") from error
    return Caller(aws=aws, account_id=who["Account"], arn=who["Arn"])
