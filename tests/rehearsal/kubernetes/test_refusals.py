"""What the API server refuses, and what the stand-in does, in words that say what to do."""

from typing import Any

import pytest

from gpufleet.rehearsal.kubernetes import objects
from gpufleet.rehearsal.kubernetes.errors import KubernetesError, RehearsalError
from tests.rehearsal.kubernetes.conftest import MakeNamespace, MakeProgram
from tests.rehearsal.kubernetes.manifests import (
    CONFIG_MAP,
    DEPLOYMENT,
    POD,
    QUOTA,
    deployment,
    manifest,
    pod_spec,
)
from tests.rehearsal.kubernetes.program import Program


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not give what an object depends on the time to appear."""
    monkeypatch.setattr(objects, "_RETRY_SECONDS", ())


def refused(program: Program, token: str, given: dict[str, Any]) -> str:
    with pytest.raises(KubernetesError) as error:
        program.create(token, given)
    return str(error.value)


def test_a_privileged_pod_in_a_restricted_namespace(program: Program, make_namespace: MakeNamespace) -> None:
    strict = make_namespace({"pod-security.kubernetes.io/enforce": "restricted"})
    spec = pod_spec(securityContext={"privileged": True})
    said = refused(program, POD, manifest(POD, {"name": "a", "namespace": strict}, spec=spec))
    assert said.startswith(
        f'create v1 Pod {strict}/a: pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged '
        '(container "main" must not set securityContext.privileged=true)'
    )


def test_a_pod_over_quota(program: Program, namespace: str) -> None:
    hard = {"requests.nvidia.com/gpu": "8"}
    program.create(QUOTA, manifest(QUOTA, {"name": "gpus", "namespace": namespace}, spec={"hard": hard}))
    said = refused(program, POD, manifest(POD, {"name": "a", "namespace": namespace}, spec=pod_spec(gpus=9)))
    assert said == (
        f'create v1 Pod {namespace}/a: pods "a" is forbidden: exceeded quota: gpus, requested: '
        "requests.nvidia.com/gpu=9, used: requests.nvidia.com/gpu=0, limited: requests.nvidia.com/gpu=8"
    )


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"replica": 3}, ".spec.replica: field not declared in schema"),
        ({"replicas": "three"}, ".spec.replicas: expected numeric (int or float), got string"),
        ({"template": {"spec": pod_spec()}}, "`selector` does not match template `labels`"),
    ],
)
def test_a_field_that_is_unknown_or_wrong(program: Program, namespace: str, spec: dict[str, Any], said: str) -> None:
    assert said in refused(program, DEPLOYMENT, deployment(namespace, **spec))


def test_an_object_that_is_there_already_is_not_taken_over(make_program: MakeProgram, namespace: str) -> None:
    given = manifest(CONFIG_MAP, {"name": "a", "namespace": namespace}, data={"k": "1"})
    program = make_program()
    program.create(CONFIG_MAP, given)
    said = refused(program, CONFIG_MAP, given)
    assert said.startswith(f'create v1 ConfigMap {namespace}/a: ConfigMap "a" already exists\nTwo resources')
    willing = make_program(upsertExistingObjects="true")
    assert willing.create(CONFIG_MAP, given).state["data"] == {"k": "1"}


def test_a_field_that_somebody_else_owns_is_named_with_the_way_to_take_it(
    make_program: MakeProgram, namespace: str
) -> None:
    program = make_program(enableConfigMapMutable="true")
    metadata = {"name": "a", "namespace": namespace}
    made = program.create(CONFIG_MAP, manifest(CONFIG_MAP, metadata, data={"k": "1"}))
    program.objects.apply(manifest(CONFIG_MAP, metadata, data={"k": "2"}), "somebody", force=True)
    with pytest.raises(KubernetesError) as error:
        program.update(made, manifest(CONFIG_MAP, metadata, data={"k": "3"}))
    assert 'conflict with "somebody": .data.k' in str(error.value)
    assert 'pulumi.com/patchForce: "true"' in str(error.value)
    forced = {**metadata, "annotations": {"pulumi.com/patchForce": "true"}}
    assert program.update(made, manifest(CONFIG_MAP, forced, data={"k": "3"})).state["data"] == {"k": "3"}


@pytest.mark.usefixtures("impatient")
def test_a_kind_that_nobody_has_defined(program: Program) -> None:
    token = "kubernetes:lab.dev/v1:Nobody"
    said = refused(program, token, manifest(token, {"name": "a"}))
    assert said.splitlines()[0] == 'lab.dev/v1 Nobody a: no matches for kind "Nobody" in version "lab.dev/v1"'
    assert "must come after (depends_on) the chart or the CustomResourceDefinition" in said


@pytest.mark.usefixtures("impatient")
def test_a_namespace_that_is_not_there(program: Program) -> None:
    said = refused(program, CONFIG_MAP, manifest(CONFIG_MAP, {"name": "a", "namespace": "gone"}))
    assert said == 'create v1 ConfigMap gone/a: namespaces "gone" not found'


@pytest.mark.parametrize(
    ("given", "property_path", "reason"),
    [
        ({"kind": "ConfigMap"}, "apiVersion", "an object needs apiVersion; a ConfigMap of this type has 'v1'"),
        ({"apiVersion": "v1"}, "kind", "an object needs kind; a ConfigMap of this type has 'ConfigMap'"),
        (manifest(CONFIG_MAP) | {"metadata": "a"}, "metadata", "must be a mapping with a name or labels, not 'a'"),
        (
            manifest(CONFIG_MAP, {"generateName": "a-"}),
            "metadata.generateName",
            "not supported by server-side apply; set name",
        ),
    ],
)
def test_what_is_no_object_is_refused_before_it_is_sent(
    program: Program, given: dict[str, Any], property_path: str, reason: str
) -> None:
    answer = program.checked(program.urn(CONFIG_MAP), given)
    assert [(failure.property, failure.reason) for failure in answer.failures or ()] == [(property_path, reason)]


def test_a_deletion_policy_that_kubernetes_does_not_have_is_refused(program: Program, namespace: str) -> None:
    annotations = {"pulumi.com/deletionPropagationPolicy": "sideways"}
    made = program.create(CONFIG_MAP, manifest(CONFIG_MAP, {"namespace": namespace, "annotations": annotations}))
    with pytest.raises(RehearsalError, match="'sideways' is none of background, foreground, orphan"):
        program.delete(made)
    program.standing.remove(made)


@pytest.mark.parametrize("function", ["kubernetes:yaml:decode", "kubernetes:helm:template"])
def test_functions_that_render_files_are_refused(program: Program, function: str) -> None:
    with pytest.raises(RehearsalError, match="does not render files into objects"):
        program.invoke(function, {})
