"""Helm releases: recorded and marked so, with what their charts define."""

from typing import Any

import pytest

from gpufleet.rehearsal.aws.values import UNKNOWN
from gpufleet.rehearsal.kubernetes.errors import KubernetesError
from gpufleet.rehearsal.kubernetes.objects import Reference
from gpufleet.rehearsal.read_back import recorded
from tests.rehearsal.kubernetes.program import Program

RELEASE = "kubernetes:helm.sh/v3:Release"
NODE_POOL = "kubernetes:karpenter.sh/v1:NodePool"
DEFINITION = Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", None, "nodepools.karpenter.sh")

POOL: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "gpu"},
    "spec": {
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "gpu"},
                "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}],
            }
        }
    },
}


def test_a_release_is_kept_with_its_values_and_marked(program: Program, namespace: str) -> None:
    values = {"replicas": 2, "tolerations": [{"operator": "Exists"}]}
    made = program.create(RELEASE, {"chart": "operator", "namespace": namespace, "values": values}, "gpu")
    assert made.state["values"] == values
    assert made.state["status"]["status"] == "recorded"
    assert made.state["name"].startswith("gpu-")
    assert made.id == f"{namespace}/{made.state['name']}"
    resource = {"type": RELEASE, "outputs": made.state}
    assert recorded([resource]) == [{"type": RELEASE, "calls": ["CreateRelease"], "resources": 1}]


def test_new_values_are_another_revision_of_the_same_release(program: Program, namespace: str) -> None:
    made = program.create(RELEASE, {"chart": "operator", "namespace": namespace, "values": {"a": 1}})
    assert program.diff(made, {"chart": "operator", "namespace": namespace, "values": {"a": 1}}).changes is False
    updated = program.update(made, {"chart": "operator", "namespace": namespace, "values": {"a": 2}})
    assert updated.id == made.id
    assert updated.state["status"]["revision"] == 2


def test_an_ignored_value_is_no_change_and_one_beside_it_is(program: Program, namespace: str) -> None:
    made = program.create(RELEASE, {"chart": "operator", "namespace": namespace, "values": {"a": 1, "b": 1}})
    other = {"chart": "operator", "namespace": namespace, "values": {"a": 2, "b": 1}}
    assert program.diff(made, other, ignored=("values.a",)).changes is False
    assert program.diff(made, other, ignored=("values.b",)).diffs == ["values"]


def test_another_name_or_namespace_is_another_release(program: Program, namespace: str) -> None:
    made = program.create(RELEASE, {"chart": "operator", "name": "a", "namespace": namespace})
    assert program.diff(made, {"chart": "operator", "name": "b", "namespace": namespace}).replaces == ["name"]
    assert program.diff(made, {"chart": "operator", "name": "a", "namespace": UNKNOWN}).replaces == ["namespace"]


def test_a_preview_leaves_the_status_unknown(program: Program) -> None:
    shown = program.preview(RELEASE, {"chart": "operator", "values": {"role": UNKNOWN}})
    assert (shown["status"], shown["values"]) == (UNKNOWN, {"role": UNKNOWN})


def test_a_release_needs_a_chart(program: Program) -> None:
    answer = program.checked(program.urn(RELEASE), {"values": {}})
    assert [failure.property for failure in answer.failures or ()] == ["chart"]


def test_a_release_into_a_namespace_that_is_not_there_fails_as_helm_does(program: Program) -> None:
    with pytest.raises(KubernetesError) as error:
        program.create(RELEASE, {"chart": "operator", "namespace": "gone"})
    assert str(error.value).startswith('install the release into gone: namespaces "gone" not found\nHelm installs')


def test_a_release_can_ask_for_its_namespace_which_helm_leaves_behind(program: Program) -> None:
    made = program.create(RELEASE, {"chart": "operator", "namespace": "asked-for", "createNamespace": True})
    program.delete(made)
    namespace = Reference("v1", "Namespace", None, "asked-for")
    assert program.objects.find(namespace) is not None
    program.objects.api.call("DELETE", "/api/v1/namespaces/asked-for", "delete the namespace")


def test_what_a_chart_defines_is_there_while_a_release_of_it_is(program: Program, namespace: str) -> None:
    chart = "oci://public.ecr.aws/karpenter/karpenter"
    one = program.create(RELEASE, {"chart": chart, "namespace": namespace})
    other = program.create(RELEASE, {"chart": f"{chart}-crd", "namespace": namespace})
    pool = program.create(NODE_POOL, POOL)
    assert pool.state["spec"]["disruption"]["consolidationPolicy"] == "WhenEmptyOrUnderutilized"
    assert program.diff(pool, POOL).changes is False
    program.delete(pool)
    program.delete(one)
    assert program.objects.find(DEFINITION) is not None
    program.delete(other)
    assert program.objects.find(DEFINITION) is None


def test_a_release_that_skips_its_definitions_brings_none(program: Program, namespace: str) -> None:
    program.create(RELEASE, {"chart": "karpenter", "namespace": namespace, "skipCrds": True})
    assert program.objects.find(DEFINITION) is None
