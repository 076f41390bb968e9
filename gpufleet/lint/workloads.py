"""The pod templates in an object, whatever its kind, and what their containers ask for."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from gpufleet.lint import quantities
from gpufleet.lint.documents import Document, Location
from gpufleet.plan.values import is_list, is_mapping

ACCELERATORS = ("nvidia.com/gpu", "aws.amazon.com/neuron", "aws.amazon.com/neurondevice")
EFA, HUGEPAGES = "vpc.amazonaws.com/efa", "hugepages-2Mi"

ENDING = frozenset(
    {"Job", "CronJob", "JobSet", "PyTorchJob", "MPIJob", "TFJob", "JAXJob", "XGBoostJob", "TrainJob", "RayJob"}
)
"""Kinds that run to their end."""
TOGETHER = ENDING - {"CronJob"} | {"LeaderWorkerSet", "RayCluster", "RayService"}
"""Kinds whose pods talk to each other, where they are several."""
_CHANGES_TO_A_RUNTIME = ("runtimePatches", "podTemplateOverrides")
"""Fields of a TrainJob; the second is what Trainer before 2.2 called them."""
_WHERE_TO = ("nodeSelector", "affinity", "tolerations")
_MULTIPLIERS = ("replicas", "parallelism", "numNodes", "size")


@dataclass(frozen=True, kw_only=True)
class Container:
    """One container that asks for an accelerator, or for EFA."""

    name: str
    location: Location
    body: Mapping[str, Any]

    def limit(self, resource: str) -> Any:
        """What it asks for of a resource that cannot be overcommitted; the API takes a limit for the request."""
        limits, requests = (entries(entries(self.body.get("resources")).get(key)) for key in ("limits", "requests"))
        return limits.get(resource, requests.get(resource))

    @property
    def accelerator(self) -> tuple[str, int] | None:
        """The resource and how many of it; None for none."""
        for resource in ACCELERATORS:
            if asked := quantities.count(self.limit(resource)):
                return resource, asked
        return None

    @property
    def efa(self) -> int:
        """EFA interfaces."""
        return quantities.count(self.limit(EFA))

    @property
    def env(self) -> Mapping[str, tuple[Location, Any]]:
        """Variables by name: where each stands and its value, None where it is taken from somewhere else."""
        return {
            str(variable.get("name")): ((*self.location, "env", index), variable.get("value"))
            for index, variable in enumerate(mappings(self.body.get("env")))
        }

    def mount(self, path: str) -> Mapping[str, Any] | None:
        """The volume mount at that path."""
        mounts = mappings(self.body.get("volumeMounts"))
        return next((mount for mount in mounts if str(mount.get("mountPath")).rstrip("/") == path), None)


@dataclass(frozen=True, kw_only=True)
class Workload:
    """One pod template."""

    document: Document
    location: Location
    """Of the template: what holds `metadata` and `spec`."""
    metadata: Mapping[str, Any]
    spec: Mapping[str, Any]
    pods: int
    """That run at a time, as far as it can be told."""
    talks: bool
    """Whether those pods, or others of the object, work on one thing over the network."""
    partial: bool = False
    """Whether the rest of the template is written somewhere else, in a runtime that is not seen here."""

    @property
    def title(self) -> str:
        """`Job/train`."""
        return f"{self.document.kind or '?'}/{self.document.name}"

    @property
    def at_spec(self) -> Location:
        """Where the pod's spec lies."""
        return (*self.location, "spec")

    def written(self, location: Location) -> Location:
        """Where in the document something of the pod is said: of a TrainJob, in words of its own."""
        if not self.partial:
            return location
        container = (*self.at_spec, "containers", 0)
        resources = (*container, "resources")
        for prefix, own in (
            (resources, (*self.location, "resourcesPerNode")),
            (container, self.location),
            (self.at_spec, self.location[:-1]),
        ):
            if location[: len(prefix)] == prefix:
                return (*own, *location[len(prefix) :])
        return location

    @property
    def ends(self) -> bool:
        """Whether it runs to an end of its own."""
        alone = self.document.kind == "Pod" and self.spec.get("restartPolicy") in ("Never", "OnFailure")
        return alone or self.document.kind in ENDING

    @property
    def containers(self) -> list[Container]:
        """All of them, those that run first included."""
        return [
            Container(name=str(body.get("name") or index), location=(*self.at_spec, kind, index), body=body)
            for kind in ("initContainers", "containers")
            for index, body in enumerate(mappings(self.spec.get(kind)))
        ]

    @property
    def computing(self) -> list[Container]:
        """Those that ask for accelerators or EFA."""
        return [one for one in self.containers if one.accelerator is not None or one.efa]

    @property
    def accelerators(self) -> Mapping[str, int]:
        """By resource, what the pod asks for in all."""
        found: dict[str, int] = {}
        for resource, asked in (one.accelerator for one in self.containers if one.accelerator is not None):
            found[resource] = found.get(resource, 0) + asked
        return found

    @property
    def has_deadline(self) -> bool:
        """Whether something ends it that takes too long."""
        return any("activeDeadlineSeconds" in found for _, found in _walk(self.document.value, ()))


