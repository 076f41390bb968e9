"""What moto gets wrong in a way that would refuse a sound program, put right in the server's process.

Nothing is made to pass that AWS would refuse: each repair asks the same question and reads the answer fully.
"""

import importlib
import json
from collections.abc import Mapping
from typing import Any, cast

LOG_DELIVERY = "logging.s3.amazonaws.com"


def repair() -> None:
    """Put every repair in place, for this process."""
    # A dynamic import: this part of moto ships without types.
    models: Any = importlib.import_module("moto.s3.models")
    models.FakeBucket._log_permissions_enabled_policy = staticmethod(lets_logs_in)
    prefixes: Any = importlib.import_module("moto.ec2.models.managed_prefixes")
    _with_express_prefixes(prefixes.ManagedPrefixListBackend)


def _with_express_prefixes(backend: Any) -> None:
    """Every region has a prefix list of S3 Express's addresses, beside S3's own; moto 5.2 has S3's only."""
    original: Any = backend.create_default_pls

    def create_default_pls(self: Any) -> None:
        original(self)
        self._create_aws_managed_prefix_list(
            name=f"com.amazonaws.{self.region_name}.s3express",
            address_family="IPv4",
            entries=[{"Cidr": "3.5.96.0/19", "Description": "default"}],
        )

    backend.create_default_pls = create_default_pls


def lets_logs_in(target_bucket: Any, target_prefix: str | None) -> bool:
    """Say whether a bucket's policy lets S3 deliver access logs below a prefix.

    moto 5.2 fails on a principal that is not an object (`"*"`) and takes a list of one for none.
    """
    policy: dict[str, Any] = json.loads(target_bucket.policy.decode()) if target_bucket.policy else {}
    bucket = f"arn:{target_bucket.partition}:s3:::{target_bucket.name}"
    wanted = {f"{bucket}/{target_prefix or ''}*", f"{bucket}/*"}
    return any(
        statement.get("Effect") == "Allow"
        and LOG_DELIVERY in _services(statement)
        and "s3:PutObject" in _listed(statement.get("Action"))
        and wanted & set(_listed(statement.get("Resource")))
        for statement in cast("list[dict[str, Any]]", _listed(policy.get("Statement")))
    )


def _services(statement: Mapping[str, Any]) -> list[Any]:
    principal = statement.get("Principal")
    return _listed(cast("dict[str, Any]", principal).get("Service")) if isinstance(principal, dict) else []


def _listed(value: Any) -> list[Any]:
    """IAM writes a list of one as its only item."""
    return cast("list[Any]", value) if isinstance(value, list) else [] if value is None else [value]
