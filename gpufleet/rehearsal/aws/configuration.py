"""The provider's own configuration: region, accounts, default tags."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gpufleet.rehearsal.aws.errors import RehearsalError

# Read below, or about credentials and endpoints, which a rehearsal has no use for.
_KNOWN = frozenset(
    {
        "accessKey",
        "allowedAccountIds",
        "assumeRoles",
        "defaultTags",
        "endpoints",
        "forbiddenAccountIds",
        "maxRetries",
        "profile",
        "region",
        "retryMode",
        "s3UsePathStyle",
        "secretKey",
        "sharedConfigFiles",
        "sharedCredentialsFiles",
        "skipCredentialsValidation",
        "skipMetadataApiCheck",
        "skipRegionValidation",
        "skipRequestingAccountId",
        "token",
        "useDualstackEndpoint",
        "useFipsEndpoint",
        "version",
    }
)


@dataclass(frozen=True)
class Configuration:
    """What the provider was configured with; `region` is empty where the program gave none."""

    region: str = ""
    allowed_account_ids: tuple[str, ...] = ()
    forbidden_account_ids: tuple[str, ...] = ()
    default_tags: Mapping[str, str] = field(default_factory=dict[str, str])


def read(properties: Mapping[str, Any]) -> Configuration:
    """Return the configuration from the provider resource's inputs, of which the SDK sends all but strings as JSON
    text.

    Raises RehearsalError for an input that the stand-in would have to ignore although it changes what is created
    (`ignoreTags`).
    """
    values = {name: _decoded(value) for name, value in properties.items()}
    unknown = sorted(name for name in values if name not in _KNOWN and not name.startswith("__"))
    if unknown:
        raise RehearsalError(
            f"aws provider: {', '.join(unknown)}: the rehearsal does not know this setting of the provider"
        )
    default_tags: dict[str, Any] = values.get("defaultTags") or {}
    tags: dict[str, Any] = default_tags.get("tags") or {}
    return Configuration(
        region=str(values.get("region") or ""),
        allowed_account_ids=tuple(str(account) for account in values.get("allowedAccountIds") or ()),
        forbidden_account_ids=tuple(str(account) for account in values.get("forbiddenAccountIds") or ()),
        default_tags={key: str(value) for key, value in tags.items()},
    )


def _decoded(value: Any) -> Any:
    if isinstance(value, str) and value[:1] in ("[", "{"):
        return json.loads(value)
    return value


def guard(configuration: Configuration, account_id: str) -> None:
    """Refuse an account that the program does not allow (RehearsalError, in the real provider's words)."""
    allowed, forbidden = configuration.allowed_account_ids, configuration.forbidden_account_ids
    if (allowed and account_id not in allowed) or account_id in forbidden:
        raise RehearsalError(
            f"AWS account ID not allowed: {account_id} (allowedAccountIds: {', '.join(allowed) or 'any'};"
            f" forbiddenAccountIds: {', '.join(forbidden) or 'none'})"
        )
