"""The rehearsal: up, up again without a change, read back, see what is scheduled where, destroy, nothing left."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpufleet.plan import police
from gpufleet.plan.violations import Violation
from gpufleet.plan.waivers import Waiver
from gpufleet.plan.waiving import stack_urn
from gpufleet.rehearsal.cloud import CloudError, describe
from gpufleet.rehearsal.cluster import ClusterFailed
from gpufleet.rehearsal.controlplane.scheduling import Placement
from gpufleet.rehearsal.engine import Engine, Progress, ensure_engine
from gpufleet.rehearsal.operation import EngineFailed, Operation
from gpufleet.rehearsal.read_back import ReadBack, is_only_recorded, read_back, recorded
from gpufleet.rehearsal.report import Report, Step
from gpufleet.rehearsal.session import Session, Subject

# How a pack says that a rule met a value only the update knows; the update's own run decides.
_NOT_IN_PREVIEW = "can't run policy"

SHOWN_DIFFERENCES = 20

_BUCKETS = frozenset({"aws:s3/bucket:Bucket", "aws:s3/directoryBucket:DirectoryBucket"})


def rehearse(
    subject: Subject,
    *,
    keep: bool = False,
    progress: Progress | None = None,
    engine: Engine | None = None,
    waivers: Sequence[Waiver] = (),
) -> Report:
    """Rehearse a stack on the real engine; the first step that fails is the last, and everything is torn down.

    Args:
        subject: the program, its configuration, its account and its policies.
        keep: stop before the destruction and leave everything standing; the report's `kept` says how to look at it.
        progress: told one short line at a time.
        engine: the engine to use; found, built or installed where it is not given.
        waivers: who answers for what the pack's configuration exempts.

    Raises:
        EngineMissing: there is no engine and none can be made.
        CloudError: the AWS API in memory does not start.
        ControlPlaneMissing: the program has Kubernetes objects, and there is no control plane and none can be built.
        ControlPlaneError: the control plane does not start.
        KeyboardInterrupt: passed on when everything is torn down.
    """
    started = time.monotonic()
    tell = progress or _ignore
    run = _Run(tell, subject, waivers)
    session = Session(subject, engine or ensure_engine(tell), progress=tell)
    kept: Mapping[str, Any] | None = None
    try:
        with session:
            steps = [run.up, run.no_change, run.read_back, *([run.scheduling] if session.clusters else [])]
            run.take_until_one_fails(steps if keep else [*steps, run.destroy, run.leftovers], session)
            session.keep_logs = not run.good
            kept = session.keep() if keep and run.good else None
    except EngineFailed as error:
        # Raised by entering the session alone: the engine would not even make an empty stack.
        run.steps.append(_step("up", False, 0, str(error), time.monotonic() - started))
    return Report(
        project=subject.project.name,
        stack=subject.project.stack,
        engine=session.engine,
        steps=run.steps,
        created=_created(run.state),
        recorded=recorded(run.state),
        read_back=run.answers,
        placements=run.placements,
        violations=run.violations,
        state=run.state,
        leftovers=run.left,
        seconds=time.monotonic() - started,
        logs=None if run.good else session.workspace.logs,
        kept=kept,
    )


class _Run:
    """The steps, each a method that returns what it proved; what later ones and the report need is kept."""

    def __init__(self, tell: Progress, subject: Subject, waivers: Sequence[Waiver]) -> None:
        self.steps: list[Step] = []
        self.state: list[dict[str, Any]] = []
        self.answers: list[ReadBack] = []
        self.placements: Sequence[Placement] = ()
        self.violations: list[Violation] = []
        self.left: list[dict[str, str]] = []
        self._tell = tell
        self._pack = subject.policy_pack
        self._waivers = waivers
        self._stack = stack_urn(subject.project.stack, subject.project.name)

    @property
    def good(self) -> bool:
        """Whether every step so far went well."""
        return all(step.ok for step in self.steps)

    def take_until_one_fails(self, steps: Sequence[Callable[[Session], Step]], session: Session) -> None:
        """Run the steps and time them; an engine or a server that gives up is a step that failed."""
        for step in steps:
            started = time.monotonic()
            name = step.__name__.replace("_", "-")
            self._tell(f"{name}: starting")
            try:
                taken = step(session)
            except (EngineFailed, CloudError, ClusterFailed) as error:
                taken = _step(name, False, 0, str(error))
            self.steps.append(replace(taken, seconds=time.monotonic() - started))
            if not taken.ok:
                return

    def up(self, session: Session) -> Step:
        """Preview, for all violations and not only the first, then create everything."""
        preview = session.preview()
        if not preview.ok:
            self.violations = self._explained(preview)
            return _step("up", False, len(preview.operations), _failure(preview, self.violations))
        up = session.up()
        self.violations = self._explained(up)
        self.state = session.export()
        detail = _counts(up) if up.ok else _failure(up, self.violations)
        return _step("up", up.ok, len(up.operations), detail)

    def no_change(self, session: Session) -> Step:
        """Run the same program again: nothing may change."""
        again = session.up(expect_no_changes=True)
        if again.changed:
            changes = [f"{urn}: {operation}" for urn, operation in again.changed]
            detail = "\n".join(["the same program changes what it made:", *changes[:SHOWN_DIFFERENCES]])
            return _step("no-change", False, len(again.operations), detail)
        detail = _counts(again) if again.ok else _failure(again, self._explained(again))
        return _step("no-change", again.ok, len(again.operations), detail)

    def read_back(self, session: Session) -> Step:
        """Ask boto3 what was made."""
        self.answers = read_back(session.cloud, self.state)
        wrong = [answer for answer in self.answers if not answer.fact.ok]
        lines = [
            f"{answer.urn}: {answer.fact.check}: declared {answer.fact.declared!r}, AWS answers {answer.fact.found!r}"
            for answer in wrong[:SHOWN_DIFFERENCES]
        ]
        asked = len({answer.urn for answer in self.answers})
        detail = "\n".join(lines) or f"{len(self.answers)} properties of {asked} resources are as declared"
        return _step("read-back", not wrong, asked, detail)

    def scheduling(self, session: Session) -> Step:
        """See where the real scheduler put the pods; a workload of the program that would not run is a failure."""
        lines: list[str] = []
        verdicts = session.clusters.verdicts(self.state)
        for cluster, verdict in verdicts:
            said = [*map(str, verdict.unplaced)] or [verdict.summary]
            lines += [session.clusters.signed(cluster, line) for line in (*said, *cluster.unregistered)]
        self.placements = [placement for _, verdict in verdicts for placement in verdict.placements]
        ok = not any(verdict.unplaced for _, verdict in verdicts)
        return _step("scheduling", ok, len(self.placements), "\n".join(lines))

    def destroy(self, session: Session) -> Step:
        """Delete everything."""
        filled = len(_filled_buckets(session, self.state))
        destroyed = session.destroy()
        detail = _counts(destroyed) if destroyed.ok else _failure(destroyed, [])
        # The real stack refuses all this, which is what protection is for.
        lifted: list[str] = []
        if protected := sum(bool(resource.get("protect")) for resource in self.state):
            lifted.append(f"{protected} of them protected: the rehearsal took that off")
        if guarded := sum(map(_guarded_by_aws, self.state)):
            lifted.append(f"{guarded} with AWS's deletion protection: lifted first, as an operator would have to")
        if filled:
            buckets = "bucket with objects" if filled == 1 else "buckets with objects"
            lifted.append(f"{filled} {buckets}: emptied first, likewise")
        if lifted:
            detail += f" ({'; '.join(lifted)})"
        return _step("destroy", destroyed.ok, len(destroyed.operations), detail)

    def leftovers(self, session: Session) -> Step:
        """Look for anything that is still in the state, in AWS or in Kubernetes, but for what was to be retained."""
        retained = {name for resource in self.state if resource.get("retainOnDelete") for name in _names(resource)}
        found = session.cloud.inventory()
        self.left = [item for item in found if item["id"] not in retained]
        in_state = [resource["urn"] for resource in session.export()]
        lines = [f"still in AWS: {line}" for line in describe(self.left)]
        for cluster, reference in session.clusters.left(self.state):
            lines.append(session.clusters.signed(cluster, f"still in Kubernetes: {reference}"))
            where = {"service": "kubernetes", "region": "", "cluster": cluster.name}
            self.left.append({**where, "kind": reference.kind, "id": reference.id})
        lines += [f"still in the state: {urn}" for urn in in_state]
        asked_for = (
            f"; {len(found) - len(self.left)} kept as retainOnDelete asks" if len(found) > len(self.left) else ""
        )
        return _step("leftovers", not lines, len(lines), "\n".join(lines) or f"nothing{asked_for}")

    def _explained(self, operation: Operation) -> list[Violation]:
        """The engine's violations with the severity and the fix that only the pack itself knows."""
        wanted = [violation for violation in operation.violations if not violation.message.startswith(_NOT_IN_PREVIEW)]
        rules = {rule.name: rule for rule in police.load_pack(self._pack)} if wanted and self._pack else {}
        explained: list[Violation] = []
        for violation in wanted:
            rule = rules.get(violation.rule)
            severity = rule.severity.value if rule is not None and rule.severity else "unspecified"
            fix = (rule.remediation_steps if rule is not None else None) or ""
            told = Violation(violation.rule, violation.urn, violation.message, violation.level, severity, fix)
            explained.append(replace(told, waiver=self._waiver(told)) if violation.exempt else told)
        return sorted(explained)

    def _waiver(self, violation: Violation) -> Waiver:
        """The waiver behind an exception; what only the engine knows of, the pack's configuration answers for."""
        urn = violation.urn or self._stack
        ours = (waiver for waiver in self._waivers if waiver.rule == violation.rule and waiver.covers(urn))
        return next(ours, _unnamed(violation.rule, urn))


