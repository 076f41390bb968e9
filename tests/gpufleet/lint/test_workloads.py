"""A pod template is found wherever a kind has it."""

from typing import Any

import pytest

from gpufleet.lint import workloads
from tests.gpufleet.lint import stacks
from tests.gpufleet.lint.stacks import pod_template, rules, verdict

Made = dict[str, Any]


def of(kind: str, spec: Made) -> Made:
    return {"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": "train"}, "spec": spec}


def template() -> Made:
    return pod_template("efa")


KINDS: dict[str, tuple[Made, int, bool]] = {
    "Pod": ({"kind": "Pod", "metadata": {"name": "a", **template()["metadata"]}, "spec": template()["spec"]}, 1, False),
    "Deployment": (of("Deployment", {"replicas": 3, "template": template()}), 3, False),
    "StatefulSet": (of("StatefulSet", {"template": template()}), 1, False),
    "Job": (of("Job", {"parallelism": 4, "completionMode": "Indexed", "template": template()}), 4, True),
    "CronJob": (of("CronJob", {"jobTemplate": {"spec": {"template": template()}}}), 1, False),
    "JobSet": (
        of(
            "JobSet",
            {"replicatedJobs": [{"replicas": 2, "template": {"spec": {"parallelism": 3, "template": template()}}}]},
        ),
        6,
        True,
    ),
    "PyTorchJob": (
        of("PyTorchJob", {"pytorchReplicaSpecs": {"Worker": {"replicas": 2, "template": template()}}}),
        2,
        True,
    ),
    "MPIJob": (of("MPIJob", {"mpiReplicaSpecs": {"Worker": {"replicas": 2, "template": template()}}}), 2, True),
    "LeaderWorkerSet": (
        of("LeaderWorkerSet", {"replicas": 2, "leaderWorkerTemplate": {"size": 4, "workerTemplate": template()}}),
        8,
        True,
    ),
    "RayCluster": (of("RayCluster", {"workerGroupSpecs": [{"replicas": 2, "template": template()}]}), 2, True),
    "RayJob": (
        of("RayJob", {"rayClusterSpec": {"workerGroupSpecs": [{"replicas": 2, "template": template()}]}}),
        2,
        True,
    ),
    "RayService": (
        of("RayService", {"rayClusterConfig": {"workerGroupSpecs": [{"replicas": 2, "template": template()}]}}),
        2,
        True,
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_found_in_each_kind_with_its_pods_and_whether_they_talk(kind: str) -> None:
    made, pods, talks = KINDS[kind]
    (document,) = stacks.parsed(made)
    (found,) = workloads.of(document)

    assert (found.pods, found.talks, found.accelerators) == (pods, talks, {"nvidia.com/gpu": 8})


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_template_lacks_is_found_in_each_kind(kind: str) -> None:
    made, _, _ = KINDS[kind]
    (document,) = stacks.parsed(made)
    (found,) = workloads.of(document)
    here: Any = made
    for step in found.location:
        here = here[step]
    kept = here["spec"]["containers"][0]["resources"]
    here["spec"]["containers"][0]["resources"] = {"limits": {"nvidia.com/gpu": 8}}
    try:
        assert "efa-missing" in rules(made)
    finally:
        here["spec"]["containers"][0]["resources"] = kept


def test_a_launcher_without_accelerators_is_not_counted_among_those_who_talk() -> None:
    launcher = {"metadata": {}, "spec": {"containers": [{"name": "launcher"}]}}
    made = of("MPIJob", {"mpiReplicaSpecs": {"Launcher": {"template": launcher}, "Worker": {"template": template()}}})
    (document,) = stacks.parsed(made)

    assert [one.talks for one in workloads.of(document)] == [False, False]


POD = {"spec": {"nodeSelector": {"gpufleet.io/pool": "efa"}}}
JOBS = {"replicatedJobs": [{"name": "node", "template": {"spec": {"template": POD}}}]}


@pytest.mark.parametrize(
    "changes",
    [
        {"runtimePatches": [{"trainingRuntimeSpec": {"template": {"spec": JOBS}}}]},
        {"podTemplateOverrides": [POD]},
    ],
    ids=["Trainer 2.2", "before it"],
)
def test_a_train_job_is_judged_by_what_it_says_itself(changes: Made) -> None:
    trainer = {"numNodes": 2, "resourcesPerNode": {"limits": {"nvidia.com/gpu": 8}}}
    made = of("TrainJob", {"trainer": trainer, **changes})

    # Volumes, tolerations and annotations are its runtime's.
    assert [(found.rule.name, found.path) for found in verdict(made).findings] == [
        ("no-deadline", "spec"),
        ("efa-missing", "spec.trainer.resourcesPerNode"),
    ]


def test_a_train_job_that_names_no_pool_is_told_that_nobody_can_see_one() -> None:
    made = of("TrainJob", {"trainer": {"numNodes": 2, "resourcesPerNode": {"limits": {"nvidia.com/gpu": 8}}}})
    assert rules(made) == ["no-deadline", "no-selector"]


def test_what_a_list_holds_and_several_documents_are_judged_one_by_one() -> None:
    made = verdict(
        {"apiVersion": "v1", "kind": "List", "items": [stacks.job("efa"), stacks.job("plain")]}, stacks.job("spot")
    )
    assert [one.pool.name for one in made.judged if one.pool is not None] == ["efa", "plain", "spot"]


def test_what_asks_for_no_accelerator_concerns_nobody_here() -> None:
    web = of("Deployment", {"template": {"spec": {"containers": [{"name": "web", "image": "web:1"}]}}})
    found = verdict(web, {"kind": "ConfigMap", "data": {"a": "b"}})
    assert (found.others, found.judged) == (1, ())
