"""`gpufleet rehearse`: progress while it runs, then what each step proved; or one JSON document."""

import importlib.util
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from gpufleet import progress
from gpufleet.check import exceptions
from gpufleet.documents import print_json
from gpufleet.errors import MissingError
from gpufleet.plan import planning, report, waivers, wire
from gpufleet.plan.graph import Run
from gpufleet.plan.project import Project

if TYPE_CHECKING:
    from gpufleet.rehearsal.session import Subject

_NEEDED = ("boto3", "cryptography", "filelock", "moto", "urllib3")

_AWS_RECORDED = "Checked against AWS's own model and recorded, because the AWS API in memory cannot do it:"
_KUBERNETES_RECORDED = "Recorded with their values, because a rehearsal does not run Helm:"


def run(
    project: Project,
    *,
    policy_pack: Path | None,
    policy_config: Path | None,
    keep: bool,
    as_json: bool,
) -> bool:
    """Rehearse and print; return whether every step went well.

    The program is first run offline, so that wrong settings are answered in seconds and without the engine.

    Raises:
        UsageError: the settings or the program are wrong.
        MissingError: the rehearsal's packages, an engine, or a control plane that the program wants, are not here.
    """
    _require_packages()
    previewed = planning.run(project, preview=True)
    _require_known_types(previewed)

    from gpufleet.rehearsal.rehearse import rehearse

    given = (*waivers.read(project), *exceptions.of_config(policy_config)) if policy_pack is not None else ()
    with progress.shown() as tell, tempfile.TemporaryDirectory(prefix="gpufleet-policies-") as folder:
        config = policy_config
        if given and policy_pack is not None:
            config = exceptions.for_run(given, previewed, policy_pack, policy_config, Path(folder))
        subject = subject_of(project, previewed, policy_pack=policy_pack, policy_config=config)
        done = rehearse(subject, keep=keep, progress=tell, waivers=given)
    document = done.as_document()
    if as_json:
        print_json(document)
        return done.ok
    out = report.console()
    engine = document["engine"]
    out.print(f"[bold]{escape(project.name)}/{escape(project.stack)}[/]  rehearsed on Pulumi {engine['version']}")
    _print_steps(out, document)
    _print_placements(out, document["placements"])
    if done.violations:
        report.print_violations(out, done.violations)
    if done.kept is not None:
        _print_kept(out, done.kept, _provider_input(previewed, "region"))
    if done.logs is not None:
        out.print(f"what the engine printed: {escape(str(done.logs))}", soft_wrap=True)
    out.print("[bold green]the rehearsal went well[/]" if done.ok else "[bold red]the rehearsal failed[/]")
    return done.ok


def subject_of(
    project: Project, previewed: Run, *, policy_pack: Path | None = None, policy_config: Path | None = None
) -> "Subject":
    """Return what is to be rehearsed: the account and the clusters are those that the program itself names.

    Args:
        project: the program and its configuration.
        previewed: an offline run of it, as a preview.
        policy_pack: folder of a policy pack, None to judge nothing.
        policy_config: JSON file with the pack's configuration.

    Raises:
        UsageError: the program is wrong.
        MissingError: it has too many Kubernetes clusters, or they cannot be told apart.
    """
    from gpufleet.rehearsal import cluster_design
    from gpufleet.rehearsal.session import Subject

    subject = Subject.of(project, policy_pack, policy_config)
    if (account_id := _provider_input(previewed, "allowedAccountIds")) is not None:
        subject = replace(subject, account_id=str(account_id[0]))
    if cluster_design.wants_cluster(previewed):
        subject = replace(subject, kubernetes=cluster_design.of(planning.run(project, preview=False)))
    return subject


def end(folder: Path) -> None:
    """End a rehearsal that was left standing.

    Raises:
        UsageError: the folder is not one of a kept rehearsal.
    """
    _require_packages()
    from gpufleet.rehearsal import standing

    standing.stop(folder)
    print(f"ended: {folder}", file=sys.stderr)


