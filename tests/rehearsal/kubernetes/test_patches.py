"""Patches: some fields of an object that somebody else has made."""

from gpufleet.rehearsal.kubernetes.objects import Reference
from tests.rehearsal.kubernetes.manifests import CONFIG_MAP, manifest
from tests.rehearsal.kubernetes.program import Program

PATCH = "kubernetes:core/v1:ServiceAccountPatch"


def test_a_patch_owns_its_fields_and_gives_them_up_again(program: Program, namespace: str) -> None:
    metadata = {"name": "default", "namespace": namespace}
    given = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata, "automountServiceAccountToken": False}
    made = program.create(PATCH, given)
    assert made.id == f"{namespace}/default"
    assert made.state["automountServiceAccountToken"] is False
    assert program.diff(made, given).changes is False
    program.delete(made)
    left = program.objects.find(Reference("v1", "ServiceAccount", namespace, "default"))
    assert left is not None
    assert "automountServiceAccountToken" not in left


def test_a_patch_of_what_an_object_is_replaced_for_stays_in_place(program: Program, namespace: str) -> None:
    metadata = {"name": "a", "namespace": namespace}
    program.create(CONFIG_MAP, manifest(CONFIG_MAP, metadata, data={"k": "1"}))
    given = {**manifest(CONFIG_MAP, metadata), "data": {"mine": "1"}}
    made = program.create(f"{CONFIG_MAP}Patch", given)
    updated = program.update(made, {**given, "data": {"mine": "2"}})
    assert updated.state["data"] == {"k": "1", "mine": "2"}


def test_a_patch_must_say_which_object_it_patches(program: Program) -> None:
    answer = program.checked(program.urn(PATCH), {"apiVersion": "v1", "kind": "ServiceAccount"})
    assert [failure.property for failure in answer.failures or ()] == ["metadata.name"]
