"""`gpufleet check` and Pulumi itself say the same: on a program, on a state, with waivers and without."""

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gpufleet.check import command, verdict
from gpufleet.plan import project
from gpufleet.plan.violations import Violation
from gpufleet.plan.waiving import stack_urn
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.session import Session, Subject

ROOT = Path(__file__).parents[3]
PACK = ROOT / "policies"
LOOSE = project.load(Path(__file__).parent / "programs/loose", "lab")
STACK = stack_urn("lab", "loose")

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("check-parity")]

Found = tuple[str, str, bool]
"""Rule, URN, and whether it is waived."""


@dataclass(frozen=True)
class Ran:
    """What the engine said."""

    ok: bool
    found: set[Found]
    text: str


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that `--write-policy-config` writes for the program's waivers."""
    path = tmp_path_factory.mktemp("config") / "waived.json"
    assert not command.run(LOOSE, policy_pack=PACK, format_="json", write_policy_config=path)
    return path


@pytest.fixture(scope="module")
def state(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state of the program, created without policies."""
    path = tmp_path_factory.mktemp("state") / "state.json"
    with Session(Subject.of(LOOSE), engine) as session:
        assert session.up().ok
        path.write_text(json.dumps({"version": 3, "deployment": {"resources": session.export()}}))
    return path


@pytest.fixture(scope="module")
def analyze(engine: Engine, state: Path) -> Iterator[Any]:
    """Run `pulumi policy analyze` on the state."""
    with Session(Subject.of(LOOSE), engine) as session:

        def run(*arguments: str) -> Ran:
            done = subprocess.run(
                [str(engine.path), "policy", "analyze", "--file", str(state), "--policy-pack", str(PACK), "--json"]
                + list(arguments),
                env=session.environment,
                cwd=session.workspace.stub,
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            return Ran(done.returncode == 0, _engine_found(events), done.stdout + done.stderr)

        yield run


def test_a_preview_with_the_pack_finds_what_check_finds(engine: Engine):
    ran = _preview(engine, None)
    checked = verdict.of_program(LOOSE, policy_pack=PACK).violations
    assert {(rule, urn) for rule, urn, _ in ran.found} == {(rule, urn) for rule, urn, _ in _our_found(checked)}
    assert len({rule for rule, _, _ in ran.found}) > 20
    assert not ran.ok


def test_with_the_file_that_check_writes_a_preview_waives_the_same(engine: Engine, config: Path):
    ran = _preview(engine, config)
    assert ran.found == _our_found(verdict.of_program(LOOSE, policy_pack=PACK).violations)
    assert sum(waived for _, _, waived in ran.found) == 3


def test_check_takes_the_file_back_as_the_engine_does(config: Path):
    stripped = _without_waivers(LOOSE)
    with_file = verdict.of_program(stripped, policy_pack=PACK, policy_config=config)
    assert _our_found(with_file.violations) == _our_found(verdict.of_program(LOOSE, policy_pack=PACK).violations)


def test_analyze_finds_in_a_state_what_check_finds_in_it(analyze: Any, state: Path):
    ran = analyze()
    checked = verdict.of_state(state, policy_pack=PACK)
    assert ran.found == _our_found(checked.violations)
    assert (ran.ok, checked.ok) == (False, False)


def test_with_the_file_analyze_waives_the_same(analyze: Any, state: Path, config: Path):
    ran = analyze("--policy-pack-config", str(config))
    checked = verdict.of_state(state, policy_pack=PACK, policy_config=config)
    assert ran.found == _our_found(checked.violations)
    assert sum(waived for _, _, waived in ran.found) == 3


def test_a_program_whose_every_violation_is_waived_goes_through_the_engine(engine: Engine, tmp_path: Path):
    rules = {violation.rule for violation in verdict.of_program(LOOSE, policy_pack=PACK).violations}
    waived = [
        {"rule": rule, "resource": "*", "reason": "a laboratory", "owner": "nobody", "expires": "2099-12-31"}
        for rule in sorted(rules)
    ]
    lab = _with_waivers(LOOSE, waived)
    path = tmp_path / "waived.json"
    assert command.run(lab, policy_pack=PACK, write_policy_config=path, format_="json")
    with Session(Subject.of(lab, PACK, path), engine) as session:
        up = session.up()
    assert up.ok, up.problems


def test_the_end_of_a_waiver_is_told_by_the_engine_too_and_what_it_waived_fails(engine: Engine, tmp_path: Path):
    [first, *others] = json.loads(LOOSE.config["gpufleet:waivers"])
    lab = _with_waivers(LOOSE, [{**first, "expires": "2020-01-31"}, *others])
    path = tmp_path / "waived.json"
    assert not command.run(lab, policy_pack=PACK, write_policy_config=path, format_="json")
    ran = _preview(engine, path, lab)
    assert ("waiver-expired", STACK, False) in ran.found
    checked = verdict.of_program(lab, policy_pack=PACK).violations
    assert ran.found == {(v.rule, v.urn or STACK, v.waiver is not None) for v in checked}
    assert sum(waived for _, _, waived in ran.found) == 2


def _preview(engine: Engine, config: Path | None, loaded: project.Project = LOOSE) -> Ran:
    with Session(Subject.of(loaded, PACK, config), engine) as session:
        previewed = session.preview()
        log = previewed.log.with_suffix(".events.jsonl").read_text(encoding="utf-8")
    return Ran(previewed.ok, _engine_found(map(json.loads, log.splitlines())), log)


def _engine_found(events: Iterable[Mapping[str, Any]]) -> set[Found]:
    """What is said of a rule that met an unknown value is no violation."""
    found = (event["policyEvent"] for event in events if "policyEvent" in event)
    return {
        (event["policyName"], event.get("resourceUrn") or STACK, bool(event.get("exceptions")))
        for event in found
        if "can't run policy" not in event["message"]
    }


def _our_found(violations: Iterable[Violation]) -> set[Found]:
    return {(v.rule, v.urn or STACK, v.waiver is not None) for v in violations if not v.rule.startswith("waiver-")}


def _with_waivers(loaded: project.Project, waivers: Any) -> project.Project:
    return _configured(loaded, {**loaded.config, "gpufleet:waivers": json.dumps(waivers)})


def _without_waivers(loaded: project.Project) -> project.Project:
    return _configured(loaded, {key: value for key, value in loaded.config.items() if key != "gpufleet:waivers"})


def _configured(loaded: project.Project, config: Mapping[str, str]) -> project.Project:
    return project.Project(
        directory=loaded.directory,
        name=loaded.name,
        main=loaded.main,
        stack=loaded.stack,
        config=config,
        secret_keys=loaded.secret_keys,
        source=loaded.source,
    )