def _unnamed(rule: str, urn: str) -> Waiver:
    owner = "the policy configuration"
    return Waiver(rule=rule, resource=urn, reason="exempted there", owner=owner, expires=None, origin="")


def _guarded_by_aws(resource: Mapping[str, Any]) -> bool:
    """Say whether AWS itself would refuse to delete it: an EKS cluster or a log group with deletion protection."""
    inputs = _inputs(resource)
    return bool(inputs.get("deletionProtection") or inputs.get("deletionProtectionEnabled"))


def _inputs(resource: Mapping[str, Any]) -> Mapping[str, Any]:
    return resource.get("inputs") or {}


def _filled_buckets(session: Session, state: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name the buckets that hold objects and that AWS would therefore not delete: those that got access logs."""
    s3 = session.cloud.client("s3")
    names = [
        str(resource["id"])
        for resource in state
        if resource["type"] in _BUCKETS
        and not resource.get("retainOnDelete")
        and not _inputs(resource).get("forceDestroy")
    ]
    return [name for name in names if s3.list_objects_v2(Bucket=name, MaxKeys=1).get("KeyCount")]


def _names(resource: Mapping[str, Any]) -> set[str]:
    """All that the inventory may know a resource by: moto keeps roles by their unique id."""
    outputs: Mapping[str, Any] = resource.get("outputs") or {}
    found = {resource.get("id"), *(outputs.get(name) for name in ("arn", "name", "uniqueId"))}
    return {name for name in found if isinstance(name, str) and name}


def _step(name: str, ok: bool, resources: int, detail: str, seconds: float = 0.0) -> Step:
    return Step(name=name, ok=ok, seconds=seconds, resources=resources, detail=detail)


def _created(state: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    made = Counter(
        resource["type"]
        for resource in state
        if resource.get("custom") and not resource["type"].startswith("pulumi:") and not is_only_recorded(resource)
    )
    return dict(sorted(made.items()))


def _counts(operation: Operation) -> str:
    return ", ".join(f"{count} {name}" for name, count in operation.counted.items()) or "nothing to do"


def _failure(operation: Operation, violations: Sequence[Violation]) -> str:
    """Every error and every mandatory violation, a line each."""
    lines = [f"{problem.urn}: {problem.message}" if problem.urn else problem.message for problem in operation.problems]
    lines += [
        f"{violation.rule}: {violation.message} ({violation.urn})" for violation in violations if violation.mandatory
    ]
    return "\n".join(lines) or f"the engine failed without a word; see {operation.log}"


def _ignore(line: str) -> None:
    """Tell nobody."""
