"""What `gpufleet rehearse` says of a cluster."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gpufleet.plan import project
from gpufleet.rehearsal import command, rehearse
from gpufleet.rehearsal.controlplane.scheduling import Placement
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.report import Report, Step
from gpufleet.rehearsal.session import Subject

PROGRAM = Path(__file__).parent / "kubernetes" / "programs" / "fleet"
WORDS = "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."


def placement(workload: str, number: int, reason: str | None = None, cluster: str = "main") -> Placement:
    node, pool = (None, None) if reason else ("train-0", "train")
    name = f"it-{number}"
    return Placement(
        namespace="vision", workload=workload, pod=name, node=node, pool=pool, reason=reason, cluster=cluster
    )


@pytest.fixture
def rehearsed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Subject]]:
    """Have the rehearsal end with a report; returns the subjects that it is given."""

    def ends_with(
        placements: Sequence[Placement] = (),
        recorded: Sequence[dict[str, Any]] = (),
        kept: dict[str, Any] | None = None,
    ) -> list[Subject]:
        subjects: list[Subject] = []

        def stand_in(subject: Subject, **_: object) -> Report:
            subjects.append(subject)
            return Report(
                project="fleet",
                stack="dev",
                engine=Engine(path=Path("/opt/pulumi"), version="3.274.1", origin="path"),
                steps=[Step(name="scheduling", ok=True, seconds=0.1, resources=3, detail="3 pods on 1 node of train")],
                created={},
                recorded=recorded,
                read_back=[],
                placements=placements,
                violations=[],
                state=[],
                leftovers=[],
                seconds=1.0,
                logs=None,
                kept=kept,
            )

        monkeypatch.setattr(rehearse, "rehearse", stand_in)
        return subjects

    return ends_with


def run(*overrides: str, as_json: bool = False) -> bool:
    loaded = project.load(PROGRAM, "dev", overrides=overrides)
    return command.run(loaded, policy_pack=None, policy_config=None, keep=False, as_json=as_json)


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_the_account_and_the_cluster_are_those_of_the_program(rehearsed: Callable[..., list[Subject]]) -> None:
    subjects = rehearsed()
    assert run("region=us-west-2")
    (subject,) = subjects
    assert subject.account_id == "444455556666"
    (design,) = subject.kubernetes
    assert [node.zone for node in design.nodes] == ["us-west-2a", "us-west-2a"]


def test_pods_of_one_workload_that_share_their_fate_are_one_line(
    rehearsed: Callable[..., list[Subject]], capsys: pytest.CaptureFixture[str]
) -> None:
    server = [placement("Deployment/server", number) for number in range(2)]
    rehearsed([*server, placement("Job/train", 0), placement("Job/train", 1, WORDS)])
    assert run()
    lines = printed(capsys)
    start = lines.index("Where the scheduler put the pods")
    assert lines[start + 2 : start + 7] == [
        "namespace workload pods pool, or why not",
        lines[start + 3],
        "vision Deployment/server 2 train",
        f"vision Job/train 1 {WORDS}",
        "vision Job/train 1 train",
    ]


def test_the_document_has_every_placement(
    rehearsed: Callable[..., list[Subject]], capsys: pytest.CaptureFixture[str]
) -> None:
    rehearsed([placement("Job/train", 0, WORDS)])
    assert run(as_json=True)
    (one,) = json.loads(capsys.readouterr().out)["placements"]
    assert one == {
        "namespace": "vision",
        "workload": "Job/train",
        "pod": "it-0",
        "node": None,
        "pool": None,
        "reason": WORDS,
        "cluster": "main",
    }


def test_of_several_clusters_each_line_names_its_own(
    rehearsed: Callable[..., list[Subject]], capsys: pytest.CaptureFixture[str]
) -> None:
    rehearsed([placement("Job/train", 0), placement("Job/train", 0, cluster="west")])
    assert run()
    lines = printed(capsys)
    start = lines.index("Where the scheduler put the pods")
    assert lines[start + 2] == "cluster namespace workload pods pool, or why not"
    assert lines[start + 4 : start + 6] == ["main vision Job/train 1 train", "west vision Job/train 1 train"]


def test_releases_are_said_to_be_recorded_apart_from_what_aws_lacks(
    rehearsed: Callable[..., list[Subject]], capsys: pytest.CaptureFixture[str]
) -> None:
    rehearsed(
        recorded=[
            {"type": "aws:eks/addon:Addon", "calls": ["CreateAddon"], "resources": 2},
            {"type": "kubernetes:helm.sh/v3:Release", "calls": ["CreateRelease"], "resources": 3},
        ]
    )
    assert run()
    lines = printed(capsys)
    start = lines.index("Recorded with their values, because a rehearsal does not run Helm:")
    assert lines[start - 1 : start + 2 : 2] == ["2 Addon: CreateAddon", "3 Release"]


def test_a_kept_cluster_comes_with_a_command_to_look_at_it(
    rehearsed: Callable[..., list[Subject]], capsys: pytest.CaptureFixture[str]
) -> None:
    rehearsed(
        kept={
            "folder": "/tmp/kept",
            "environment": {},
            "kubernetes": [
                {"cluster": "main", "kubeconfig": "/tmp/main/kubeconfig"},
                {"cluster": "west", "kubeconfig": "/tmp/west/kubeconfig"},
            ],
            "pulumi": ["pulumi", "preview"],
            "pulumi_environment": {},
        }
    )
    assert run()
    lines = printed(capsys)
    start = lines.index("at the cluster main:")
    assert lines[start : start + 4] == [
        "at the cluster main:",
        "kubectl --kubeconfig /tmp/main/kubeconfig get pods --all-namespaces --output wide",
        "at the cluster west:",
        "kubectl --kubeconfig /tmp/west/kubeconfig get pods --all-namespaces --output wide",
    ]
