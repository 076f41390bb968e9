"""What `gpufleet doctor` prints."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from gpufleet.rehearsal import doctor_command
from gpufleet.rehearsal.controlplane import doctor
from gpufleet.rehearsal.controlplane.doctor import Finding

PULUMI = Finding(
    part="engine", name="pulumi", found=True, version="3.274.1", where="/opt/pulumi", origin="path", note=""
)
ETCD = Finding(
    part="kubernetes 1.35", name="etcd", found=False, version=None, where=None, origin=None, note="is built [once]"
)
MOTO = replace(PULUMI, part="packages", name="moto", version=None, origin=None, where="/site/moto")


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Finding]:
    """What is found, to be changed by a test."""
    findings = [PULUMI, ETCD, MOTO]

    def examine(minors: Sequence[str] | None = None) -> list[Finding]:
        return findings

    monkeypatch.setattr(doctor, "examine", examine)
    return findings


def test_the_table_says_where_each_thing_is_or_what_follows(
    found: list[Finding], capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor_command.run(as_json=False)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "engine pulumi 3.274.1 /opt/pulumi (path)" in lines
    assert "kubernetes 1.35 etcd is built [once]" in lines
    assert "packages moto /site/moto" in lines


def test_a_missing_control_plane_does_not_keep_a_rehearsal_from_starting_and_a_missing_engine_does(
    found: list[Finding], capsys: pytest.CaptureFixture[str]
) -> None:
    found[0] = replace(PULUMI, found=False, where=None)
    assert not doctor_command.run(as_json=False)
    assert "a rehearsal would first need what is missing" in capsys.readouterr().out


def test_the_document_has_every_finding(found: list[Finding], capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor_command.run(as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert (document["schema"], document["ok"]) == (1, True)
    assert document["findings"] == [finding.as_document() for finding in found]
