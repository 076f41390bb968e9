"""The provider's own configuration."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from gpufleet.rehearsal.aws.values import holds_unknown
from gpufleet.rehearsal.kubernetes import connection
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.replacing import Mutable

# About which cluster (a rehearsal has one), how hard to ask it, and what to do when it is gone.
_OF_NO_CONCERN = frozenset(
    {
        "cluster",
        "clusterIdentifier",
        "context",
        "deleteUnreachable",
        "helmReleaseSettings",
        "kubeClientSettings",
        "kubeconfig",
        "skipUpdateUnreachable",
        "suppressDeprecationWarnings",
        "suppressHelmHookWarnings",
        "version",
    }
)
_READ = frozenset(
    {
        "enableConfigMapMutable",
        "enablePatchForce",
        "enableSecretMutable",
        "enableServerSideApply",
        "namespace",
        "upsertExistingObjects",
    }
)


@dataclass(frozen=True)
class Settings:
    """What the provider was configured with."""

    namespace: str = "default"
    """Where objects go that name no namespace."""
    force: bool = False
    """Take over fields that others own (`enablePatchForce`)."""
    upsert: bool = False
    """Take over objects that are there already (`upsertExistingObjects`)."""
    mutable: Mutable = Mutable()


def read(properties: Mapping[str, Any]) -> Settings:
    """Return the settings from the provider resource's inputs, of which the SDK sends all but strings as JSON text.

    The kubeconfig is checked for being one, and not followed: a rehearsal's objects are made in its own control plane.

    Raises:
        RehearsalError: the kubeconfig could not be used, or a setting asks for what the stand-in does not do.
    """
    values = {name: _decoded(name, value) for name, value in properties.items() if not name.startswith("__")}
    if unknown := sorted(values.keys() - _OF_NO_CONCERN - _READ):
        raise RehearsalError(
            f"kubernetes provider: {', '.join(unknown)}: the rehearsal does not know this setting; it knows "
            f"{', '.join(sorted(_OF_NO_CONCERN | _READ))}"
        )
    if values.get("enableServerSideApply") is False:
        raise RehearsalError(
            "kubernetes provider: enableServerSideApply: false: the rehearsal applies objects server-side only; leave "
            "the setting out (true is the provider's default)"
        )
    kubeconfig, context = values.get("kubeconfig"), values.get("context")
    if isinstance(kubeconfig, str) and kubeconfig and not holds_unknown([kubeconfig, context]):
        connection.validate(kubeconfig, cast(str | None, context))
    namespace = values.get("namespace")
    return Settings(
        namespace=str(namespace) if namespace else Settings.namespace,
        force=values.get("enablePatchForce") is True,
        upsert=values.get("upsertExistingObjects") is True,
        mutable=Mutable(values.get("enableConfigMapMutable") is True, values.get("enableSecretMutable") is True),
    )


def _decoded(name: str, value: Any) -> Any:
    if name == "kubeconfig" or not isinstance(value, str):
        return value
    if value in ("true", "false") or value[:1] in ("[", "{"):
        return json.loads(value)
    return value
