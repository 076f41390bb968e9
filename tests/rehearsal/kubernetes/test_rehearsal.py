"""A program of every sort of object on the real engine and a real control plane, through the stand-in."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from gpufleet.plan import project
from gpufleet.rehearsal.controlplane.binaries import Binaries
from gpufleet.rehearsal.controlplane.plane import ControlPlane
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, of_rehearsal
from gpufleet.rehearsal.kubernetes.leftovers import inventory, left
from gpufleet.rehearsal.kubernetes.objects import Objects
from gpufleet.rehearsal.operation import Operation
from gpufleet.rehearsal.read_back import recorded
from gpufleet.rehearsal.session import Session, Subject

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(find_spec("pulumi_kubernetes") is None, reason="the program needs pulumi-kubernetes"),
]

PROGRAM = Path(__file__).parent / "programs" / "lab"
PLUGINS = {"pulumi-resource-kubernetes": "gpufleet.rehearsal.kubernetes"}
URN = "urn:pulumi:dev::lab::kubernetes:"


def lab(**settings: Any) -> project.Project:
    """The program, changed by settings."""
    return project.load(PROGRAM, "dev", overrides=[f"{name}={value}" for name, value in settings.items()])


class Lab:
    """The program in a session of its own."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def up(self, **settings: Any) -> Operation:
        """Bring the stack to what the settings ask for."""
        changed = lab(**settings)
        self.session.workspace.write_config(changed.name, changed.config)
        return self.session.up()

    def changes(self, **settings: Any) -> dict[str, str]:
        """The same, which must go well; what was done to each resource that was changed, by the end of its URN."""
        operation = self.up(**settings)
        assert operation.ok, [problem.message for problem in operation.problems]
        return {urn.removeprefix(URN): what for urn, what in operation.changed}

    def refusals(self, **settings: Any) -> dict[str, str]:
        """The same, which must fail: the errors by the end of their resource's URN."""
        operation = self.up(**settings)
        assert not operation.ok
        return {problem.urn.removeprefix(URN): problem.message for problem in operation.problems if problem.urn}


def of_plane(session: Session, plane: ControlPlane) -> Lab:
    session.environment = {**session.environment, KUBECONFIG: plane.kubeconfig()}
    return Lab(session)


def test_the_program_lives_and_leaves_nothing(engine: Engine, binaries: Binaries) -> None:
    with ControlPlane(binaries) as plane, Session(Subject.of(lab()), engine, plugins=PLUGINS) as session:
        objects = Objects(Api(of_rehearsal({KUBECONFIG: plane.kubeconfig()})))
        before = inventory(objects)
        running = of_plane(session, plane)
        preview = session.preview()
        assert preview.ok, [problem.message for problem in preview.problems]

        assert set(running.changes().values()) == {"create"}
        made = {resource["urn"].removeprefix(URN): resource for resource in session.export()}
        outputs = made["core/v1:Service::server"]["outputs"]
        assert session.outputs()["cluster_ip"] == outputs["spec"]["clusterIP"]
        assert "plaintext" in session.outputs()["secret_data"], "a secret stays one"
        (marks,) = [
            entry for entry in recorded(list(made.values())) if entry["type"] == "kubernetes:helm.sh/v3:Release"
        ]
        assert (marks["calls"], marks["resources"]) == (["CreateRelease"], 2)

        for again in (session.up(expect_no_changes=True), session.refresh()):
            assert again.ok
            assert again.changed == []

        assert running.changes(replicas=2, size=5) == {
            "apps/v1:Deployment::server": "update",
            "lab.dev/v1:Team::vision": "update",
        }
        # The name of the new map goes into the pods; a job does not take that in place.
        replaced = running.up(replicas=2, size=5, mode="fast", binding="WaitForFirstConsumer")
        assert {urn.removeprefix(URN): what for urn, what in replaced.changed} == {
            "apps/v1:Deployment::server": "update",
            "batch/v1:Job::train": "delete-replaced",
            "core/v1:ConfigMap::mode": "create-replacement",
            "storage.k8s.io/v1:StorageClass::fast": "delete-replaced",
        }
        assert "warning: volumeBindingMode: the API server does not let this change" in replaced.log.read_text("utf-8")
        assert session.up(expect_no_changes=True).ok

        destroyed = session.destroy()
        assert destroyed.ok, [problem.message for problem in destroyed.problems]
        assert session.export() == []
        assert left(objects, before) == []


@pytest.fixture(scope="module")
def standing(engine: Engine, binaries: Binaries) -> Iterator[Lab]:
    """The program, up on a control plane of its own."""
    with ControlPlane(binaries) as plane, Session(Subject.of(lab()), engine, plugins=PLUGINS) as session:
        running = of_plane(session, plane)
        assert running.up().ok
        yield running
        assert session.destroy().ok


@pytest.mark.parametrize(
    ("defect", "urn", "said"),
    [
        (
            "privileged",
            "core/v1:Pod::wrong",
            'create v1 Pod vision/wrong: pods "wrong" is forbidden: violates PodSecurity "restricted:latest": '
            'privileged (container "main" must not set securityContext.privileged=true)',
        ),
        (
            "quota",
            "core/v1:Pod::wrong",
            'create v1 Pod vision/wrong: pods "wrong" is forbidden: exceeded quota: team, requested: '
            "requests.nvidia.com/gpu=9, used: requests.nvidia.com/gpu=5, limited: requests.nvidia.com/gpu=8",
        ),
        ("unknown-field", "lab.dev/v1:Team::vision", ".spec.sise: field not declared in schema"),
        ("wrong-type", "lab.dev/v1:Team::vision", ".spec.size: expected numeric (int or float), got string"),
    ],
)
def test_what_the_server_refuses_reaches_the_user_in_its_own_words(
    standing: Lab, defect: str, urn: str, said: str
) -> None:
    refusals = standing.refusals(defect=defect)
    assert list(refusals) == [urn]
    assert said in refusals[urn]
    assert "Traceback" not in refusals[urn]


def test_a_component_that_renders_files_is_refused_with_the_ways_out(standing: Lab) -> None:
    operation = standing.up(defect="rendered")
    assert not operation.ok
    said = [problem.message for problem in operation.problems if "ConfigGroup" in problem.message]
    assert len(said) == 1
    assert "yaml.v2.ConfigGroup: the rehearsal's stand-in for the kubernetes plugin does not render files" in said[0]


def test_outside_a_rehearsal_the_plugin_refuses_to_run(engine: Engine) -> None:
    with Session(Subject.of(lab()), engine, plugins=PLUGINS) as session:
        operation = session.up()
        assert not operation.ok
        assert any("is started by `gpufleet rehearse` only" in problem.detail for problem in operation.problems) or (
            "is started by `gpufleet rehearse` only" in operation.log.read_text(encoding="utf-8")
        )
        session.keep_logs = False
