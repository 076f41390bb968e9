"""The private folder of one rehearsal: the engine's home, its state, its plugins and the environment it runs in."""

import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpufleet.rehearsal.cloud import Cloud, environment_for
from gpufleet.rehearsal.engine import Engine

FOLDER_PREFIX = "gpufleet-rehearsal-"

# Where the stand-in for the aws plugin finds the AWS API. Set for the engine alone.
ENDPOINT_VARIABLE = "GPUFLEET_REHEARSAL_ENDPOINT"

# The state is thrown away with the folder; the engine wants some passphrase to make a key from.
PASSPHRASE = "rehearsal"  # noqa: S105 (protects nothing that lasts)

LANGUAGE_HOST = "pulumi-language-python"
AWS_PLUGIN = "pulumi-resource-aws"
KUBERNETES_PLUGIN = "pulumi-resource-kubernetes"

# Variables of the user's shell that would lead the engine or the program to a real account, backend or cluster.
SCRUBBED_PREFIXES = ("AWS_", "PULUMI_", "GPUFLEET_REHEARSAL_", "KUBECONFIG", "KUBERNETES_SERVICE_")


@dataclass(frozen=True)
class Workspace:
    """The folder and the paths in it."""

    folder: Path

    @classmethod
    def create(cls) -> "Workspace":
        """Make a fresh folder that only this user can read."""
        workspace = cls(Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX)))
        for directory in (workspace.home, workspace.state, workspace.bin, workspace.logs, workspace.stub):
            directory.mkdir()
        return workspace

    @property
    def home(self) -> Path:
        """PULUMI_HOME: empty, so that no plugin of the user's is met."""
        return self.folder / "home"

    @property
    def state(self) -> Path:
        """The file backend."""
        return self.folder / "state"

    @property
    def bin(self) -> Path:
        """The stand-in plugins, first on the engine's PATH."""
        return self.folder / "bin"

    @property
    def logs(self) -> Path:
        """What the engine and the server wrote; what is left of the folder after a failure."""
        return self.folder / "logs"

    @property
    def stub(self) -> Path:
        """A project of the same name without a program: `stack init` writes into the project it is run in."""
        return self.folder / "project"

    @property
    def config_file(self) -> Path:
        """The stack's configuration, for `--config-file`."""
        return self.folder / "config.json"

    @property
    def record(self) -> Path:
        """What is needed to look at a kept rehearsal and to end it."""
        return self.folder / "session.json"

    def write_plugins(self, engine: Engine, plugins: Mapping[str, str]) -> None:
        """Write the executables through which the engine starts our stand-ins.

        Args:
            engine: decides whether a language host is missing.
            plugins: executable name to module, as `{"pulumi-resource-aws": "gpufleet.rehearsal.aws"}`.
        """
        wanted = dict(plugins)
        if not has_language_host(engine):
            wanted[LANGUAGE_HOST] = "gpufleet.rehearsal.language_host"
        for name, module in wanted.items():
            path = self.bin / name
            path.write_text(_executable(module), encoding="utf-8")
            path.chmod(0o700)

    def write_config(self, project_name: str, config: Mapping[str, str]) -> None:
        """Write the stub project and the stack's configuration.

        Args:
            project_name: the real project's: it is in every URN.
            config: full keys to strings; JSON objects and arrays are written as such, as in a stack's own file.
        """
        stub = {"name": project_name, "runtime": "python"}
        (self.stub / "Pulumi.yaml").write_text(json.dumps(stub), encoding="utf-8")
        values = {key: _structured(value) for key, value in config.items()}
        # JSON is YAML, and the engine reads either.
        self.config_file.write_text(json.dumps({"config": values}, indent=2), encoding="utf-8")

    def environment(self, engine: Engine, cloud: Cloud) -> dict[str, str]:
        """The engine's whole environment: the user's, without what leads to a real account, backend or cluster."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(SCRUBBED_PREFIXES)}
        path = os.pathsep.join([str(self.bin), str(engine.path.parent), kept.get("PATH", os.defpath)])
        loopback = "127.0.0.1,localhost"
        return {
            **kept,
            **environment_for(cloud),
            ENDPOINT_VARIABLE: cloud.endpoint,
            "PATH": path,
            "NO_PROXY": loopback,
            "no_proxy": loopback,
            "PULUMI_HOME": str(self.home),
            "PULUMI_BACKEND_URL": self.state.as_uri(),
            "PULUMI_CONFIG_PASSPHRASE": PASSPHRASE,
            "PULUMI_SKIP_UPDATE_CHECK": "1",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "1",
            "PULUMI_PYTHON_CMD": sys.executable,
            # The switch that opens `--event-log`.
            "PULUMI_DEBUG_COMMANDS": "1",
        }

    def remove(self, *, keep_logs: bool) -> None:
        """Remove the folder; with `keep_logs` everything in it but the logs."""
        if not keep_logs:
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        for child in self.folder.iterdir():
            if child == self.logs:
                continue
            if child.is_dir():
                shutil.rmtree(child, ignore_errors=True)
            else:
                child.unlink(missing_ok=True)


def has_language_host(engine: Engine) -> bool:
    """Say whether the engine would find an official language host: on PATH or beside its own real path."""
    beside = engine.path.resolve().parent / LANGUAGE_HOST
    return shutil.which(LANGUAGE_HOST) is not None or os.access(beside, os.X_OK)


def _executable(module: str) -> str:
    """Write a shell script that runs a module with this interpreter.

    The package's root is added at the end of the path, so that it runs also where gpufleet is not installed, and `-P`
    keeps the directory the engine starts it in from taking a module's place.
    """
    root = str(Path(__file__).resolve().parents[2])
    code = (
        f"import sys; sys.path.append({root!r}); from runpy import run_module; "
        f"run_module({module!r}, run_name='__main__', alter_sys=True)"
    )
    return f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -c {shlex.quote(code)} "$@"\n'


def _structured(value: str) -> Any:
    """A string that is a JSON object or array as that, any other as it is."""
    if not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
