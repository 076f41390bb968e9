"""Calls of the AWS API in memory: one client for each service and region, every request checked against botocore's
service model.

Only a loopback address is accepted: a rehearsal cannot reach AWS, whatever credentials lie in the environment.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from gpufleet.rehearsal.aws import addressing, requests
from gpufleet.rehearsal.aws.errors import AwsError, RehearsalError
from gpufleet.rehearsal.aws.gaps import FORGOTTEN_MEMBERS, MISSING_OPERATIONS

# Imported dynamically: botocore ships no types.
_botocore: Any = import_module("botocore")
_sessions: Any = import_module("botocore.session")
_configs: Any = import_module("botocore.config")
_exceptions: Any = import_module("botocore.exceptions")
_validation: Any = import_module("botocore.validate")

_ACCOUNT_HEADER = "x-moto-account-id"


@cache
def _session() -> Any:
    """Return one session for the process: it holds the service models, which take long to read (EC2's 0.3 s).

    Neither profile nor files of the user's are looked at: a profile that does not exist would end every call.
    """
    nowhere = dict.fromkeys(("profile", "ca_bundle"), (None, None, None, None))
    files = dict.fromkeys(("config_file", "credentials_file"), (None, None, os.devnull, None))
    return _sessions.Session(session_vars={**nowhere, **files})


class Api:
    """The AWS API at one loopback address, seen from one account.

    `account_id` is the account whose resources the calls see; None leaves it to the API (moto: 123456789012).
    Clients are made when first asked for: loading the model of EC2 alone takes a third of a second.
    """

    def __init__(self, endpoint: str, account_id: str | None = None) -> None:
        host = urlsplit(endpoint).hostname or ""
        if not (host == "localhost" or (host.replace(".", "").isdigit() and ip_address(host).is_loopback)):
            raise RehearsalError(
                f"{endpoint!r} is not a loopback address: the stand-in only talks to an AWS API on this machine"
            )
        self._endpoint = endpoint
        self._account_id = account_id
        self._config: Any = _configs.Config(s3=dict(addressing.S3), ignore_configured_endpoint_urls=True, proxies={})
        self._clients: dict[tuple[str, str], Any] = {}

    def client(self, service: str, region: str) -> Any:
        """Return the botocore client of the service in the region."""
        key = (service, region)
        if key not in self._clients:
            client = _session().create_client(
                service,
                region_name=region,
                endpoint_url=self._endpoint,
                aws_access_key_id="rehearsal",
                aws_secret_access_key="rehearsal",  # noqa: S106 -- not a secret
                config=self._config,
            )
            addressing.keep_host(client)
            if self._account_id:
                client.meta.events.register("before-sign", self._name_account)
            self._clients[key] = client
        return self._clients[key]

    def _name_account(self, request: Any, **_: Any) -> None:
        request.headers[_ACCOUNT_HEADER] = self._account_id

    def operation(self, service: str, operation: str, region: str) -> Any:
        """Return the operation's model."""
        return self.client(service, region).meta.service_model.operation_model(operation)


@dataclass
class Aws:
    """The AWS API as one operation on one resource sees it: a region, and what could only be recorded.

    `recorded` fills with the calls (or `Operation.member`) that the API in memory does not have, each with the request
    as JSON. `clears_the_way` has done before a deletion what AWS wants done and an operator would do by hand: deletion
    protection is lifted, a bucket is emptied.
    """

    api: Api
    region: str
    clears_the_way: bool = False
    recorded: dict[str, str] = field(default_factory=dict[str, str])

    def call(
        self, service: str, operation: str, properties: Mapping[str, Any], renames: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Build the request by the operation's shape (see requests.build), send it and return the answer.

        Where the API in memory has no such operation the request is validated and recorded, and the answer is empty.
        Raises AwsError with AWS's own code where it is refused.
        """
        model = self.api.operation(service, operation, self.region)
        request = requests.build(model.input_shape, properties, renames) if model.input_shape else {}
        if (service, operation) in MISSING_OPERATIONS:
            _validate(service, operation, request, model.input_shape)
            self._record(operation, request)
            return {}
        for member in FORGOTTEN_MEMBERS.get((service, operation), frozenset()) & request.keys():
            self._record(f"{operation}.{member}", request[member])
        client = self.api.client(service, self.region)
        try:
            answer: dict[str, Any] = getattr(client, _botocore.xform_name(operation))(**request)
        except _exceptions.ClientError as error:
            details: Any = error.response
            code, message = details["Error"].get("Code", ""), details["Error"].get("Message", "")
            raise AwsError(service, operation, str(code), str(message)) from error
        except _exceptions.ParamValidationError as error:
            raise AwsError(service, operation, "ParamValidation", str(error)) from error
        return answer

    def record(self, service: str, operation: str, properties: Mapping[str, Any], member: str | None = None) -> None:
        """Build and validate a request that is not sent, and record it, or one member of it.

        For operations that the API in memory has and cannot do for this kind of object.
        """
        model = self.api.operation(service, operation, self.region)
        request = requests.build(model.input_shape, properties)
        _validate(service, operation, request, model.input_shape)
        if member is None:
            self._record(operation, request)
        else:
            self._record(f"{operation}.{member}", request[member])

    def _record(self, name: str, request: Any) -> None:
        self.recorded[name] = json.dumps(request, sort_keys=True, default=str)

    def drop(self, service: str, operation: str, properties: Mapping[str, Any], *gone: str) -> None:
        """Make a deleting call and take the error codes in `gone` for success: what is not there need not be
        deleted."""
        try:
            self.call(service, operation, properties)
        except AwsError as error:
            if error.code not in gone:
                raise

    def find(self, service: str, operation: str, properties: Mapping[str, Any], *gone: str) -> dict[str, Any] | None:
        """Make a describing call and return None for the error codes in `gone`."""
        try:
            return self.call(service, operation, properties)
        except AwsError as error:
            if error.code in gone:
                return None
            raise

    def first(
        self, service: str, operation: str, properties: Mapping[str, Any], key: str, *gone: str
    ) -> dict[str, Any] | None:
        """Make a describing call and return the first item of its list `key`, None where there is none."""
        items: list[dict[str, Any]] = (self.find(service, operation, properties, *gone) or {}).get(key) or []
        return items[0] if items else None

    @cached_property
    def account_id(self) -> str:
        """The twelve digits of the account."""
        return str(self.call("sts", "GetCallerIdentity", {})["Account"])

    @property
    def partition(self) -> str:
        """The partition of the region (`aws`, `aws-cn`, `aws-us-gov`)."""
        return str(self.api.client("ec2", self.region).meta.partition)

    @property
    def dns_suffix(self) -> str:
        """The domain of the partition's service endpoints."""
        return "amazonaws.com.cn" if self.partition == "aws-cn" else "amazonaws.com"

    def arn(self, service: str, resource: str, *, regional: bool = True) -> str:
        """Return the ARN of a resource of this account."""
        return f"arn:{self.partition}:{service}:{self.region if regional else ''}:{self.account_id}:{resource}"

    def tags(self, properties: Mapping[str, Any]) -> dict[str, str]:
        """Return the tags to send: the resource's own over the provider's default tags, as check has merged them."""
        return dict(properties.get("tagsAll") or properties.get("tags") or {})

    def tag_specifications(self, resource_type: str, properties: Mapping[str, Any]) -> list[dict[str, Any]] | None:
        """Return EC2's TagSpecifications for the resource, or None where it has no tag: EC2 refuses an empty list."""
        tags = self.tags(properties)
        return [{"ResourceType": resource_type, "Tags": tags}] if tags else None


def _validate(service: str, operation: str, request: Mapping[str, Any], shape: Any) -> None:
    """Refuse what AWS's service model does not allow, as botocore does before it sends (AwsError)."""
    report: Any = _validation.ParamValidator().validate(request, shape)
    if report.has_errors():
        raise AwsError(service, operation, "ParamValidation", report.generate_report())
