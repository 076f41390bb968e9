from policies.rules.k8s_no_privileged import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest, deployment


def test_what_gets_at_the_node_is_reported(preview: bool) -> None:
    def build() -> None:
        deployment(
            "d",
            {
                "name": "c",
                "image": "i:1",
                "securityContext": {"privileged": True, "capabilities": {"add": ["SYS_ADMIN"]}},
            },
            hostNetwork=True,
            volumes=[{"name": "host", "hostPath": {"path": "/"}}],
        )

    assert messages(RULE, build, preview=preview) == [
        "d: spec.template.spec.containers[0].securityContext.capabilities.add has SYS_ADMIN; they must go.",
        "d: spec.template.spec.containers[0].securityContext.privileged is true; it must be false.",
        "d: spec.template.spec.hostNetwork is true; it must be false.",
        "d: spec.template.spec.volumes[0] mounts / of the node; it must be a claim or an emptyDir.",
    ]


def test_an_ordinary_pod_and_an_agent_of_the_cluster_are_quiet(preview: bool) -> None:
    def build() -> None:
        deployment(
            "d",
            {
                "name": "c",
                "image": "i:1",
                "securityContext": {"privileged": False, "capabilities": {"add": ["IPC_LOCK"], "drop": ["ALL"]}},
            },
            volumes=[{"name": "shm", "emptyDir": {"medium": "Memory"}}],
        )
        Manifest(
            "kubernetes:apps/v1:DaemonSet",
            "agent",
            metadata={"namespace": "kube-system"},
            spec={"template": {"spec": {"hostNetwork": True, "containers": [{"name": "c", "image": "i:1"}]}}},
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_flag_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        deployment("d", {"name": "c", "image": "i:1", "securityContext": {"privileged": later(True)}})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "d: spec.template.spec.containers[0].securityContext.privileged is true; it must be false.",
    ]
