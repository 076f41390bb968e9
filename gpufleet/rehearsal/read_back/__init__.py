"""Read a rehearsed stack back with boto3: what AWS answers must be what the program declared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpufleet.rehearsal.aws.gaps import MAKING_OPERATIONS
from gpufleet.rehearsal.cloud import Cloud
from gpufleet.rehearsal.kubernetes import recorded as releases
from gpufleet.rehearsal.read_back import account, data, ec2, eks, events, region
from gpufleet.rehearsal.read_back.asking import Declared, Fact, Reader, items

RECORDED = "__gpufleetRecorded"
"""The output by which the stand-in says which calls (`Operation` or `Operation.member`) the API in memory lacks."""

READERS: Mapping[str, Reader] = {
    **account.READERS,
    **data.READERS,
    **ec2.READERS,
    **eks.READERS,
    **events.READERS,
    **region.READERS,
}
"""Type token to the function that asks AWS about a resource of that type."""

FALLBACK_REGION = "us-east-1"


@dataclass(frozen=True)
class ReadBack:
    """One property of one resource, as declared and as AWS answers."""

    urn: str
    type: str
    fact: Fact

    def as_document(self) -> dict[str, Any]:
        """The report's shape; `declared` is there only where it differs from what was found."""
        differing = {} if self.fact.ok else {"declared": self.fact.declared}
        base = {"urn": self.urn, "type": self.type, "check": self.fact.check, "ok": self.fact.ok}
        return {**base, "found": self.fact.found, **differing}


def read_back(cloud: Cloud, resources: Sequence[Mapping[str, Any]]) -> list[ReadBack]:
    """Ask about every resource that AWS holds and a reader knows.

    Args:
        cloud: the AWS API in memory.
        resources: the engine's state, as `Session.export` returns it.

    Returns:
        The answers, in the order of the state. Of a resource that AWS does not know the last, `exists`, is not ok.
    """
    regions = _regions(resources)
    answers: list[ReadBack] = []
    for resource in resources:
        reader = READERS.get(resource["type"])
        if reader is None or not resource.get("custom") or is_only_recorded(resource):
            continue
        provider = str(resource.get("provider", "")).rpartition("::")[0]
        inputs: Mapping[str, Any] = resource.get("inputs") or {}
        outputs: Mapping[str, Any] = resource.get("outputs") or {}
        place = inputs.get("region") or outputs.get("region") or regions.get(provider, FALLBACK_REGION)
        declared = Declared(
            urn=resource["urn"],
            type=resource["type"],
            id=resource["id"],
            inputs=inputs,
            outputs=outputs,
            account_id=cloud.account_id,
            client=partial(_client, cloud, place),
        )
        answers += [ReadBack(declared.urn, declared.type, fact) for fact in _ask(reader, declared)]
    return answers


def recorded(resources: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """List what the API in memory could not be asked to do: it was checked against AWS's model and kept, not created.

    Returns:
        One object a type, sorted: `type`, `calls` (`Operation`, or `Operation.member` where only that is missing) and
        `resources`, how many of the type it concerns.
    """
    calls: dict[str, set[str]] = {}
    counts: dict[str, int] = {}
    for resource in resources:
        if marks := _marks(resource):
            calls.setdefault(resource["type"], set()).update(marks)
            counts[resource["type"]] = counts.get(resource["type"], 0) + 1
    return [{"type": name, "calls": sorted(calls[name]), "resources": counts[name]} for name in sorted(calls)]


def is_only_recorded(resource: Mapping[str, Any]) -> bool:
    """Say whether the resource itself is missing: the call that creates it cannot be made in a rehearsal."""
    return any(mark in MAKING_OPERATIONS or mark == releases.CALL for mark in _marks(resource))


def _marks(resource: Mapping[str, Any]) -> list[str]:
    outputs: Mapping[str, Any] = resource.get("outputs") or {}
    return [str(mark) for mark in items(outputs.get(RECORDED))]


def _client(cloud: Cloud, region: str, service: str) -> Any:
    return cloud.client(service, region)


def _ask(reader: Reader, declared: Declared) -> list[Fact]:
    """Run a reader; what it finds before AWS answers with an error is kept."""
    # Late: botocore is only there with the `rehearsal` extra.
    from botocore.exceptions import ClientError  # pyright: ignore[reportMissingTypeStubs] -- has none

    found: list[Fact] = []
    try:
        found.extend(reader(declared))
    except (ClientError, IndexError, StopIteration) as error:
        found.append(Fact("exists", True, f"{type(error).__name__}: {error}"))
    return found


def _regions(resources: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Region of each provider, by URN."""
    return {
        resource["urn"]: resource["inputs"]["region"]
        for resource in resources
        if resource["type"] == "pulumi:providers:aws" and "region" in (resource.get("inputs") or {})
    }
