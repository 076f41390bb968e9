"""Objects through their life: made, looked up, changed in place, deleted."""

import copy
from typing import Any

import pytest
from pulumi.provider.experimental.property_value import PropertyValue

from gpufleet.rehearsal.aws.values import UNKNOWN, plain_map
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.objects import Reference
from tests.rehearsal.kubernetes.conftest import MakeProgram
from tests.rehearsal.kubernetes.manifests import (
    CONFIG_MAP,
    DEFINITION,
    DEPLOYMENT,
    JOB,
    POD,
    QUOTA,
    SECRET,
    SERVICE,
    definition,
    deployment,
    manifest,
    pod_spec,
)
from tests.rehearsal.kubernetes.program import Program


def test_an_object_without_a_name_is_named_and_keeps_its_name(program: Program, namespace: str) -> None:
    made = program.create(CONFIG_MAP, manifest(CONFIG_MAP, {"namespace": namespace}, data={"a": "1"}), "settings")
    assert made.name.startswith("settings-")
    assert made.id == f"{namespace}/{made.name}"
    assert made.state["metadata"]["annotations"] == {"pulumi.com/autonamed": "true"}
    again = program.check(made.urn, manifest(CONFIG_MAP, {"namespace": namespace}, data={"a": "1"}), made.inputs)
    assert plain_map(again) == plain_map(made.inputs)


def test_an_object_without_a_namespace_goes_to_the_providers(make_program: MakeProgram, namespace: str) -> None:
    made = make_program(namespace=namespace).create(CONFIG_MAP, manifest(CONFIG_MAP, data={"a": "1"}))
    assert made.state["metadata"]["namespace"] == namespace


def test_what_has_no_namespace_is_given_none(program: Program) -> None:
    token = "kubernetes:scheduling.k8s.io/v1:PriorityClass"
    made = program.create(token, manifest(token, {"name": "urgent"}, value=5))
    assert made.id == "urgent"
    assert "namespace" not in plain_map(made.inputs)["metadata"]


