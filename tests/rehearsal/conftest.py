"""What the rehearsal's tests share: engine, control plane, server, and a way to see a process end."""

import os
import select
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpufleet.facts import kubernetes
from gpufleet.rehearsal.cloud import Cloud
from gpufleet.rehearsal.controlplane.binaries import Binaries, ControlPlaneMissing, ensure_binaries
from gpufleet.rehearsal.engine import Engine, EngineMissing, ensure_engine

ACCOUNT = "444455556666"


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The real engine, built first if it must be."""
    try:
        return ensure_engine()
    except EngineMissing as missing:
        pytest.skip(f"no Pulumi engine can be had here: {missing}")


@pytest.fixture(scope="session")
def binaries() -> Binaries:
    """The real programs of the version that clusters get, built first if they must be."""
    try:
        return ensure_binaries(kubernetes.DEFAULT_VERSION)
    except ControlPlaneMissing as missing:
        pytest.skip(f"no control plane can be had here: {missing}")


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[Cloud]:
    """An AWS API in memory of the test's own."""
    server = Cloud.start(ACCOUNT, tmp_path / "cloud.log")
    yield server
    server.close()


@pytest.fixture
def ends() -> Callable[[int], bool]:
    """Wait until a process that is not our child has ended; False when it has not after ten seconds."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("needs pidfd_open (Linux) to wait for a process that is not a child")

    def wait(pid: int) -> bool:
        try:
            watched = os.pidfd_open(pid)
        except ProcessLookupError:
            return True
        try:
            return bool(select.select([watched], [], [], 10)[0])
        finally:
            os.close(watched)

    return wait


@pytest.fixture
def executable(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a shell script; returns its path."""

    def write(name: str, body: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return write
