"""Type tokens: which Kubernetes kind, or which machinery over it, a Pulumi type stands for."""

from dataclasses import dataclass

from gpufleet.rehearsal.kubernetes.errors import RehearsalError

HELM_RELEASE = "kubernetes:helm.sh/v3:Release"
HELM_CHART = "kubernetes:helm.sh/v4:Chart"

_PATCH = "Patch"
_LIST = "List"
_RENDERED = {
    "kubernetes:yaml/v2:ConfigFile": "yaml.v2.ConfigFile",
    "kubernetes:yaml/v2:ConfigGroup": "yaml.v2.ConfigGroup",
    "kubernetes:yaml:decode": "yaml.ConfigFile and yaml.ConfigGroup",
    "kubernetes:kustomize/v2:Directory": "kustomize.v2.Directory",
    "kubernetes:kustomize:directory": "kustomize.Directory",
    "kubernetes:helm:template": "helm.v3.Chart",
}


@dataclass(frozen=True)
class Token:
    """A type token of the `kubernetes` package, without its parents' types."""

    api_version: str
    """As in a manifest: `v1`, `apps/v1`."""
    kind: str
    """As in a manifest; of a Patch the kind it patches."""
    patch: bool
    """Whether it is one of the SDK's Patch types, which own some fields of an object that somebody else made."""


def bare(token: str) -> str:
    """Return the type itself: a resource inside components has its parents' types before its own in the URN."""
    return token.rsplit("$", 1)[-1]


def parse(token: str, kind: object = None) -> Token:
    """Return what a type stands for.

    Args:
        token: `kubernetes:apps/v1:Deployment`, with or without parents' types.
        kind: the kind in the inputs; where it is the type's without `Patch`, the type is a Patch.

    Raises:
        RehearsalError: the type is one of a list of objects, or machinery that the rehearsal does not have.
    """
    token = bare(token)
    refuse_rendered(token)
    _, module, name = token.split(":", 2)
    api_version = module.removeprefix("core/")
    if name.endswith(_LIST) and name != _LIST and kind in (None, name):
        raise RehearsalError(
            f"{token}: a list of objects cannot be created; declare each object ({name.removesuffix(_LIST)}) by itself"
        )
    stem = name.removesuffix(_PATCH)
    patch = name.endswith(_PATCH) and bool(stem) and kind in (None, stem)
    return Token(api_version, stem if patch else name, patch)


def refuse_rendered(token: str) -> None:
    """Refuse what turns files into objects (RehearsalError); the rehearsal has neither Helm nor kustomize for it."""
    if name := _RENDERED.get(token):
        raise RehearsalError(
            f"{name}: the rehearsal's stand-in for the kubernetes plugin does not render files into objects; declare "
            "the objects themselves, or use helm.v3.Release or helm.v4.Chart (they are recorded)"
        )
