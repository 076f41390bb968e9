"""What the shipped program makes of its settings, and on each pool a pod that takes a whole node of it."""

import json
import sys
from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s

sys.path.append(str(Path(__file__).parents[4]))

from components.workloads import gpu_pod
from stacks import platform, settings
from stacks.settings import designs

wanted = settings.load()
made = platform.deploy(wanted)["regions"]


def reached(region: str) -> pulumi.ResourceOptions:
    """A provider of the program's own for a region's cluster."""
    name, endpoint = made[region]["cluster"], made[region]["endpoint"]
    kubeconfig = pulumi.Output.json_dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": {"server": endpoint}}],
            "users": [{"name": name, "user": {}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
        }
    )
    return pulumi.ResourceOptions(provider=k8s.Provider(f"{region}-pods", kubeconfig=kubeconfig))


for region_name, region in wanted.regions.items():
    inside = reached(region_name)
    for pool in region.pools:
        design = designs.design_of(region_name, region, pool, protected=wanted.protected)
        template = gpu_pod.template("main", "registry.example.com/train:1", ["python", "train.py"], design.pod)
        k8s.core.v1.Pod(
            pool.name,
            metadata={**template["metadata"], "name": pool.name, "namespace": "default"},
            spec=template["spec"],
            opts=inside,
        )
