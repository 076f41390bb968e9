"""The Python language host: the process through which the Pulumi engine runs a Python program or a Python policy pack.

The official `pulumi-language-python` comes with Pulumi's installers, but a `pulumi` built from its Go module comes
without it. This one serves the same gRPC service on top of the SDK's own `LanguageServer`, always with the interpreter
it runs in: it looks for no virtual environment and installs nothing.

Run as `python -m gpufleet.rehearsal.language_host [ENGINE_ADDRESS]`; the port is the first line on standard output.
"""

import asyncio
import os
import queue
import runpy
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent import futures
from importlib import metadata
from pathlib import Path
from typing import IO, Any, cast

import grpc
from pulumi import RunError

# The one private import of the rehearsal: inline programs of the Automation API run through this very class.
from pulumi.automation._server import LanguageServer
from pulumi.runtime.proto import language_pb2, language_pb2_grpc, plugin_pb2

STREAM_CHUNK_BYTES = 65536
STOP_SECONDS = 2.0

# The engine sends whole programs' worth of configuration; the SDK lifts gRPC's 4 MiB limit to the same number.
_CHANNEL_OPTIONS = [("grpc.max_receive_message_length", 400 * 1024 * 1024)]


class PythonHost(LanguageServer):
    """Runs programs in this process and plugins (policy packs, providers written in Python) in a child process each."""

    def __init__(self, engine_address: str) -> None:
        """Remember where the engine listens; programs send it their log messages.

        Args:
            engine_address: `host:port`, empty where the engine told none.
        """
        super().__init__(_nothing)
        self._engine_address = engine_address

    def Handshake(  # noqa: N802 -- the name of the RPC
        self, request: language_pb2.LanguageHandshakeRequest, context: grpc.ServicerContext
    ) -> language_pb2.LanguageHandshakeResponse:
        """Accept the engine; the address it gives here replaces the one of the command line."""
        self._engine_address = request.engine_address or self._engine_address
        return language_pb2.LanguageHandshakeResponse()

    def GetPluginInfo(self, request: object, context: grpc.ServicerContext) -> plugin_pb2.PluginInfo:  # noqa: N802 -- the name of the RPC
        """Answer with the version of the Python SDK, as the official host answers with its own."""
        return plugin_pb2.PluginInfo(version=metadata.version("pulumi"))

    def Run(self, request: language_pb2.RunRequest, context: grpc.ServicerContext) -> language_pb2.RunResponse:  # noqa: N802 -- the name of the RPC
        """Run a program as `python DIRECTORY` would: in its directory, which is also first on `sys.path`."""
        directory = request.info.program_directory or request.pwd
        entry = Path(directory, request.info.entry_point or ".")
        os.chdir(directory)
        sys.path.insert(0, directory)
        self.program = lambda: run_entry(entry)
        if not request.args and self._engine_address:
            request.args.append(self._engine_address)
        # The SDK's base class has no annotations.
        response: language_pb2.RunResponse = cast(Any, super()).Run(request, context)
        return response

    def RunPlugin(  # noqa: N802 -- the name of the RPC
        self, request: language_pb2.RunPluginRequest, context: grpc.ServicerContext
    ) -> Iterator[language_pb2.RunPluginResponse]:
        """Run a plugin and stream what it writes; it ends with the call, also when the engine cancels it.

        A policy pack (kind `analyzer`) is run by `pulumi.policy`, with the pack as its working directory. Anything else
        is run as a program of its own.
        """
        directory = request.info.program_directory or request.pwd
        command = plugin_command(request.kind, directory, list(request.args))
        working_directory = directory if request.kind == "analyzer" else request.pwd or directory
        environment = {**os.environ, **dict(pair.split("=", 1) for pair in request.env if "=" in pair)}
        child = subprocess.Popen(  # noqa: S603 (our interpreter on a folder the user named)
            command,
            cwd=working_directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        context.add_callback(lambda: _stop(child))
        yield from _output_of(child)
        yield language_pb2.RunPluginResponse(exitcode=child.wait())


def plugin_command(kind: str, directory: str, arguments: Sequence[str]) -> list[str]:
    """Build the command that runs one plugin.

    Args:
        kind: what the engine asks for: `analyzer` for a policy pack, `resource` and others for a plugin's own program.
        directory: the plugin's folder.
        arguments: what the engine passes on, its own address first.

    Returns:
        The command line. Python runs unbuffered: the plugin's port is waited for.
    """
    if kind == "analyzer":
        return [sys.executable, "-u", "-m", "pulumi.policy", *arguments, directory]
    return [sys.executable, "-u", directory, *arguments]


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until the engine ends the process, and end without a word: what is printed lands in the user's output.

    Args:
        arguments: the engine's address is the last that is no flag; defaults to the command line.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    addresses = [argument for argument in given if not argument.startswith("-")]
    ended = threading.Event()

    def end(signal_number: int, frame: object) -> None:
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8), options=_CHANNEL_OPTIONS)
    host = PythonHost(addresses[-1] if addresses else "")
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(host, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    ended.wait()
    server.stop(grace=None)
    sys.stdout.flush()
    # A program that hangs in a worker thread must not keep the process: the pool would join it for ever at exit.
    os._exit(0)


def run_entry(entry: Path) -> None:
    """Run the program's module, and return nothing: its globals must not become the stack's outputs.

    Args:
        entry: a folder with `__main__.py`, or a file.

    Raises:
        RunError: there is nothing to run, or the program ended itself with a status.
    """
    if not entry.exists():
        raise RunError(f"there is no program at {entry}: `main` in Pulumi.yaml names the folder or file to run")
    try:
        runpy.run_path(str(entry), run_name="__main__")
    except SystemExit as stop:
        if stop.code not in (None, 0):
            raise RunError(f"the program ended itself with status {stop.code}") from stop


def _output_of(child: subprocess.Popen[bytes]) -> Iterator[language_pb2.RunPluginResponse]:
    """Yield both streams of a child as they come, until both are closed."""
    arrived: queue.Queue[language_pb2.RunPluginResponse | None] = queue.Queue()

    def pump(stream: IO[bytes], is_stdout: bool) -> None:
        with stream:
            while chunk := os.read(stream.fileno(), STREAM_CHUNK_BYTES):
                part = {"stdout": chunk} if is_stdout else {"stderr": chunk}
                arrived.put(cast(Any, language_pb2.RunPluginResponse)(**part))
        arrived.put(None)

    streams = [stream for stream in (child.stdout, child.stderr) if stream is not None]
    for stream in streams:
        threading.Thread(target=pump, args=(stream, stream is child.stdout), daemon=True).start()
    for _ in streams:
        # Each pump ends with one None: as many rounds as streams, whichever closes first.
        yield from iter(arrived.get, None)


def _stop(child: subprocess.Popen[bytes]) -> None:
    """End a child that still runs: politely, then not."""
    if child.poll() is not None:
        return
    child.terminate()
    try:
        child.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


async def _nothing() -> None:
    """Stand where a program will be: the base class wants one before the first is known."""
    await asyncio.sleep(0)


if __name__ == "__main__":
    main()
