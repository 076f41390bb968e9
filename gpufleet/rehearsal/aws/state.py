"""The state of a resource: what the program set, what AWS made up, and what could only be recorded."""

from typing import Any, cast

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.diff import INPUT_NAMES, compare, normal, old_inputs, without_nested
from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.table import AwsType, Input, Properties
from gpufleet.rehearsal.aws.values import UNKNOWN, holds_unknown

RECORDED = "__gpufleetRecorded"
"""Key of the state that lists the calls the API in memory lacks (`CreateAddon`, `CreateCluster.accessConfig`)."""

REQUESTS = "__gpufleetRequests"
"""Key of the state that keeps those calls' requests as JSON, by the same names."""


def made(
    entry: AwsType, aws: Aws, resource_id: str, inputs: Properties, old: Properties | None = None
) -> dict[str, Any]:
    """Return the state after a create or an update, with what AWS says of the resource."""
    requests: dict[str, str] = {**((old or {}).get(REQUESTS) or {}), **aws.recorded}
    known = {**inputs, REQUESTS: requests} if requests else dict(inputs)
    observed = entry.read(aws, resource_id, {**(old or {}), **known})
    if observed is None:
        raise RehearsalError(f"{entry.name}: {resource_id} is not there although AWS has just created it")
    return _assembled(entry, aws, resource_id, inputs, observed, requests)


def foreseen(entry: AwsType, aws: Aws, inputs: Properties, old: Properties | None = None) -> dict[str, Any]:
    """Return the state a preview shows: outputs unknown on a create; on an update those that it moves."""
    if old is None:
        outputs: dict[str, Any] = dict.fromkeys(entry.outputs, UNKNOWN)
    else:
        # Other tags move nothing: a launch template gets no new version by them.
        moves = compare(entry, old_inputs(entry, old), inputs).changes.keys() - {"tags", "tagsAll"}
        moving = entry.moving if moves else ()
        outputs = {name: UNKNOWN if name in moving else old[name] for name in entry.outputs if name in old}
    for path in entry.nested_outputs:
        name, _, inner = path.partition(".")
        if old is None or inner not in (old.get(name) or {}):
            outputs[name] = {**outputs.get(name, {}), inner: UNKNOWN}
        else:
            outputs[name] = {**outputs.get(name, {}), inner: old[name][inner]}
    return _assembled(entry, aws, str(old["id"]) if old and "id" in old else UNKNOWN, inputs, outputs, {})


def observed(
    entry: AwsType, aws: Aws, resource_id: str, old: Properties, inputs: Properties, seen: Properties
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the state and the inputs of a refresh or, where `inputs` is empty, of an import."""
    requests = cast(dict[str, str], old.get(REQUESTS) or {})
    declarable = without_nested(entry, seen)
    if not inputs:
        inputs = {name: value for name, value in declarable.items() if name in entry.all_inputs}
        return _assembled(entry, aws, resource_id, inputs, seen, requests), dict(inputs)
    now = {
        name: _drifted(entry.all_inputs.get(name, Input()), value, declarable.get(name))
        for name, value in inputs.items()
    }
    set_inputs = {name: value for name, value in now.items() if not name.startswith("__")}
    return _assembled(entry, aws, resource_id, set_inputs, {**old, **seen}, requests), now


def _drifted(kind: Input, declared: Any, seen: Any) -> Any:
    """Return what AWS says where it means something else than what was declared; spelling alone is no drift."""
    return declared if seen is None or normal(declared, kind) == normal(seen, kind) else seen


def _assembled(
    entry: AwsType, aws: Aws, resource_id: str, inputs: Properties, outputs: Properties, requests: dict[str, str]
) -> dict[str, Any]:
    state: dict[str, Any] = {"id": resource_id, **outputs, **inputs, INPUT_NAMES: sorted(inputs)}
    for path in entry.nested_outputs:
        name, _, inner = path.partition(".")
        value: Any = state.get(name)
        of_output: dict[str, Any] = outputs.get(name) or {}
        added = of_output.get(inner)
        if isinstance(value, dict) and added is not None:
            state[name] = {**cast(dict[str, Any], value), inner: added}
    if entry.regional:
        state.setdefault("region", aws.region)
    if requests:
        state |= {RECORDED: sorted(requests), REQUESTS: requests}
    # A preview's own id is the engine's business.
    return {key: value for key, value in state.items() if not (key == "id" and holds_unknown(value))}
