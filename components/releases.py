"""Helm releases of the charts that are pinned."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_kubernetes as k8s

from gpufleet.facts import charts


def pinned(
    name: str,
    chart_name: str,
    namespace: pulumi.Input[str],
    values: Mapping[str, Any],
    opts: pulumi.ResourceOptions,
    *,
    timeout_seconds: int,
    skip_crds: bool | None = None,
) -> k8s.helm.v3.Release:
    """A release under the chart's own name: there is one in a cluster, and its parts find each other by that name."""
    chart = charts.get(chart_name)
    return k8s.helm.v3.Release(
        name,
        name=chart.name,
        chart=chart.address,
        version=chart.version,
        repository_opts=None if chart.is_oci else k8s.helm.v3.RepositoryOptsArgs(repo=chart.repository),
        namespace=namespace,
        values=dict(values),
        skip_crds=skip_crds,
        timeout=timeout_seconds,
        opts=opts,
    )