def test_defaults_and_conversions_of_the_server_make_no_difference(program: Program, namespace: str) -> None:
    given = deployment(namespace)
    given["spec"]["template"]["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "1000m", "memory": "2048Mi"}}
    made = program.create(DEPLOYMENT, given)
    assert program.diff(made, given).changes is False
    same = copy.deepcopy(given)
    same["spec"]["template"]["spec"]["containers"][0]["resources"] = {"requests": {"cpu": 1, "memory": "2Gi"}}
    same["spec"]["strategy"] = {"type": "RollingUpdate"}
    assert program.diff(made, same).changes is False


def test_a_change_in_place_names_its_path_and_leaves_no_difference(program: Program, namespace: str) -> None:
    made = program.create(DEPLOYMENT, deployment(namespace))
    change = program.diff(made, deployment(namespace, replicas=2))
    assert (change.diffs, list(change.detailed_diff), change.replaces) == (["spec"], ["spec.replicas"], [])
    updated = program.update(made, deployment(namespace, replicas=2))
    assert updated.state["spec"]["replicas"] == 2
    assert updated.id == made.id


def test_what_the_program_no_longer_sets_goes(program: Program, namespace: str) -> None:
    metadata = {"namespace": namespace, "labels": {"team": "vision", "tier": "a"}}
    made = program.create(QUOTA, manifest(QUOTA, metadata, spec={"hard": {"pods": "1", "services": "2"}}))
    metadata = {"namespace": namespace, "labels": {"tier": "a"}}
    updated = program.update(made, manifest(QUOTA, metadata, spec={"hard": {"pods": "1"}}))
    assert updated.state["metadata"]["labels"] == {"tier": "a"}
    assert updated.state["spec"] == {"hard": {"pods": "1"}}


def test_an_ignored_field_is_neither_compared_nor_touched(program: Program, namespace: str) -> None:
    made = program.create(DEPLOYMENT, deployment(namespace))
    scale(program, made.id, 4)
    ignored = ("spec.replicas",)
    assert program.diff(made, deployment(namespace)).changes is True
    assert program.diff(made, deployment(namespace), ignored).changes is False
    updated = program.update(made, deployment(namespace, paused=True), ignored)
    assert updated.state["spec"]["replicas"] == 4


def test_a_refresh_sees_drift_and_nothing_else(program: Program, namespace: str) -> None:
    given = deployment(namespace)
    given["spec"]["template"]["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "1000m"}}
    made = program.create(DEPLOYMENT, given)
    same = program.read(made)
    assert same is not None
    assert plain_map(same.inputs) == plain_map(made.inputs)
    scale(program, made.id, 4)
    drifted = program.read(made)
    assert drifted is not None
    assert plain_map(drifted.inputs)["spec"]["replicas"] == 4


def test_an_object_that_is_gone_is_read_as_gone_and_deleting_it_is_fine(program: Program, namespace: str) -> None:
    made = program.create(CONFIG_MAP, manifest(CONFIG_MAP, {"namespace": namespace}))
    program.objects.delete(Reference("v1", "ConfigMap", namespace, made.name), "Background", 10)
    assert program.read(made) is None
    assert program.diff(made, manifest(CONFIG_MAP, {"namespace": namespace})).changes is True
    program.delete(made)


def test_an_import_reads_what_could_be_set(program: Program, namespace: str) -> None:
    made = program.create(SERVICE, manifest(SERVICE, {"namespace": namespace}, spec={"ports": [{"port": 80}]}))
    imported = plain_map(program.import_(SERVICE, made.id).inputs)
    assert imported["spec"]["ports"] == [{"port": 80, "protocol": "TCP", "targetPort": 80}]
    assert imported["metadata"].keys() == {"name", "namespace", "annotations"}
    assert "status" not in imported


def test_a_preview_shows_what_is_known_and_makes_nothing(program: Program, namespace: str) -> None:
    shown = program.preview(SERVICE, manifest(SERVICE, {"namespace": namespace}, spec={"ports": [{"port": 80}]}))
    assert shown["spec"]["clusterIP"] == UNKNOWN
    assert shown["spec"]["ports"][0]["port"] == 80
    assert program.objects.find(Reference("v1", "Service", namespace, shown["metadata"]["name"])) is None


def test_a_preview_in_a_namespace_that_is_still_to_be_made_shows_the_inputs(program: Program) -> None:
    shown = program.preview(CONFIG_MAP, manifest(CONFIG_MAP, {"namespace": "later"}, data={"a": "1"}))
    assert shown["data"] == {"a": "1"}


def test_unknowns_of_a_preview_are_changes_wherever_they_stand(program: Program, namespace: str) -> None:
    made = program.create(CONFIG_MAP, manifest(CONFIG_MAP, {"namespace": namespace}, data={"a": "1", "b": "2"}))
    asked = manifest(CONFIG_MAP, {"namespace": namespace}, data={"a": "1", "b": f"role/{UNKNOWN}"})
    assert list(program.diff(made, asked).detailed_diff) == ["data.b"]
    moved = program.diff(made, manifest(CONFIG_MAP, {"namespace": UNKNOWN}, data={"a": "1", "b": "2"}))
    assert moved.replaces == ["metadata.namespace"]
    assert program.foreseen(made, asked)["data"]["b"] == f"role/{UNKNOWN}"


def test_an_unknown_that_is_still_there_when_the_object_is_made_is_an_error(program: Program, namespace: str) -> None:
    with pytest.raises(RehearsalError, match="data: still unknown although the object is to be created"):
        program.create(CONFIG_MAP, manifest(CONFIG_MAP, {"namespace": namespace}, data={"a": UNKNOWN}))


def test_secrets_of_the_program_stay_secret(program: Program, namespace: str) -> None:
    data = PropertyValue({"token": PropertyValue("s3cr3t", is_secret=True)})
    made = program.create(SECRET, {**manifest(SECRET, {"namespace": namespace}), "stringData": data})
    assert made.properties["data"].is_secret
    assert made.state["data"] == {"token": "czNjcjN0"}
    other = program.create(CONFIG_MAP, {**manifest(CONFIG_MAP, {"namespace": namespace}), "data": data})
    marked: Any = other.properties["data"].value
    assert marked["token"].is_secret


def test_a_namespace_that_is_made_has_what_pods_need(program: Program, namespace: str) -> None:
    assert (
        program.create(POD, manifest(POD, {"namespace": namespace}, spec=pod_spec())).state["status"]["phase"]
        == "Pending"
    )


def test_objects_of_a_kind_can_be_made_as_soon_as_it_is_defined_and_go_with_it(
    program: Program, namespace: str
) -> None:
    crd = program.create(DEFINITION, definition("crews"))
    token = "kubernetes:lab.dev/v1:Crews"
    made = program.create(token, manifest(token, {"namespace": namespace}, spec={"owner": "a"}))
    assert made.state["spec"] == {"owner": "a", "size": 3}
    program.delete(crd)
    assert program.read(made) is None
    program.delete(made)


def test_deleting_a_job_takes_its_pods_along(program: Program, namespace: str) -> None:
    spec = {"template": {"spec": {**pod_spec(), "restartPolicy": "Never"}}}
    made = program.create(JOB, manifest(JOB, {"namespace": namespace}, spec=spec))
    program.delete(made)
    pods = program.objects.api.call("GET", f"/api/v1/namespaces/{namespace}/pods", "list pods")
    assert pods["items"] == []


def test_an_object_that_somebody_holds_is_said_to_be_held(program: Program, namespace: str) -> None:
    metadata = {"namespace": namespace, "name": "held", "finalizers": ["lab.dev/held"]}
    program.create(CONFIG_MAP, manifest(CONFIG_MAP, metadata))
    reference = Reference("v1", "ConfigMap", namespace, "held")
    with pytest.raises(RehearsalError, match=r"still there after 0 s; it waits for the finalizers lab.dev/held"):
        program.objects.delete(reference, "Background", 0)
    path = f"/api/v1/namespaces/{namespace}/configmaps/held"
    patch = {"metadata": {"finalizers": None}}
    program.objects.api.call("PATCH", path, "let go", body=patch, content_type="application/merge-patch+json")


def scale(program: Program, resource_id: str, replicas: int) -> None:
    """Somebody else, as an autoscaler, sets the number of replicas."""
    namespace, _, name = resource_id.partition("/")
    path = f"/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale"
    body = {"spec": {"replicas": replicas}}
    program.objects.api.call("PATCH", path, "scale", body=body, content_type="application/merge-patch+json")
