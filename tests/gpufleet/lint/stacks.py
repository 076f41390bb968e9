"""Pools of a stack, and workloads that ask for all that they need there."""

import copy
from functools import cache
from typing import Any

import yaml

from components.compute.design import as_document, decide
from components.compute.design.request import Checkpoint, PoolRequest, Sharing
from components.compute.design.shapes import Design
from components.workloads.gpu_pod import template
from gpufleet.lint import documents, pools
from gpufleet.lint.documents import Document
from gpufleet.lint.linting import Verdict, judge
from gpufleet.lint.pools import Pool

POOLS: dict[str, dict[str, Any]] = {
    "efa": {"instance_types": ("p5.48xlarge",), "use": "training", "zones": ("us-east-1a",)},
    "group-efa": {
        "instance_types": ("p5.48xlarge",),
        "use": "training",
        "zones": ("us-east-1a",),
        "scaler": "node-group",
    },
    "plain": {"instance_types": ("g6e.12xlarge",), "use": "training", "efa": False},
    "spot": {
        "instance_types": ("g6e.12xlarge", "g6e.24xlarge"),
        "purchase": "spot",
        "use": "training",
        "efa": False,
        "checkpoint": Checkpoint(gib=40, path="s3://checkpoints/run", every_minutes=20),
    },
    "serving": {"instance_types": ("g6e.xlarge",), "use": "inference"},
    "sliced": {"instance_types": ("g6.xlarge",), "sharing": Sharing(kind="time-slicing", replicas=4)},
    "trainium": {"instance_types": ("trn1.32xlarge",), "use": "training", "zones": ("us-east-1b",)},
}


@cache
def design(name: str, **changes: Any) -> Design:
    given: dict[str, Any] = {
        "name": name,
        "region": "us-east-1",
        "zones": ("us-east-1a", "us-east-1b"),
        "zones_are_chosen": True,
        "kubernetes_version": "1.35",
        "max_nodes": 4,
    }
    return decide(PoolRequest(**(given | POOLS[name] | changes)))


@cache
def stack() -> list[Pool]:
    return pools.of_designs(as_document(design(name)) for name in POOLS)


def pod_template(pool: str, gpus: int | None = None) -> dict[str, Any]:
    """As the pool's own preset makes it."""
    preset = design(pool).pod
    preset = preset if gpus is None else preset.for_gpus(gpus)
    return template("train", "registry.example.com/train:1", ["python", "train.py"], preset)


def job(pool: str, gpus: int | None = None, pods: int = 1) -> dict[str, Any]:
    """A Job that lacks nothing; deep enough a copy to take things out of."""
    return copy.deepcopy(
        {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": "train"},
            "spec": {
                "activeDeadlineSeconds": 3600,
                "completionMode": "Indexed",
                "parallelism": pods,
                "template": pod_template(pool, gpus),
            },
        }
    )


def spec_of(made: dict[str, Any]) -> dict[str, Any]:
    return made["spec"]["template"]["spec"]


def container_of(made: dict[str, Any]) -> dict[str, Any]:
    return spec_of(made)["containers"][0]


def parsed(*objects: Any) -> list[Document]:
    """As they are read back from their YAML."""
    text = "---\n".join(yaml.safe_dump(one, sort_keys=False) for one in objects)
    return documents.parse("job.yaml", text)


def verdict(*objects: Any, known: bool = True) -> Verdict:
    return judge(parsed(*objects), stack() if known else None)


def rules(*objects: Any, known: bool = True) -> list[str]:
    """The names of what was found."""
    return sorted(finding.rule.name for finding in verdict(*objects, known=known).findings)
