"""Definitions of custom resources: what they let through and what they stop."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from gpufleet.rehearsal.kubernetes import crds
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.errors import KubernetesError
from gpufleet.rehearsal.kubernetes.objects import Objects
from tests.rehearsal.kubernetes.program import Program
from tests.rehearsal.kubernetes.test_recorded import NODE_POOL, POOL

FILES = ("jobset", "karpenter", "kueue", "leaderworkerset")
EC2_NODE_CLASS = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"


@pytest.mark.parametrize("name", FILES)
def test_every_definition_names_the_version_it_was_written_for(name: str) -> None:
    for definition in crds.read(name):
        assert " v" in definition["metadata"]["annotations"]["gpufleet.dev/written-for"]


def test_a_chart_is_known_by_its_name_wherever_it_comes_from() -> None:
    names = [definition["metadata"]["name"] for definition in crds.of_chart("oci://public.ecr.aws/karpenter/karpenter")]
    assert names == ["nodepools.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"]
    assert crds.of_chart("oci://registry.example.com/gpu-operator") == ()


@pytest.fixture(scope="module")
def defined(api: Api) -> Iterator[None]:
    """All definitions are registered: the API server has taken each for a structural schema."""
    objects = Objects(api)
    definitions = [definition for name in FILES for definition in crds.read(name)]
    crds.hold(objects, definitions, "tests/all")
    yield
    crds.let_go(objects, definitions, "tests/all")


@pytest.fixture
def everything(defined: None, program: Program) -> Program:
    return program


def ec2_node_class(**spec: Any) -> dict[str, Any]:
    terms = [{"tags": {"karpenter.sh/discovery": "lab"}}]
    usual = {"role": "lab", "amiSelectorTerms": [{"alias": "al2023@v20260701"}]}
    selected = {"securityGroupSelectorTerms": terms, "subnetSelectorTerms": terms}
    head = {"apiVersion": "karpenter.k8s.aws/v1", "kind": "EC2NodeClass", "metadata": {"name": "gpu"}}
    return {**head, "spec": {**usual, **selected, **spec}}


def test_objects_of_every_kind_are_taken_and_come_to_rest(everything: Program, namespace: str) -> None:
    template = {"spec": {"template": {"spec": {"containers": [{"name": "a", "image": "b"}]}}}}
    quota = {"name": "nvidia.com/gpu", "nominalQuota": 8}
    flavors = [{"name": "h100", "resources": [quota]}]
    group = {"coveredResources": ["nvidia.com/gpu"], "flavors": flavors}
    given: list[tuple[str, dict[str, Any]]] = [
        (NODE_POOL, POOL),
        (EC2_NODE_CLASS, ec2_node_class(instanceStorePolicy="RAID0", tags={"team": "vision"})),
        ("kubernetes:kueue.x-k8s.io/v1beta2:Topology", {"spec": {"levels": [{"nodeLabel": "kubernetes.io/hostname"}]}}),
        ("kubernetes:kueue.x-k8s.io/v1beta2:ResourceFlavor", {"spec": {"nodeLabels": {"gpu": "h100"}}}),
        ("kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue", {"spec": {"cohortName": "all", "resourceGroups": [group]}}),
        ("kubernetes:kueue.x-k8s.io/v1beta2:LocalQueue", {"spec": {"clusterQueue": "gpus"}}),
        ("kubernetes:kueue.x-k8s.io/v1beta2:Cohort", {"spec": {"parentName": "root"}}),
        ("kubernetes:kueue.x-k8s.io/v1beta2:WorkloadPriorityClass", {"value": 100, "description": "first"}),
        (
            "kubernetes:jobset.x-k8s.io/v1alpha2:JobSet",
            {"spec": {"replicatedJobs": [{"name": "workers", "replicas": 2, "template": template}]}},
        ),
        (
            "kubernetes:leaderworkerset.x-k8s.io/v1:LeaderWorkerSet",
            {"spec": {"leaderWorkerTemplate": {"size": 2, "workerTemplate": template["spec"]["template"]}}},
        ),
    ]
    for token, content in given:
        _, module, kind = token.split(":")
        metadata = {"name": "lab"} | (
            {"namespace": namespace} if kind in ("LocalQueue", "JobSet", "LeaderWorkerSet") else {}
        )
        body = {"apiVersion": module, "kind": kind, "metadata": metadata, **content}
        made = everything.create(token, body)
        assert everything.diff(made, body).changes is False, kind


def broken(**template: Any) -> dict[str, Any]:
    pool = copy.deepcopy(POOL)
    pool["spec"]["template"]["spec"].update(template)
    return pool


@pytest.mark.parametrize(
    ("token", "given", "said"),
    [
        (NODE_POOL, broken(expireAfter="30 days"), "spec.template.spec.expireAfter"),
        (NODE_POOL, broken(taint=[]), ".spec.template.spec.taint: field not declared in schema"),
        (NODE_POOL, broken(requirements=[{"key": "a", "operator": "In"}]), "must have a value defined"),
        (EC2_NODE_CLASS, ec2_node_class(instanceProfile="lab"), "exactly one of ['role', 'instanceProfile']"),
        (EC2_NODE_CLASS, ec2_node_class(amiSelectorTerms=[{"id": "ami-1"}]), "must specify amiFamily"),
        (
            EC2_NODE_CLASS,
            ec2_node_class(metadataOptions={"httpTokens": "maybe"}),
            'supported values: "required", "optional"',
        ),
    ],
)
def test_an_object_that_the_operator_would_not_take_is_refused(
    everything: Program, token: str, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(KubernetesError) as error:
        everything.create(token, given)
    assert said in str(error.value)
