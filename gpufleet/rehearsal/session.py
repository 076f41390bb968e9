"""One stack on the real engine and an AWS API in memory, in a private folder apart from everything of the user's."""

import contextlib
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, cast

from gpufleet.rehearsal.cloud import Cloud, environment_for
from gpufleet.rehearsal.cluster_design import Design
from gpufleet.rehearsal.clusters import Clusters
from gpufleet.rehearsal.engine import Engine, Progress
from gpufleet.rehearsal.events import Events
from gpufleet.rehearsal.guardian import Guardian
from gpufleet.rehearsal.operation import Command, EngineFailed, Operation, operate
from gpufleet.rehearsal.workspace import AWS_PLUGIN, KUBERNETES_PLUGIN, Workspace

AWS_MODULE = "gpufleet.rehearsal.aws"
KUBERNETES_MODULE = "gpufleet.rehearsal.kubernetes"

# moto's default, for programs that name no account.
UNNAMED_ACCOUNT = "123456789012"

# Has the stand-in for aws lift deletion protection and empty buckets before it deletes. Set for a destroy alone.
CLEAR_THE_WAY_VARIABLE = "GPUFLEET_REHEARSAL_CLEAR_THE_WAY"

# The engine's short commands (stack init, state unprotect, stack export) answer within a second.
COMMAND_SECONDS = 120.0


class ProjectLike(Protocol):
    """What a session needs to know of a project; `gpufleet.plan.project.Project` is one."""

    @property
    def directory(self) -> Path:
        """Absolute; holds Pulumi.yaml."""
        ...

    @property
    def name(self) -> str:
        """As in Pulumi.yaml."""
        ...

    @property
    def stack(self) -> str:
        """The stack's name, without organisation."""
        ...

    @property
    def config(self) -> Mapping[str, str]:
        """Full keys to strings, objects as JSON text."""
        ...


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is rehearsed."""

    project: ProjectLike
    """The program and its configuration."""
    account_id: str
    """The account the AWS API in memory is to be: twelve digits."""
    policy_pack: Path | None = None
    """Folder of a policy pack, run by the engine at preview and up."""
    policy_config: Path | None = None
    """JSON file with the pack's configuration."""
    kubernetes: Sequence[Design] = ()
    """The clusters that the program's Kubernetes objects live in, none where it has none."""

    @classmethod
    def of(cls, project: ProjectLike, policy_pack: Path | None = None, policy_config: Path | None = None) -> "Subject":
        """Take the account from the configuration: `account_id` of the project's settings, else moto's own."""
        settings: Any = {}
        with contextlib.suppress(ValueError):
            settings = json.loads(project.config.get(f"{project.name}:settings", "{}"))
        named = cast("dict[str, Any]", settings).get("account_id") if isinstance(settings, dict) else None
        account_id = named if isinstance(named, str) and named else UNNAMED_ACCOUNT
        return cls(project=project, account_id=account_id, policy_pack=policy_pack, policy_config=policy_config)


