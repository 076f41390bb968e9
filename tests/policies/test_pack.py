"""The pack as a whole: complete, described, and served as the engine asks for it."""

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import grpc
import pulumi_aws as aws
import pytest
from google.protobuf import empty_pb2
from pulumi.runtime.proto import analyzer_pb2, analyzer_pb2_grpc
from pulumi_policy import EnforcementLevel, Policy

from gpufleet.plan import police
from gpufleet.plan.graph import UNKNOWN, Resource, Run
from policies.rules import RULES
from tests.harness import calls, record
from tests.policies.networks import network
from tests.policies.pools import pool

PACK = Path(__file__).resolve().parents[2] / "policies"
MODULES = sorted(path.stem for path in (PACK / "rules").glob("[!_]*.py"))
SOURCES = tuple(
    f"https://{site}/" for site in ("docs.aws.amazon.com", "karpenter.sh", "kubernetes.io", "www.pulumi.com")
)
"""Whose word a rule may go by."""

ADVISORY = {
    "budgets-cover-the-pools",
    "gpu-idle-bounded",
    "aws-provider-for-one-account",
    "ec2-reservation-used",
    "ec2-vpc-endpoint-s3-own-buckets",
    "ecr-repository-lifecycle",
    "eks-cluster-deletion-protected",
    "eks-cluster-log-group-of-ones-own",
    "eks-cluster-version-said",
    "eks-control-plane-egress-closed",
    "eks-node-group-repair",
    "eks-spot-diversified",
    "fsx-lustre-logged",
    "fsx-lustre-root-squashed",
    "iam-key-use-by-a-service",
    "iam-list-as-far-as-read",
    "iam-pod-role-for-named-pods",
    "iam-resource-policy-names-its-service",
    "iam-trust-service-for-own-account",
    "s3-bucket-access-logs",
    "s3-bucket-guards-agree",
    "s3-bucket-key-enabled",
    "s3-bucket-versioned",
    "s3-lifecycle-rule-enabled",
}


def test_every_rule_file_is_in_the_pack_and_no_other() -> None:
    assert [importlib.import_module(f"policies.rules.{module}").RULE for module in MODULES] == RULES


@pytest.mark.parametrize("module", MODULES)
def test_a_rule_is_named_after_its_file_and_has_a_test_file(module: str) -> None:
    rule = importlib.import_module(f"policies.rules.{module}").RULE
    assert rule.name == module.replace("_", "-")
    assert (Path(__file__).parent / f"test_{module}.py").is_file()


def test_names_are_unique_and_sorted() -> None:
    names = [rule.name for rule in RULES]
    assert names == sorted(set(names))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_tells_the_risk_the_fix_and_where_to_read_on(rule: Policy) -> None:
    assert re.fullmatch(r"[A-Z][^\n]{20,160}\.", rule.description)
    assert rule.remediation_steps is not None
    assert len(rule.remediation_steps) > 20
    assert (rule.url or "").startswith(SOURCES)
    assert rule.severity is not None
    assert rule.tags


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_mandatory_unless_it_says_why_not(rule: Policy) -> None:
    expected = EnforcementLevel.ADVISORY if rule.name in ADVISORY else EnforcementLevel.MANDATORY
    assert rule.enforcement_level is expected


@pytest.mark.parametrize("rule", [r for r in RULES if r.config_schema], ids=lambda rule: rule.name)
def test_every_threshold_has_a_safe_default(rule: Policy) -> None:
    assert rule.config_schema is not None
    assert all("default" in schema for schema in rule.config_schema.properties.values())
    assert not rule.config_schema.required


def test_the_pack_loads_without_being_served() -> None:
    assert [rule.name for rule in police.load_pack(PACK)] == [rule.name for rule in RULES]


@pytest.fixture(scope="module")
def served() -> Iterator[Any]:
    """The pack as the engine starts it: a process that prints its port, and a client of it."""
    command = [sys.executable, "-u", "-m", "pulumi.policy", "127.0.0.1:0", str(PACK)]
    with subprocess.Popen(command, cwd=PACK, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline())
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                yield analyzer_pb2_grpc.AnalyzerStub(channel)
        finally:
            process.kill()


def test_the_pack_is_served_to_the_engine(served: Any) -> None:
    info = served.GetAnalyzerInfo(empty_pb2.Empty(), timeout=20)
    assert info.name == "gpufleet-guardrails"
    assert [policy.name for policy in info.policies] == [rule.name for rule in RULES]


def test_the_served_pack_says_what_the_plan_says(served: Any, preview: bool) -> None:
    run = record(_some_of_everything, preview=preview).run
    found = [
        served.AnalyzeStack(_stack_request(run), timeout=20),
        *(served.Analyze(_request(r)) for r in run.resources),
    ]
    said = sorted(
        (diagnostic.policyName, diagnostic.message.split("\n", 1)[1])
        for response in found
        for diagnostic in response.diagnostics
    )
    assert said == sorted((violation.rule, violation.message) for violation in police.judge(RULES, run))
    assert len({rule for rule, _ in said}) > 10


def _request(resource: Resource) -> analyzer_pb2.AnalyzeRequest:
    request = analyzer_pb2.AnalyzeRequest(type=resource.type, urn=resource.urn, name=resource.name)
    request.properties.update(resource.inputs)
    return request


def _stack_request(run: Run) -> analyzer_pb2.AnalyzeStackRequest:
    request = analyzer_pb2.AnalyzeStackRequest()
    for resource in run.resources:
        added = request.resources.add(type=resource.type, urn=resource.urn, name=resource.name)
        added.properties.update({**resource.inputs, **resource.outputs, "id": resource.id or UNKNOWN})
        for key, urns in resource.property_dependencies.items():
            added.propertyDependencies[key].urns.extend(urns)
    return request


def test_work_grows_with_the_stack_and_no_faster() -> None:
    """Ten times the resources make ten times the calls, not a hundred times, as a scan of all by all would."""
    run = record(_some_of_everything).run

    def work(copies: int) -> int:
        many = replace(run, resources=tuple(_copy(r, run, index) for index in range(copies) for r in run.resources))
        return calls(lambda: police.judge(RULES, many))

    work(1)  # what is cached once
    assert work(40) < 12 * work(4)


def _some_of_everything() -> None:
    net = network()
    template = aws.ec2.LaunchTemplate("template")
    pool(subnet_ids=[net.private.id], launch_template={"id": template.id, "version": "1"})
    aws.s3.BucketPublicAccessBlock("block", bucket=aws.s3.Bucket("bucket").id)


def _copy(resource: Resource, run: Run, index: int) -> Resource:
    """Return the resource as the program would have made it under other names: every URN and id gets a suffix."""
    known = {name for r in run.resources for name in (r.urn, r.id) if name}

    def renamed(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: renamed(item) for key, item in cast(Mapping[str, Any], value).items()}
        if isinstance(value, list | tuple):
            return [renamed(item) for item in cast(list[Any], value)]
        return f"{value}-{index}" if value in known else value

    return replace(
        resource,
        urn=renamed(resource.urn),
        id=renamed(resource.id),
        inputs=renamed(resource.inputs),
        outputs=renamed(resource.outputs),
        dependencies=tuple(renamed(resource.dependencies)),
        property_dependencies=renamed(resource.property_dependencies),
    )
