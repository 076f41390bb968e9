"""Changes that need another object, as the API server or the official provider says."""

import copy
from typing import Any

import pytest

from tests.rehearsal.kubernetes.conftest import MakeProgram
from tests.rehearsal.kubernetes.manifests import (
    CONFIG_MAP,
    DEFINITION,
    DEPLOYMENT,
    JOB,
    POD,
    QUOTA,
    STORAGE_CLASS,
    definition,
    deployment,
    manifest,
    pod_spec,
)
from tests.rehearsal.kubernetes.program import Program


def test_what_the_server_does_not_let_change_is_replaced(program: Program) -> None:
    given = manifest(STORAGE_CLASS, {"name": "fast"}, provisioner="lab.dev/disk")
    made = program.create(STORAGE_CLASS, given)
    change = program.diff(made, {**given, "volumeBindingMode": "WaitForFirstConsumer"})
    assert change.replaces == ["volumeBindingMode"]
    assert change.delete_before_replace, "its name is the program's: the two cannot stand at the same time"
    ((urn, warning),) = program.warnings
    assert urn == made.urn
    assert warning.startswith("volumeBindingMode: the API server does not let this change")
    assert "replace_on_changes=['volumeBindingMode'], and fails without" in warning


def test_a_replacement_that_the_official_provider_makes_too_is_no_warning(program: Program, namespace: str) -> None:
    made = program.create(DEPLOYMENT, deployment(namespace))
    assert program.diff(made, deployment(namespace, {"app": "other"})).replaces
    assert program.warnings == []


def test_an_object_that_was_named_here_is_replaced_before_it_is_deleted(program: Program, namespace: str) -> None:
    made = program.create(DEPLOYMENT, deployment(namespace))
    change = program.diff(made, deployment(namespace, {"app": "other"}))
    assert change.replaces == ["spec.selector.matchLabels.app"]
    assert not change.delete_before_replace


def test_another_name_or_namespace_is_another_object(program: Program, namespace: str) -> None:
    made = program.create(CONFIG_MAP, manifest(CONFIG_MAP, {"namespace": namespace, "name": "a"}))
    renamed = program.diff(made, manifest(CONFIG_MAP, {"namespace": namespace, "name": "b"}))
    assert (renamed.replaces, renamed.delete_before_replace) == (["metadata.name"], False)
    moved = program.diff(made, manifest(CONFIG_MAP, {"namespace": "default", "name": "a"}))
    assert (moved.replaces, moved.delete_before_replace) == (["metadata.namespace"], False)


def test_a_rule_of_a_custom_resource_that_forbids_a_change_is_the_servers(program: Program, namespace: str) -> None:
    program.create(DEFINITION, definition("bands"))
    token = "kubernetes:lab.dev/v1:Bands"
    made = program.create(token, manifest(token, {"namespace": namespace}, spec={"owner": "a"}))
    change = program.diff(made, manifest(token, {"namespace": namespace}, spec={"owner": "b"}))
    assert change.replaces == ["spec.owner"]
    in_place = program.diff(made, manifest(token, {"namespace": namespace}, spec={"owner": "a", "size": 5}))
    assert (list(in_place.detailed_diff), in_place.replaces) == (["spec.size"], [])


def test_a_job_that_runs_another_image_is_another_job(program: Program, namespace: str) -> None:
    def job(image: str) -> dict[str, Any]:
        template = {"spec": {**pod_spec(image), "restartPolicy": "Never"}}
        return manifest(JOB, {"namespace": namespace, "name": "train"}, spec={"template": template})

    made = program.create(JOB, job("a:1"))
    change = program.diff(made, job("a:2"))
    assert change.replaces == ["spec.template.spec.containers[0].image"]
    assert change.delete_before_replace


def test_a_pod_can_be_replaced_though_it_fills_the_quota(program: Program, namespace: str) -> None:
    program.create(QUOTA, manifest(QUOTA, {"namespace": namespace}, spec={"hard": {"pods": "1"}}))
    given = manifest(POD, {"namespace": namespace}, spec=pod_spec())
    made = program.create(POD, given)
    changed = copy.deepcopy(given)
    changed["spec"]["hostname"] = "other"
    assert program.diff(made, changed).replaces == ["spec.hostname"]


def test_content_is_replaced_unless_the_provider_is_told_otherwise(make_program: MakeProgram, namespace: str) -> None:
    def given(value: str) -> dict[str, Any]:
        return manifest(CONFIG_MAP, {"namespace": namespace}, data={"a": value})

    for settings, replaces in (({}, ["data.a"]), ({"enableConfigMapMutable": "true"}, [])):
        program = make_program(**settings)
        made = program.create(CONFIG_MAP, given("1"))
        assert program.diff(made, given("2")).replaces == replaces


@pytest.mark.parametrize("spec", [{"replicas": "three"}, {"replica": 3}, {"template": {}}])
def test_an_object_that_is_not_valid_is_no_replacement(program: Program, namespace: str, spec: dict[str, Any]) -> None:
    made = program.create(DEPLOYMENT, deployment(namespace))
    change = program.diff(made, deployment(namespace, **spec))
    assert (change.changes, change.replaces) == (True, [])
