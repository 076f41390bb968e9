"""How clients of S3 reach a server that has one host for everything: no bucket, account or session in the address."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit, urlunsplit

S3: Mapping[str, Any] = {"addressing_style": "path", "disable_s3_express_session_auth": True}
"""botocore's `s3` settings. Directory buckets are asked by a session of their own, which moto does not give out."""

_ACCOUNT_DIGITS = 12


def keep_host(client: Any) -> None:
    """Have a client of S3's control API leave the account out of the host's name, where it puts it for AWS.

    The account is in the request's headers too. A client of another service is left as it is.
    """
    if client.meta.service_model.service_name == "s3control":
        client.meta.events.register("before-sign", _without_account, unique_id="gpufleet-keep-host")


def _without_account(request: Any, **event: Any) -> None:
    parts = urlsplit(str(request.url))
    account, _, host = parts.netloc.partition(".")
    if account.isdigit() and len(account) == _ACCOUNT_DIGITS:
        request.url = urlunsplit((parts.scheme, host, parts.path, parts.query, parts.fragment))
