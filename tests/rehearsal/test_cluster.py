"""What is said of placements, and the cluster of a rehearsal by itself."""

from pathlib import Path
from typing import Any

import pytest

from gpufleet.rehearsal.cluster import Cluster, ClusterFailed, Verdict
from gpufleet.rehearsal.cluster_design import Design
from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.controlplane.nodes import Node
from gpufleet.rehearsal.controlplane.scheduling import Placement
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, of_rehearsal
from gpufleet.rehearsal.kubernetes.objects import Reference


def resource(type_: str, id_: str, **more: Any) -> dict[str, Any]:
    """One of the engine's state."""
    return {"type": f"kubernetes:{type_}", "id": id_, "custom": True, **more}


def placement(workload: str, node: str | None, namespace: str = "ml") -> Placement:
    reason = None if node else "0/1 nodes are available: 1 Insufficient nvidia.com/gpu."
    pool = "train" if node else None
    return Placement(namespace=namespace, workload=workload, pod="it", node=node, pool=pool, reason=reason)


JOB = resource("batch/v1:Job", "ml/train")


def test_a_workload_of_the_program_on_no_node_is_unplaced() -> None:
    waiting = placement("Job/train", None)
    verdict = Verdict.of([placement("Job/other", "train-0"), waiting], [JOB])
    assert (verdict.unplaced, verdict.silent) == ([waiting], [])


def test_what_is_not_the_programs_is_shown_and_does_not_count() -> None:
    strangers = [placement("Job/train", None, namespace="other"), placement("Pod/debug", None)]
    verdict = Verdict.of([placement("Job/train", "train-0"), *strangers], [JOB])
    assert verdict.unplaced == []
    assert verdict.placements[1:] == strangers
    assert verdict.summary == "1 pod on 1 node of train; 2 pods on none, without failing the program"


def test_a_workload_without_pods_is_named() -> None:
    verdict = Verdict.of([], [JOB, resource("core/v1:ConfigMap", "ml/map")])
    assert (verdict.unplaced, verdict.silent) == ([], ["ml/Job/train"])
    assert verdict.summary == "0 pods on 0 nodes; without pods: ml/Job/train"


def test_the_rest_of_a_workload_may_find_room_in_a_pool_that_is_larger_in_earnest() -> None:
    found = [placement("Job/train", "train-0"), placement("Job/train", None), placement("Pod/debug", None)]
    state = [JOB, resource("core/v1:Pod", "ml/debug")]
    assert Verdict.of(found, state, is_cut_short=True).unplaced == [found[2]]
    assert Verdict.of(found, state).unplaced == found[1:]


def test_a_release_that_was_only_recorded_is_no_workload() -> None:
    recorded = resource("helm.sh/v3:Release", "ml/app", outputs={"__gpufleetRecorded": ["CreateRelease"]})
    assert Verdict.of([], [recorded]).silent == []


@pytest.mark.engine
def test_what_was_there_before_and_what_is_retained_is_not_left_behind(binaries: Binaries, tmp_path: Path) -> None:
    node = Node(
        pool="odd",
        name="odd-0",
        instance_type="x9.metal",
        region="us-east-1",
        zone="us-east-1a",
        kubernetes_version=binaries.minor,
    )
    with Cluster(Design(version=binaries.minor, nodes=[node]), binaries, tmp_path) as cluster:
        (line,) = cluster.unregistered
        assert line.startswith("pool odd stands without its x9.metal: ")
        api = Api(of_rehearsal({KUBECONFIG: str(cluster.kubeconfig)}))
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kept", "namespace": "default"}}
        live = api.call("POST", "/api/v1/namespaces/default/configmaps", "create", body=body)
        kept = resource("core/v1:ConfigMap", "default/kept", retainOnDelete=True, outputs=live)
        assert cluster.left([kept], seconds=5) == []
        assert cluster.left([], seconds=0) == [Reference("v1", "ConfigMap", "default", "kept")]
    with pytest.raises(ClusterFailed, match="the control plane: "):
        cluster.verdict([])
    assert not cluster.kubeconfig.parent.exists()
