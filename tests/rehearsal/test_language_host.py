"""The Python language host, spoken to as the engine does."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from pulumi import RunError
from pulumi.runtime.proto import language_pb2, language_pb2_grpc

from gpufleet.rehearsal.language_host import plugin_command, run_entry

ROOT = Path(__file__).parents[2]

Host = tuple["subprocess.Popen[str]", Any]


@pytest.fixture
def host() -> Iterator[Host]:
    """A running host and a stub that speaks to it."""
    command = [sys.executable, "-m", "gpufleet.rehearsal.language_host", "127.0.0.1:1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield process, language_pb2_grpc.LanguageRuntimeStub(channel)
        process.kill()


def plugin(directory: Path, kind: str = "resource", *arguments: str) -> language_pb2.RunPluginRequest:
    """A request to run the plugin in a directory."""
    info = language_pb2.ProgramInfo(program_directory=str(directory), root_directory=str(directory), entry_point=".")
    return language_pb2.RunPluginRequest(
        pwd=str(directory), kind=kind, args=list(arguments), env=["GREETING=hello"], info=info
    )


def test_it_shakes_hands_and_tells_its_version(host: Host) -> None:
    _, stub = host
    answer = stub.Handshake(language_pb2.LanguageHandshakeRequest(engine_address="127.0.0.1:2"))
    assert isinstance(answer, language_pb2.LanguageHandshakeResponse)
    about: Any = stub.About(language_pb2.AboutRequest())
    assert about.executable == sys.executable


def test_it_asks_for_no_plugins_to_be_installed(host: Host) -> None:
    _, stub = host
    answer: Any = stub.GetRequiredPackages(language_pb2.GetRequiredPackagesRequest())
    assert list(answer.packages) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_without_a_word(host: Host, number: signal.Signals) -> None:
    process, _ = host
    process.send_signal(number)
    assert process.communicate(timeout=10) == ("", "")
    assert process.returncode == 0


def test_a_plugins_output_is_streamed_and_its_status_is_last(host: Host, tmp_path: Path) -> None:
    code = "import os, sys\nprint(os.environ['GREETING'], sys.argv[1])\nprint('wrong', file=sys.stderr)\nsys.exit(7)\n"
    (tmp_path / "__main__.py").write_text(code, encoding="utf-8")
    _, stub = host
    answers: list[Any] = list(stub.RunPlugin(plugin(tmp_path, "resource", "engine:1")))
    assert b"".join(answer.stdout for answer in answers) == b"hello engine:1\n"
    assert b"".join(answer.stderr for answer in answers) == b"wrong\n"
    assert (answers[-1].WhichOneof("output"), answers[-1].exitcode) == ("exitcode", 7)


def test_a_plugin_ends_when_its_call_is_cancelled(host: Host, tmp_path: Path, ends: Callable[[int], bool]) -> None:
    code = "import os, signal\nprint(os.getpid(), flush=True)\nsignal.pause()\n"
    (tmp_path / "__main__.py").write_text(code, encoding="utf-8")
    _, stub = host
    call: Any = stub.RunPlugin(plugin(tmp_path))
    pid = int(next(call).stdout)
    call.cancel()
    assert ends(pid)


def test_a_policy_pack_is_served_by_the_policy_sdk() -> None:
    assert plugin_command("analyzer", "/pack", ["127.0.0.1:9"]) == [
        *(sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:9", "/pack")
    ]


def test_a_program_that_is_not_there_is_an_error_that_names_the_place(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=f"there is no program at {tmp_path / 'missing'}: `main` in Pulumi.yaml"):
        run_entry(tmp_path / "missing")


def test_a_program_that_exits_in_peace_is_no_error_and_one_that_does_not_is(tmp_path: Path) -> None:
    program = tmp_path / "__main__.py"
    program.write_text("raise SystemExit\n", encoding="utf-8")
    run_entry(tmp_path)
    program.write_text("raise SystemExit(4)\n", encoding="utf-8")
    with pytest.raises(RunError, match="the program ended itself with status 4"):
        run_entry(tmp_path)
