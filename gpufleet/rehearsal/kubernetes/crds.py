"""The custom resource definitions that a recorded chart would bring, from `crds/*.yaml`.

Karpenter's are its own, rules and all, since what a pool may say is decided there. The others are minimal ones of ours:
they know the fields that programs set and the checks that matter. The version that each is for is in its annotation
`gpufleet.dev/written-for`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, cast

import yaml

from gpufleet.rehearsal.kubernetes.objects import CUSTOM_RESOURCE_DEFINITION, Object, Objects, Reference
from gpufleet.rehearsal.kubernetes.paths import at
from gpufleet.rehearsal.kubernetes.settling import settle

_OF_CHART = {
    "jobset": "jobset",
    "karpenter": "karpenter",
    "karpenter-crd": "karpenter",
    "kueue": "kueue",
    "lws": "leaderworkerset",
}
_TEMPLATED = frozenset({"karpenter-crd"})
"""Charts that bring their definitions as templates, which Helm updates too and `skipCrds` does not leave out."""

_HOLDER = "releases.gpufleet.dev/"
_DELETE_SECONDS = 120.0


@cache
def read(name: str) -> tuple[Object, ...]:
    """Return the definitions of one file of `crds/`, by its name without `.yaml`."""
    text = (files("gpufleet.rehearsal.kubernetes") / "crds" / f"{name}.yaml").read_text(encoding="utf-8")
    return tuple(cast("list[Object]", list(yaml.safe_load_all(text))))


def of_chart(chart: str, *, skip: bool = False) -> tuple[Object, ...]:
    """Return what a chart, named by itself or by a URL or path that ends in its name, would define; mostly nothing.

    Args:
        chart: as a release names it.
        skip: leave out what lies in the chart's `crds` folder, as `skipCrds` does.
    """
    name = chart.rstrip("/").rsplit("/", 1)[-1]
    return read(_OF_CHART[name]) if name in _OF_CHART and (name in _TEMPLATED or not skip) else ()


def hold(objects: Objects, definitions: Sequence[Object], holder: str) -> None:
    """Define them on behalf of a release; one that somebody else has defined is left as it is.

    Args:
        objects: the API server's.
        definitions: as `of_chart` returns them.
        holder: the release, `namespace/name`.
    """
    key, manager = _signature(holder)
    for definition in definitions:
        live = objects.find(Reference.of(definition))
        if live is not None and not _holders(live):
            continue
        metadata: Mapping[str, Any] = definition["metadata"]
        annotations = {**metadata["annotations"], key: holder}
        body = {**definition, "metadata": {**metadata, "annotations": annotations}}
        settle(objects, objects.apply(body, manager, force=True, doing="define"))


def let_go(objects: Objects, definitions: Sequence[Object], holder: str) -> None:
    """Take the release's definitions back; those that another release holds too stay.

    Helm itself would leave those in a chart's `crds` folder behind; a rehearsal has nobody to leave them for.
    """
    key, manager = _signature(holder)
    for definition in definitions:
        reference = Reference.of(definition)
        holders = _holders(objects.find(reference) or {})
        if holders == {key}:
            objects.delete(reference, "Background", _DELETE_SECONDS)
            for version in definition["spec"]["versions"]:
                objects.kinds.forget(f"{definition['spec']['group']}/{version['name']}")
        elif key in holders:
            api_version, kind = CUSTOM_RESOURCE_DEFINITION
            nothing = {"apiVersion": api_version, "kind": kind, "metadata": {"name": reference.name}}
            objects.apply(nothing, manager, doing="let go of")


def _signature(holder: str) -> tuple[str, str]:
    """Return the annotation and the field manager of a release; both are limited in length."""
    digest = sha256(holder.encode()).hexdigest()[:16]
    return f"{_HOLDER}{digest}", f"gpufleet-release-{digest}"


def _holders(live: Object) -> set[str]:
    annotations: Mapping[str, str] = at(live, "metadata", "annotations") or {}
    return {name for name in annotations if name.startswith(_HOLDER)}