def _require_packages() -> None:
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise MissingError(
            f"a rehearsal needs {', '.join(missing)}: install gpufleet[rehearsal] (in a checkout: make sync)"
        )


def _require_known_types(run: Run) -> None:
    from gpufleet.rehearsal.aws.table import table

    known = table()
    unknown = sorted({r.type for r in run.resources if r.type.startswith("aws:")} - set(known))
    if unknown:
        raise MissingError(
            f"the rehearsal knows {len(known)} AWS types, and not {', '.join(unknown)}; plan the program instead, "
            "or rehearse it without them"
        )


def _provider_input(run: Run, key: str) -> Any:
    """An input of the program's first AWS provider, None where none has it."""
    for resource in run.resources:
        if resource.type == "pulumi:providers:aws" and (value := wire.decoded(resource.inputs.get(key))):
            return value
    return None


def _print_steps(out: Console, document: Mapping[str, Any]) -> None:
    columns = (("step", "left"), ("", "left"), ("seconds", "right"), ("resources", "right"), ("what", "left"))
    table = report.new_table(*columns, title="Steps")
    for step in document["steps"]:
        mark = "[green]ok[/]" if step["ok"] else "[red]failed[/]"
        detail = step["detail"] if not document["violations"] else step["detail"].splitlines()[0]
        table.add_row(step["step"], mark, f"{step['seconds']:.1f}", str(step["resources"]), escape(detail))
    out.print(table)
    for heading, of_kubernetes in ((_AWS_RECORDED, False), (_KUBERNETES_RECORDED, True)):
        entries = [e for e in document["recorded"] if e["type"].startswith("kubernetes:") is of_kubernetes]
        if entries:
            out.print(heading)
        for entry in entries:
            calls = "" if of_kubernetes else f": {', '.join(entry['calls'])}"
            kind = entry["type"].rsplit(":", 1)[1]
            out.print(escape(f"  {entry['resources']} {kind}{calls}"), soft_wrap=True)
    for left in document["leftovers"]:
        out.print(f"[red]left behind:[/] {escape(' '.join(str(value) for value in left.values()))}", soft_wrap=True)


def _print_placements(out: Console, placements: Sequence[Mapping[str, Any]]) -> None:
    """Print a line for each group of pods of one workload that share their fate."""
    if not placements:
        return
    counts = Counter(
        (one["cluster"], one["namespace"], one["workload"], one["pool"] or one["node"] or "", one["reason"] or "")
        for one in placements
    )
    several = len({one["cluster"] for one in placements}) > 1
    columns = (("namespace", "left"), ("workload", "left"), ("pods", "right"), ("pool, or why not", "left"))
    shown = (("cluster", "left"), *columns) if several else columns
    table = report.new_table(*shown, title="Where the scheduler put the pods")
    for (cluster, namespace, workload, pool, reason), count in sorted(counts.items()):
        where = f"[red]{escape(reason)}[/]" if reason else escape(pool)
        row = (escape(namespace), escape(workload), str(count), where)
        table.add_row(*((escape(cluster), *row) if several else row))
    out.print(table)


def _print_kept(out: Console, kept: Mapping[str, Any], region: Any) -> None:
    def exports(environment: Mapping[str, str]) -> str:
        return " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())

    out.print("It is left standing. Look at it with boto3 or the AWS command line:", soft_wrap=True)
    where = {"AWS_REGION": str(region)} if region else {}
    print(f"  export {exports({**kept['environment'], **where})}")
    for kubernetes in kept["kubernetes"]:
        out.print(f"at the cluster {escape(kubernetes['cluster'])}:", soft_wrap=True)
        print(f"  kubectl --kubeconfig {shlex.quote(kubernetes['kubeconfig'])} get pods --all-namespaces --output wide")
    out.print("with the engine:")
    print(f"  {exports(kept['pulumi_environment'])} {shlex.join(kept['pulumi'])}")
    out.print("and end it:")
    print(f"  gpufleet rehearse --end {shlex.quote(kept['folder'])}")
