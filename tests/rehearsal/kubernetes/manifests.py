"""Objects that the tests make, each as a program would give it."""

from typing import Any

CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
DEPLOYMENT = "kubernetes:apps/v1:Deployment"
DEFINITION = "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition"
JOB = "kubernetes:batch/v1:Job"
NAMESPACE = "kubernetes:core/v1:Namespace"
POD = "kubernetes:core/v1:Pod"
QUOTA = "kubernetes:core/v1:ResourceQuota"
SECRET = "kubernetes:core/v1:Secret"
SERVICE = "kubernetes:core/v1:Service"
STORAGE_CLASS = "kubernetes:storage.k8s.io/v1:StorageClass"


def manifest(token: str, metadata: dict[str, Any] | None = None, **content: Any) -> dict[str, Any]:
    """The object of a type, as the SDK sends it."""
    _, module, kind = token.split(":")
    head = {"apiVersion": module.removeprefix("core/"), "kind": kind}
    return head | ({"metadata": metadata} if metadata is not None else {}) | content


def pod_spec(image: str = "registry.example.com/a:1", gpus: int = 0, **container: Any) -> dict[str, Any]:
    """A pod that the strictest standard lets in, but for what the container is given."""
    limits = {"limits": {"nvidia.com/gpu": gpus}} if gpus else {}
    closed = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    main = {"name": "main", "image": image, "securityContext": closed, "resources": limits, **container}
    user = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    return {"securityContext": user, "containers": [main]}


def deployment(namespace: str, labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    """A Deployment without a name."""
    labels = labels or {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": pod_spec()}
    return manifest(
        DEPLOYMENT,
        {"namespace": namespace},
        spec={"replicas": 1, "selector": {"matchLabels": labels}, "template": template, **spec},
    )


def definition(plural: str) -> dict[str, Any]:
    """A definition of a kind of our own: Team, with a size and an owner that stays."""
    stays = [{"rule": "self == oldSelf", "message": "owner is immutable"}]
    spec = {
        "type": "object",
        "properties": {
            "size": {"type": "integer", "default": 3},
            "owner": {"type": "string", "x-kubernetes-validations": stays},
        },
    }
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return manifest(
        DEFINITION,
        {"name": f"{plural}.lab.dev"},
        spec={
            "group": "lab.dev",
            "scope": "Namespaced",
            "names": {"kind": plural.title(), "plural": plural},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    )
