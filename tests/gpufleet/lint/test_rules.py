"""Each rule: what lacks one thing is told of that thing, and what lacks nothing of nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from gpufleet.lint.rules import RULES
from tests.gpufleet.lint import stacks
from tests.gpufleet.lint.stacks import container_of, job, rules, spec_of, verdict

Made = dict[str, Any]
Change = Callable[[Made], object]

SHM = "/dev/shm"


def env(name: str, value: str) -> Change:
    return lambda made: container_of(made)["env"].append({"name": name, "value": value})


def without_env(made: Made, name: str) -> None:
    container_of(made)["env"] = [one for one in container_of(made)["env"] if one["name"] != name]


def ask(made: Made, resource: str, amount: Any) -> None:
    for kind in ("requests", "limits"):
        resources = container_of(made)["resources"][kind]
        if amount is None:
            resources.pop(resource, None)
        else:
            resources[resource] = amount


def shm(**directory: Any) -> Change:
    return lambda made: spec_of(made)["volumes"][0].update(emptyDir=directory)


def annotate(value: Any) -> Change:
    return lambda made: made["spec"]["template"]["metadata"].update(
        annotations={} if value is None else {"karpenter.sh/do-not-disrupt": value}
    )


def pages_without_the_variable(made: Made) -> None:
    without_env(made, "FI_EFA_USE_HUGE_PAGE")
    ask(made, "hugepages-2Mi", None)


def many_zones(made: Made) -> None:
    made["spec"]["parallelism"] = 2
    spec_of(made)["nodeSelector"].pop("topology.kubernetes.io/zone", None)


def two_efa_pools(made: Made) -> None:
    made["spec"]["parallelism"] = 2
    spec_of(made)["nodeSelector"] = {"node.kubernetes.io/instance-type": "p5.48xlarge"}


def infiniband(made: Made) -> None:
    spec_of(made)["volumes"].append({"name": "ib", "hostPath": {"path": "/dev/infiniband"}})


WRONG: dict[str, tuple[str, Change]] = {
    "efa-missing": ("efa", lambda made: ask(made, "vpc.amazonaws.com/efa", None)),
    "efa-count": ("efa", lambda made: ask(made, "vpc.amazonaws.com/efa", 16)),
    "efa-too-many": ("efa", lambda made: ask(made, "vpc.amazonaws.com/efa", 33)),
    "efa-not-offered": ("plain", lambda made: ask(made, "vpc.amazonaws.com/efa", 1)),
    "hugepages-missing": ("group-efa", pages_without_the_variable),
    "hugepages-not-offered": ("efa", lambda made: ask(made, "hugepages-2Mi", "5120Mi")),
    "infiniband-mounted": ("efa", infiniband),
    "gpu-count-too-large": ("plain", lambda made: ask(made, "nvidia.com/gpu", 8)),
    "gpu-count-uneven": ("plain", lambda made: ask(made, "nvidia.com/gpu", 3)),
    "gpu-of-another-kind": (
        "plain",
        lambda made: (ask(made, "nvidia.com/gpu", None), ask(made, "aws.amazon.com/neuron", 1)),
    ),
    "requests-unequal-limits": (
        "plain",
        lambda made: container_of(made)["resources"]["limits"].update({"nvidia.com/gpu": 2}),
    ),
    "shm-missing": ("plain", lambda made: container_of(made).update(volumeMounts=[])),
    "shm-unbounded": ("plain", shm(medium="Memory")),
    "shm-exceeds-memory": ("plain", shm(medium="Memory", sizeLimit="4Ti")),
    "shm-on-disk": ("plain", shm(sizeLimit="8Gi")),
    "env-better-unset": ("efa", env("FI_PROVIDER", "efa")),
    "nccl-shm-disabled": ("plain", env("NCCL_SHM_DISABLE", "1")),
    "no-pool": ("plain", lambda made: spec_of(made).update(nodeSelector={"gpufleet.io/pool": "plane"})),
    "toleration-missing": ("efa", lambda made: spec_of(made)["tolerations"].pop()),
    "several-pools": (
        "plain",
        lambda made: spec_of(made).update(nodeSelector={"node.kubernetes.io/instance-type": "g6e.12xlarge"}),
    ),
    "several-pools-one-job": ("efa", two_efa_pools),
    "zones-of-one-job": ("plain", many_zones),
    "no-accelerator": ("plain", lambda made: ask(made, "nvidia.com/gpu", None)),
    "grace-too-short": ("spot", lambda made: spec_of(made).pop("terminationGracePeriodSeconds")),
    "grace-beyond-notice": ("spot", lambda made: spec_of(made).update(terminationGracePeriodSeconds=600)),
    "do-not-disrupt-missing": ("plain", annotate(None)),
    "do-not-disrupt-not-text": ("plain", annotate(True)),
    "no-deadline": ("plain", lambda made: made["spec"].pop("activeDeadlineSeconds")),
    "restart-policy": ("plain", lambda made: spec_of(made).pop("restartPolicy")),
    "shell-keeps-signals": (
        "plain",
        lambda made: container_of(made).update(command=["/bin/sh", "-c", "python a.py; python b.py"]),
    ),
    "privileged": ("plain", lambda made: container_of(made).update(securityContext={"privileged": True})),
    "host-namespaces": ("plain", lambda made: spec_of(made).update(hostIPC=True)),
    "gpu-count-of-shares": ("sliced", lambda made: ask(made, "nvidia.com/gpu", 2)),
}
"""By the rule: a pool, and what is taken out of, or put into, a Job that lacks nothing there."""

ELSEWHERE = {"no-selector", "one-zone", "efa-plugin-old"}
"""Rules that tests of their own show below."""


@pytest.mark.parametrize("pool", [name for name in stacks.POOLS if name not in ("sliced", "serving")])
def test_the_pod_that_a_pools_own_preset_makes_lacks_nothing(pool: str) -> None:
    assert rules(job(pool)) == []


def test_nor_does_what_serves() -> None:
    template = stacks.pod_template("serving")
    template["spec"]["restartPolicy"] = "Always"
    assert rules({"kind": "Deployment", "metadata": {"name": "chat"}, "spec": {"template": template}}) == []


@pytest.mark.parametrize("gpus", [1, 2, 4])
def test_nor_does_part_of_a_node(gpus: int) -> None:
    assert rules(job("efa", gpus)) == rules(job("group-efa", gpus)) == []


def test_nor_one_of_those_who_share_a_gpu() -> None:
    assert rules(job("sliced", 1)) == []


@pytest.mark.parametrize("rule", WRONG)
def test_what_lacks_one_thing_is_told_of_that_alone(rule: str) -> None:
    pool, change = WRONG[rule]
    made = job(pool, 1 if pool == "sliced" else None)
    change(made)

    assert rules(made) == [rule]


def test_every_rule_is_shown() -> None:
    assert {rule.name for rule in RULES} == set(WRONG) | ELSEWHERE
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_a_finding_says_where_what_was_found_what_is_needed_and_the_fix() -> None:
    made = job("efa", 2)
    ask(made, "vpc.amazonaws.com/efa", None)

    (found,) = verdict(made).findings
    assert found.as_document() == {
        "rule": "efa-missing",
        "severity": "error",
        "file": "job.yaml",
        "line": found.line,
        "path": "spec.template.spec.containers[0].resources",
        "workload": "Job/train",
        "pool": "efa",
        "found": "no vpc.amazonaws.com/efa",
        "needed": "8 for 2 GPUs of efa, which has 32",
        "why": found.rule.why,
        "fix": 'resources: {requests: {vpc.amazonaws.com/efa: "8"}, limits: {vpc.amazonaws.com/efa: "8"}}',
    }


def test_an_unknown_pool_is_answered_with_those_there_are_and_the_nearest() -> None:
    made = job("plain")
    spec_of(made)["nodeSelector"] = {"gpufleet.io/pool": "plane"}

    (found,) = verdict(made).findings
    assert found.needed == "one of efa, group-efa, plain, serving, sliced, spot, trainium"
    assert found.fix == "nodeSelector: {gpufleet.io/pool: plain}"


def test_pages_need_not_be_asked_for_by_who_is_told_to_do_without() -> None:
    made = job("group-efa")
    ask(made, "hugepages-2Mi", None)
    assert rules(made) == []


def test_one_gpu_needs_no_shared_memory() -> None:
    made = job("plain", 1)
    spec_of(made)["volumes"], container_of(made)["volumeMounts"] = [], []
    assert rules(made) == []


def test_a_mount_without_its_volume_is_none() -> None:
    made = job("plain")
    spec_of(made)["volumes"] = []
    (found,) = verdict(made).findings
    assert (found.rule.name, found.found) == ("shm-missing", "a mount of 'shm', no volume")


def test_a_pool_by_whose_plugin_interfaces_are_miscounted_is_told_of() -> None:
    from dataclasses import replace

    from gpufleet.lint.linting import judge

    old = {"chart": "aws-efa-k8s-device-plugin", "appVersion": "v0.5.9", "leastAppVersion": "v0.5.10"}
    pools = [replace(pool, efa_plugin=old) if pool.name == "efa" else pool for pool in stacks.stack()]
    found = judge(stacks.parsed(job("efa")), pools).findings

    assert [(one.rule.name, one.found) for one in found] == [("efa-plugin-old", "aws-efa-k8s-device-plugin v0.5.9")]


@pytest.mark.parametrize(
    "affinity",
    [
        {
            "podAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "topology.kubernetes.io/zone"}]
            }
        },
        {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [
                        {
                            "matchExpressions": [
                                {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["us-east-1a"]}
                            ]
                        }
                    ]
                }
            }
        },
    ],
)
def test_a_job_of_several_pods_may_be_kept_in_one_zone_by_affinity(affinity: Made) -> None:
    made = job("plain", pods=2)
    assert rules(made) == ["zones-of-one-job"]
    spec_of(made)["affinity"] = affinity
    assert rules(made) == []


def test_pods_that_do_not_talk_may_lie_in_any_zone() -> None:
    made = job("plain", pods=2)
    made["spec"].pop("completionMode")
    assert rules(made) == []


def test_without_a_stack_a_workload_goes_by_the_type_that_it_names() -> None:
    made = job("efa", pods=2)
    spec_of(made)["nodeSelector"] = {"node.kubernetes.io/instance-type": "p5.48xlarge"}
    assert rules(made, known=False) == ["one-zone"]

    spec_of(made)["nodeSelector"]["topology.kubernetes.io/zone"] = "us-east-1a"
    assert rules(made, known=False) == []

    ask(made, "vpc.amazonaws.com/efa", None)
    assert rules(made, known=False) == ["efa-missing"]


def test_without_a_stack_a_workload_that_names_no_type_is_told_so() -> None:
    assert rules(job("efa"), known=False) == ["no-selector"]


def test_without_a_stack_nobody_knows_whether_a_type_has_efa_for_a_pod_that_talks_to_nobody() -> None:
    made = job("efa")
    spec_of(made)["nodeSelector"] = {"node.kubernetes.io/instance-type": "p5.48xlarge"}
    ask(made, "vpc.amazonaws.com/efa", None)
    assert rules(made, known=False) == []


@pytest.mark.parametrize("hook", [{"sleep": {"seconds": 30}}, {"exec": {"command": ["sleep", "30"]}}])
def test_what_a_hook_sleeps_counts_against_the_grace(hook: Made) -> None:
    made = job("spot")
    grace = spec_of(made)["terminationGracePeriodSeconds"]
    container_of(made)["lifecycle"] = {"preStop": hook}

    (found,) = verdict(made).findings
    assert (found.rule.name, found.found) == ("grace-too-short", f"{grace} s")
    assert found.needed == f"{grace + 30} s on spot, 30 s before the program hears of it"
