"""What Kubernetes objects run: pod specs, wherever an object holds them (Deployments, Jobs, a JobSet's templates)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pulumi_policy import PolicyConfigSchema

from ._reading import UNKNOWN, elements, entries, number, read
from ._walk import mappings

GPU: Final = "nvidia.com/gpu"
EFA: Final = "vpc.amazonaws.com/efa"
_NO_WORKLOAD: Final = ("kubernetes:helm.sh/", "kubernetes:core/v1:Secret", "kubernetes:core/v1:ConfigMap")

SYSTEM_NAMESPACES: Final = ["kube-system", "kube-node-lease", "gpu-operator"]
"""Where the cluster's own agents run, which have to get at the node."""
NAMESPACES: Final = PolicyConfigSchema(
    {
        "namespaces": {
            "type": "array",
            "items": {"type": "string"},
            "default": SYSTEM_NAMESPACES,
            "description": "namespaces that are left alone",
        }
    }
)


@dataclass(frozen=True, slots=True)
class Pod:
    """One pod spec of an object."""

    path: str
    spec: dict[str, Any]

    @property
    def containers(self) -> list[tuple[str, Any]]:
        """(path, container) of all of them, those that run first included."""
        return [
            (f"{self.path}.{key}[{index}]", container)
            for key in ("initContainers", "containers")
            for index, container in enumerate(elements(self.spec.get(key)))
            if container is not UNKNOWN
        ]

    def asks(self, resource: str) -> float:
        """How many of a resource its containers certainly ask for, all together."""
        return sum(
            found
            for _, one in self.containers
            if (found := number(_known(read(one, "resources", "limits", resource)))) is not None
        )

    def mentions(self, resource: str) -> bool:
        """Whether a container asks for a resource, be the number known or not."""
        return any(read(one, "resources", "limits", resource) is not None for _, one in self.containers)

    def tolerates(self, key: str) -> Any:
        """Whether it tolerates a taint of the key; `UNKNOWN` where that is not certain."""
        tolerations = elements(self.spec.get("tolerations"))
        keys = [read(one, "key") for one in tolerations]
        everything = any(read(one, "operator") == "Exists" and read(one, "key") is None for one in tolerations)
        if everything or key in keys:
            return True
        return UNKNOWN if UNKNOWN in keys else False

    @property
    def selector(self) -> dict[str, Any]:
        """Labels that its node must have."""
        return entries(self.spec.get("nodeSelector"))


def pods(type_: str, props: Any) -> Iterator[Pod]:
    """Yield every pod spec of an object; none of what is no Kubernetes object, or holds none."""
    if not type_.startswith("kubernetes:") or type_.startswith(_NO_WORKLOAD):
        return
    for path, fields in mappings(props):
        if _is_list(fields.get("containers")):
            yield Pod(path, fields)


def namespace(props: Any) -> Any:
    """Return the namespace of an object; `default` where none is said."""
    found = read(props, "metadata", "namespace")
    return "default" if found is None else found


def is_left_alone(props: Any, config: Mapping[str, Any]) -> bool:
    """Tell whether the object is in one of the configured namespaces, or may be."""
    found = namespace(props)
    return found is UNKNOWN or found in config.get("namespaces", SYSTEM_NAMESPACES)


def _known(value: Any) -> Any:
    return None if value is UNKNOWN else value


def _is_list(value: Any) -> bool:
    return value is not None and value is not UNKNOWN and not isinstance(value, str | Mapping | bool | int | float)
