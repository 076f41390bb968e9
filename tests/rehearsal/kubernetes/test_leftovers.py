"""What is left, but for what Kubernetes itself keeps."""

from gpufleet.rehearsal.kubernetes.leftovers import inventory, left
from gpufleet.rehearsal.kubernetes.objects import Reference
from tests.rehearsal.kubernetes.manifests import DEPLOYMENT, NAMESPACE, deployment, manifest
from tests.rehearsal.kubernetes.program import Program


def test_everything_that_was_made_is_left_until_it_is_deleted(program: Program) -> None:
    before = inventory(program.objects)
    made = program.create(NAMESPACE, manifest(NAMESPACE, {"name": "left"}))
    program.create(DEPLOYMENT, deployment("left"), "web")
    found = [str(reference) for reference in left(program.objects, before, seconds=0)]
    assert "v1 Namespace left" in found
    assert any(line.startswith("apps/v1 Deployment left/web-") for line in found)
    program.close()
    assert left(program.objects, before) == []
    assert program.read(made) is None


def test_what_kubernetes_keeps_in_its_namespaces_is_not_left(program: Program) -> None:
    now = inventory(program.objects)
    root_ca = Reference("v1", "ConfigMap", "kube-system", "kube-root-ca.crt")
    role = Reference("rbac.authorization.k8s.io/v1", "ClusterRole", None, "admin")
    assert {root_ca, role} <= now
    assert left(program.objects, now - {root_ca, role}, seconds=0) == [role]
