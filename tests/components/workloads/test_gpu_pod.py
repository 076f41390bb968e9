"""The template of a pod: checked as the API gets it, not as it was configured."""

from dataclasses import replace
from typing import Any

import pytest

from components.compute.design import decide
from components.compute.design.pod import PodPreset
from components.compute.design.request import Checkpoint, PoolRequest
from components.workloads.gpu_pod import template

COMMAND = ["torchrun", "train.py"]


def preset(instance_type: str = "p5.48xlarge", **changes: Any) -> PodPreset:
    given: dict[str, Any] = {
        "name": "train",
        "instance_types": (instance_type,),
        "region": "us-east-1",
        "zones": ("us-east-1a",),
        "zones_are_chosen": True,
        "kubernetes_version": "1.35",
        "max_nodes": 4,
        "use": "training",
        "scaler": "node-group",
    }
    return decide(PoolRequest(**(given | changes))).pod


def made(of: PodPreset | None = None, **changes: Any) -> Any:
    return template("train", "registry.example.com/train:1", COMMAND, of or preset(), **changes)


def test_a_whole_node_with_efa_asks_for_all_that_it_has_and_equally_in_requests_and_limits() -> None:
    resources = made()["spec"]["containers"][0]["resources"]

    extended = {"nvidia.com/gpu": "8", "vpc.amazonaws.com/efa": "32", "hugepages-2Mi": "5120Mi"}
    for kind in ("requests", "limits"):
        assert {key: resources[kind][key] for key in extended} == extended
    assert "cpu" in resources["requests"]
    assert "cpu" not in resources["limits"]


def test_part_of_a_node_gets_its_share_of_efa_and_shared_memory() -> None:
    found = made(preset().for_gpus(2))["spec"]
    limits = found["containers"][0]["resources"]["limits"]

    assert (limits["nvidia.com/gpu"], limits["vpc.amazonaws.com/efa"]) == ("2", "8")
    assert found["volumes"][0]["emptyDir"]["sizeLimit"] == "16Gi"


def test_shared_memory_is_a_volume_and_a_mount_of_one_name() -> None:
    found = made()["spec"]

    assert found["volumes"] == [{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "64Gi"}}]
    assert found["containers"][0]["volumeMounts"] == [{"name": "shm", "mountPath": "/dev/shm"}]


def test_hugepages_are_mounted_only_when_asked_for() -> None:
    found = made(mounts_hugepages=True)["spec"]

    assert found["volumes"][1] == {"name": "hugepages", "emptyDir": {"medium": "HugePages-2Mi"}}
    assert found["containers"][0]["volumeMounts"][1] == {"name": "hugepages", "mountPath": "/hugepages"}


def test_on_karpenters_nodes_no_hugepages_are_asked_for_and_none_can_be_mounted() -> None:
    elastic = preset(scaler="karpenter")

    assert "hugepages-2Mi" not in made(elastic)["spec"]["containers"][0]["resources"]["limits"]
    with pytest.raises(ValueError, match="mounts_hugepages: True, and a pod on this pool asks for no pages"):
        made(elastic, mounts_hugepages=True)


def test_it_tolerates_both_taints_of_an_efa_pool_and_selects_pool_and_zone() -> None:
    found = made()["spec"]

    assert found["tolerations"] == [
        {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"},
        {"key": "aws.amazon.com/efa", "operator": "Equal", "value": "present", "effect": "NoSchedule"},
    ]
    assert found["nodeSelector"] == {"gpufleet.io/pool": "train", "topology.kubernetes.io/zone": "us-east-1a"}


def test_what_tidying_up_must_not_move_says_so_in_text() -> None:
    assert made()["metadata"]["annotations"] == {"karpenter.sh/do-not-disrupt": "true"}


def test_what_serves_may_be_moved() -> None:
    assert made(preset(use="inference", efa=False))["metadata"]["annotations"] == {}


def test_on_spot_the_grace_holds_a_checkpoint_and_stays_within_the_notice() -> None:
    spot = preset(
        "g6e.12xlarge",
        purchase="spot",
        efa=False,
        checkpoint=Checkpoint(gib=40, path="s3://checkpoints/run", every_minutes=20),
    )
    assert 30 < made(spot)["spec"]["terminationGracePeriodSeconds"] <= 120


def test_it_passes_the_restricted_level_of_pod_security() -> None:
    found = made()["spec"]

    assert found["securityContext"]["runAsNonRoot"] is True
    assert found["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert found["containers"][0]["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert found["automountServiceAccountToken"] is False


def test_variables_of_the_workload_take_precedence_over_the_presets() -> None:
    variables = {one["name"]: one["value"] for one in made(env={"NCCL_DEBUG": "INFO"})["spec"]["containers"][0]["env"]}

    assert variables["NCCL_DEBUG"] == "INFO"
    assert variables["NCCL_SOCKET_IFNAME"] == "^docker,lo,veth,eni"


def test_a_deadline_and_a_service_account_are_written_only_when_given() -> None:
    assert not {"activeDeadlineSeconds", "serviceAccountName"} & set(made()["spec"])
    found = made(deadline_seconds=3600, service_account="trainer")["spec"]
    assert (found["activeDeadlineSeconds"], found["serviceAccountName"]) == (3600, "trainer")


def test_a_shell_that_keeps_signals_to_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="begin the last line with exec, or leave the shell out"):
        template("train", "registry.example.com/train:1", ["/bin/bash", "-c", "python train.py"], preset())

    kept = template("train", "registry.example.com/train:1", ["sh", "-c", "ulimit -l; exec python train.py"], preset())
    assert kept["spec"]["containers"][0]["command"][2] == "ulimit -l; exec python train.py"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": "Train"}, "name: 'Train' is no name of a container"),
        ({"command": []}, "command: \\[\\] is not in exec form"),
        ({"command": "python train.py"}, "command: 'python train.py' is not in exec form"),
        ({"user_id": 0}, "user_id: 0 is root"),
        ({"restart_policy": "Sometimes"}, "restart_policy: 'Sometimes' is not known"),
    ],
)
def test_what_cannot_be_is_answered_with_what_can(changes: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"name": "train", "image": "registry.example.com/t:1", "command": COMMAND} | changes
    with pytest.raises(ValueError, match=said):
        template(preset=preset(), **given)


def test_shared_memory_that_leaves_no_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="16 GiB of shared memory count against 12 GiB of memory"):
        made(replace(preset(), shm_gib=16, memory_gib=12))


def test_a_small_part_of_a_gpu_has_no_room_for_shared_memory_and_goes_without() -> None:
    found = made(replace(preset(), accelerators=1, shm_gib=1, memory_gib=1))["spec"]
    assert (found["volumes"], found["containers"][0]["volumeMounts"]) == ([], [])