class Session:
    """A context manager: inside it the engine can be run on the stack; at its end everything is gone.

    A session that is left by an exception, or on which `keep_logs` was set, leaves `logs` behind. One on which `keep`
    was called leaves everything standing, the server too.
    """

    def __init__(
        self,
        subject: Subject,
        engine: Engine,
        *,
        progress: Progress | None = None,
        plugins: Mapping[str, str] | None = None,
    ) -> None:
        """Say what will be rehearsed; nothing is started before the session is entered.

        Args:
            subject: the program, its configuration, its account and its policies.
            engine: as `ensure_engine` returns it.
            progress: told `up: 12 of 60 resources (urn)` and the like.
            plugins: executable name to module of the stand-ins; defaults to the one for aws.
        """
        self.project = subject.project
        self.account_id = subject.account_id
        self.engine = engine
        self.clusters = Clusters(subject.kubernetes, progress)
        self._policies = _policy_arguments(subject)
        self._progress = progress
        self._plugins = {AWS_PLUGIN: AWS_MODULE} if plugins is None else dict(plugins)
        if self.clusters:
            # Never the official one, which would follow the program's own kubeconfig.
            self._plugins[KUBERNETES_PLUGIN] = KUBERNETES_MODULE
        self._expected = 0
        self._runs = 0
        self._kept = False
        self.keep_logs = False

    def __enter__(self) -> Self:
        """Make the folder, start the server and the control planes that are wanted, and create the empty stack."""
        # Building one may take minutes, in which nothing should stand around.
        self.clusters.prepare()
        self.workspace = Workspace.create()
        self._guardian = Guardian(self.workspace.folder)
        try:
            # It must be able to stay when `keep` is called; the guardian ends it if this process is killed before.
            self.cloud = Cloud.start(self.account_id, self.workspace.logs / "cloud.log", outlives_parent=True)
        except BaseException:
            self._guardian.dismiss()
            self.workspace.remove(keep_logs=True)
            raise
        if self.cloud.pid is not None:
            self._guardian.watch(self.cloud.pid)
        try:
            self.workspace.write_plugins(self.engine, self._plugins)
            self.workspace.write_config(self.project.name, self.project.config)
            self.environment = self.workspace.environment(self.engine, self.cloud)
            self.clusters.start(self.workspace.logs)
            self.environment |= self.clusters.environment()
            self._command("stack", "init", self.project.stack, "--no-select")
        except BaseException:
            self.keep_logs = True
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the server and remove the folder, unless the session is kept."""
        # An interrupted session has no failure to be studied.
        self.keep_logs = self.keep_logs or (error is not None and isinstance(error, Exception))
        self._close()

    def preview(self) -> Operation:
        """Run the program and the policies without changing anything: all violations are seen, not only the first."""
        operation = self._operate("preview", *self._policies)
        self._expected = len(operation.operations)
        return operation

    def up(self, *, expect_no_changes: bool = False) -> Operation:
        """Create or update the stack. Stops at the first mandatory violation.

        Args:
            expect_no_changes: any change at all makes the operation fail.
        """
        expectation = ["--expect-no-changes"] if expect_no_changes else []
        return self._operate("up", "--skip-preview", "--yes", *expectation, *self._policies)

    def refresh(self) -> Operation:
        """Have the state brought in line with what the AWS API holds."""
        return self._operate("refresh", "--skip-preview", "--yes")

    def destroy(self) -> Operation:
        """Delete everything the stack made, protected resources too: the copy that is protected is not this one.

        Protection is of two kinds: the engine's own, which is taken off in its state, and AWS's, which deletes neither
        what has deletion protection nor a bucket with objects in it. The stand-in lifts the one and empties the other
        by AWS's own calls before each deletion, as an operator would do by hand.
        """
        self._command("state", "unprotect", "--all", "--yes", "--stack", self.project.stack)
        return self._operate("destroy", "--skip-preview", "--yes", variables={CLEAR_THE_WAY_VARIABLE: "1"})

    def export(self) -> list[dict[str, Any]]:
        """Return the resources in the engine's state, as `pulumi stack export` gives them, empty when there is none."""
        text = self._command("stack", "export", "--stack", self.project.stack, "--show-secrets")
        deployment: dict[str, Any] = json.loads(text)["deployment"]
        return list(deployment.get("resources") or [])

    def outputs(self) -> dict[str, Any]:
        """Return the stack's outputs."""
        stacks = [resource for resource in self.export() if resource["type"] == "pulumi:pulumi:Stack"]
        return dict(stacks[0].get("outputs") or {}) if stacks else {}

    def keep(self) -> dict[str, Any]:
        """Leave the folder and the server standing when the session ends.

        Returns:
            How to look at it: `folder`, `environment` (for boto3 and the AWS CLI), `kubernetes` (of each cluster its
            name, `cluster`, and a file, `kubeconfig`), `pulumi` (a command line) and the `pulumi_environment` to be set
            for it. `gpufleet.rehearsal.standing.stop` ends it.
        """
        self._kept = True
        private = {name: value for name, value in self.environment.items() if os.environ.get(name) != value}
        arguments = ["--stack", self.project.stack, "--config-file", str(self.workspace.config_file)]
        record = {
            "schema": 1,
            "folder": str(self.workspace.folder),
            "project": self.project.name,
            "stack": self.project.stack,
            "account_id": self.account_id,
            "endpoint": self.cloud.endpoint,
            "environment": environment_for(self.cloud),
            "kubernetes": self.clusters.keep(),
            "pulumi": [str(self.engine.path), "--cwd", str(self.project.directory), "preview", *arguments],
            "pulumi_environment": private,
        }
        self.workspace.record.write_text(json.dumps(record, indent=2), encoding="utf-8")
        return record

    def _close(self) -> None:
        self.clusters.close()
        if self._kept:
            self.cloud.leave()
        else:
            self.cloud.close()
            self.workspace.remove(keep_logs=self.keep_logs)
        self._guardian.dismiss()

    def _command(self, *arguments: str) -> str:
        """Run a short command of the engine and return what it prints; it sees the stub project only."""
        command = [str(self.engine.path), "--non-interactive", "--cwd", str(self.workspace.stub), *arguments]
        done = subprocess.run(  # noqa: S603 (the engine)
            command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip()
            raise EngineFailed(f"pulumi {' '.join(arguments[:2])} failed with status {done.returncode}: {said}")
        return done.stdout

    def _operate(self, name: str, *arguments: str, variables: Mapping[str, str] | None = None) -> Operation:
        self._runs += 1
        command = [
            *(str(self.engine.path), "--non-interactive", "--color", "never"),
            *("--cwd", str(self.project.directory), name, *arguments),
            *("--stack", self.project.stack, "--config-file", str(self.workspace.config_file)),
        ]
        log = self.workspace.logs / f"{self._runs:02d}-{name}.log"
        events = Events(expected=self._expected, on_progress=partial(self._tell, name))
        environment = {**self.environment, **(variables or {})}
        operation = operate(Command(name, command, environment, log), events, self._guardian)
        self._expected = max(self._expected, len(operation.operations))
        return operation

    def _tell(self, name: str, done: int, expected: int, urn: str) -> None:
        if self._progress is not None:
            # The first preview is what tells how many there are.
            so_far = f"{done} of {expected} resources" if expected >= done else f"resource {done}"
            self._progress(f"{name}: {so_far} ({urn.rpartition('::')[2]})")


def _policy_arguments(subject: Subject) -> list[str]:
    if subject.policy_pack is None:
        return []
    config = ["--policy-pack-config", str(subject.policy_config.resolve())] if subject.policy_config else []
    return ["--policy-pack", str(subject.policy_pack.resolve()), *config]