def of(document: Document) -> list[Workload]:
    """The pod templates of an object."""
    found = [*_train_job(document)] if document.kind == "TrainJob" else [*_templates(document)]
    pods = sum(one.pods for one in found if one.computing)
    if document.kind == "Job":
        indexed = entries(document.value.get("spec")).get("completionMode") == "Indexed"
        together = pods > 1 and indexed
    else:
        together = pods > 1 and document.kind in TOGETHER
    return [replace(one, talks=together) for one in found]


def _templates(document: Document) -> Iterator[Workload]:
    for location, found in _walk(document.value, ()):
        spec = found.get("spec")
        if is_mapping(spec) and mappings(spec.get("containers")):
            yield Workload(
                document=document,
                location=location,
                metadata=entries(found.get("metadata")),
                spec=spec,
                pods=_pods(document.value, location),
                talks=False,
            )


def _train_job(document: Document) -> Iterator[Workload]:
    """Kubeflow's TrainJob says what differs from its runtime; the runtime's own template is not at hand.

    https://github.com/kubeflow/trainer, trainer.kubeflow.org/v1alpha1
    """
    spec = entries(document.value.get("spec"))
    trainer = entries(spec.get("trainer"))
    overrides: dict[str, Any] = {}
    for changes in _CHANGES_TO_A_RUNTIME:
        for _, found in _walk(spec.get(changes), ()):
            overrides |= {key: found[key] for key in _WHERE_TO if key in found}
    container: dict[str, Any] = {
        "name": "node",
        "resources": trainer.get("resourcesPerNode") or {},
        "env": trainer.get("env") or [],
        **{key: trainer[key] for key in ("command", "args") if key in trainer},
    }
    yield Workload(
        document=document,
        location=("spec", "trainer"),
        metadata={},
        spec={**overrides, "containers": [container]},
        pods=max(1, quantities.count(trainer.get("numNodes"))),
        talks=False,
        partial=True,
    )


def _pods(document: Mapping[str, Any], location: Location) -> int:
    """The product of all counts on the way to a template."""
    pods, value = 1, cast(Any, document)
    for step in location:
        pods *= _multiplied(value)
        value = value[step]
    return pods


def _multiplied(value: Any) -> int:
    numbers = [value[key] for key in _MULTIPLIERS if key in value] if is_mapping(value) else []
    return math.prod(number for number in numbers if isinstance(number, int))


def _walk(value: Any, location: Location) -> Iterator[tuple[Location, Mapping[str, Any]]]:
    if len(location) > 40:  # an alias that holds itself
        return
    if is_mapping(value):
        yield location, value
        for key, item in value.items():
            yield from _walk(item, (*location, str(key)))
    elif is_list(value):
        for index, item in enumerate(value):
            yield from _walk(item, (*location, index))


def entries(value: Any) -> Mapping[str, Any]:
    """A mapping's entries; empty for what is none."""
    return value if is_mapping(value) else {}


def mappings(value: Any) -> Sequence[Mapping[str, Any]]:
    """A list's mappings; empty for what is none. Others become empty ones, so that indices stay right."""
    return [entries(item) for item in value] if is_list(value) else ()
