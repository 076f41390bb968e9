"""Kubernetes objects for the rules that read them: the same requests as the Kubernetes SDK makes, without it."""

from typing import Any

import pulumi


class Manifest(pulumi.CustomResource):
    """An object by its type token, such as `kubernetes:core/v1:ConfigMap`."""

    def __init__(self, type_: str, name: str, opts: pulumi.ResourceOptions | None = None, **fields: Any) -> None:
        super().__init__(type_, name, fields, opts)


class Cluster(pulumi.ProviderResource):
    """A Kubernetes provider that leads to the cluster of the given name."""

    def __init__(self, name: str, cluster: str) -> None:
        super().__init__("kubernetes", name, {"clusterIdentifier": f"arn:aws:eks:us-east-1:1:cluster/{cluster}"})


def deployment(name: str, *containers: dict[str, Any], opts: pulumi.ResourceOptions | None = None, **pod: Any) -> None:
    """Build a Deployment of the containers; `pod` adds to the pod's spec."""
    spec = {"template": {"spec": {"containers": list(containers), **pod}}}
    Manifest("kubernetes:apps/v1:Deployment", name, opts, spec=spec)


def release(name: str, chart: str, values: Any = None, opts: pulumi.ResourceOptions | None = None) -> None:
    """Build a Helm release."""
    Manifest("kubernetes:helm.sh/v3:Release", name, opts, chart=chart, values=values)
