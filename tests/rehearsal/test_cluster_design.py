"""Which cluster a program's Kubernetes objects live in, from an offline run."""

import json
from pathlib import Path

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s
import pytest

from gpufleet.errors import MissingError, UsageError
from gpufleet.facts import kubernetes
from gpufleet.plan import planning, project
from gpufleet.plan.graph import Run
from gpufleet.rehearsal import cluster_design
from gpufleet.rehearsal.controlplane.pools import MOST_NODES
from tests.harness import record

PROGRAM = Path(__file__).parent / "kubernetes" / "programs" / "fleet"


def fleet(*overrides: str, preview: bool = False) -> Run:
    return planning.run(project.load(PROGRAM, "dev", overrides=overrides), preview=preview)


def karpenter(operator: str, capacity: str = "spot", limit: int = 16, version: str | None = None) -> Run:
    """A subnet, a cluster and a Karpenter pool of two types."""

    def build() -> None:
        aws.ec2.Subnet("a", vpc_id="vpc-1", availability_zone="us-east-1a", tags={"karpenter.sh/discovery": "demo"})
        cluster = aws.eks.Cluster("demo", role_arn="arn", vpc_config={"subnet_ids": ["subnet-1"]}, version=version)
        provider = k8s.Provider("demo", kubeconfig=pulumi.Output.json_dumps({"server": cluster.endpoint}))
        requirements = [
            {"key": "node.kubernetes.io/instance-type", "operator": operator, "values": ["g6.xlarge", "g6.2xlarge"]},
            {"key": "karpenter.sh/capacity-type", "operator": "In", "values": [capacity]},
            {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["us-east-1a"]},
        ]
        k8s.apiextensions.CustomResource(
            "gpu",
            api_version="karpenter.sh/v1",
            kind="NodePool",
            metadata={"name": "gpu"},
            spec={
                "limits": {"nvidia.com/gpu": limit},
                "template": {"spec": {"nodeClassRef": {"name": "gpu"}, "requirements": requirements}},
            },
            opts=pulumi.ResourceOptions(provider=provider),
        )

    return Run(project="p", stack="dev", preview=False, resources=tuple(record(build).resources), outputs={})


def test_a_program_with_kubernetes_objects_wants_a_cluster_and_one_without_does_not() -> None:
    assert cluster_design.wants_cluster(fleet(preview=True))
    only_aws = record(lambda: aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")).resources
    assert not cluster_design.wants_cluster(
        Run(project="p", stack="dev", preview=True, resources=tuple(only_aws), outputs={})
    )


def test_the_version_and_the_nodes_are_those_of_the_cluster_and_its_pools() -> None:
    (design,) = cluster_design.of(fleet())
    assert design.version == "1.35"
    assert [(node.name, node.instance_type) for node in design.nodes] == [
        ("train-0", "p5.48xlarge"),
        ("train-1", "p5.48xlarge"),
    ]
    assert not design.is_cut_short


def test_karpenters_pools_bring_nodes_too() -> None:
    (design,) = cluster_design.of(karpenter("In", limit=2, version="1.36"))
    assert design.version == "1.36"
    assert [(node.name, node.capacity_type) for node in design.nodes] == [("gpu-0", "spot"), ("gpu-1", "spot")]


def test_a_cluster_without_a_version_gets_the_default_one() -> None:
    assert cluster_design.of(karpenter("In"))[0].version == kubernetes.DEFAULT_VERSION


def test_a_pool_larger_than_what_stands_here_is_said_to_be_cut_short() -> None:
    assert cluster_design.of(karpenter("In", limit=MOST_NODES))[0].is_cut_short


def test_an_operator_that_karpenter_does_not_know_is_a_mistake_of_the_program() -> None:
    with pytest.raises(UsageError, match="a Karpenter NodePool of the program: operator: 'Near' of "):
        cluster_design.of(karpenter("Near"))


def test_objects_in_two_clusters_are_two_designs_each_with_its_own_nodes() -> None:
    main, other = cluster_design.of(fleet("elsewhere=true"))
    assert (main.name, other.name) == ("main", "other")
    assert ([node.name for node in main.nodes], list(other.nodes)) == (["train-0", "train-1"], [])
    urn = "urn:pulumi:dev::fleet::pulumi:providers:kubernetes::"
    assert (main.providers, other.providers) == ({f"{urn}main"}, {f"{urn}other"})
    assert (main.holds(f"{urn}main::1"), main.holds(f"{urn}other::1")) == (True, False)


def test_an_object_on_the_default_provider_beside_others_is_refused() -> None:
    with pytest.raises(MissingError, match="are on the default provider, which .* and some on provider main; give"):
        cluster_design.of(fleet("stray=true"))


def test_two_providers_of_one_cluster_are_one_cluster() -> None:
    def build() -> None:
        for name in ("one", "two"):
            provider = k8s.Provider(name, kubeconfig=json.dumps({"server": "https://same"}), namespace=name)
            k8s.core.v1.ConfigMap(name, opts=pulumi.ResourceOptions(provider=provider))

    run = Run(project="p", stack="dev", preview=False, resources=tuple(record(build).resources), outputs={})
    assert cluster_design.of(run) == (cluster_design.Design(version=kubernetes.DEFAULT_VERSION, name="one"),)


def test_of_two_clusters_the_one_that_the_kubeconfig_is_made_from_counts() -> None:
    def build() -> None:
        made = {
            version: aws.eks.Cluster(f"v{version}", role_arn="arn", vpc_config={"subnet_ids": []}, version=version)
            for version in ("1.34", "1.36")
        }
        for version, cluster in made.items():
            aws.eks.NodeGroup(
                f"of-v{version}",
                cluster_name=cluster.name,
                node_role_arn="arn",
                subnet_ids=[aws.ec2.Subnet(f"of-v{version}", vpc_id="vpc-1", availability_zone="us-east-1a").id],
                instance_types=["m7i.xlarge"],
                scaling_config={"desired_size": 1, "min_size": 1, "max_size": 1},
            )
        kubeconfig = pulumi.Output.json_dumps({"server": made["1.36"].endpoint})
        provider = k8s.Provider("main", kubeconfig=kubeconfig)
        k8s.core.v1.Namespace("team", opts=pulumi.ResourceOptions(provider=provider))

    run = Run(project="p", stack="dev", preview=False, resources=tuple(record(build).resources), outputs={})
    (design,) = cluster_design.of(run)
    assert (design.version, [node.pool for node in design.nodes]) == ("1.36", ["of-v1.36"])


def test_two_clusters_behind_a_kubeconfig_that_names_neither_are_refused() -> None:
    def build() -> None:
        for version in ("1.34", "1.36"):
            aws.eks.Cluster(f"v{version}", role_arn="arn", vpc_config={"subnet_ids": []}, version=version)
        provider = k8s.Provider("main", kubeconfig="{}")
        k8s.core.v1.Namespace("team", opts=pulumi.ResourceOptions(provider=provider))

    run = Run(project="p", stack="dev", preview=False, resources=tuple(record(build).resources), outputs={})
    with pytest.raises(MissingError, match="provider main may speak to 2 clusters: .*; make its kubeconfig from "):
        cluster_design.of(run)


def regional(*regions: str, name: str = "fleet") -> Run:
    """A cluster in each region, all of one name, each with a Karpenter pool whose subnets are tagged alike."""

    def build() -> None:
        for region in regions:
            tags = {"karpenter.sh/discovery": "fleet"}
            subnet = aws.ec2.Subnet(region, vpc_id="vpc-1", availability_zone=f"{region}a", tags=tags)
            cluster = aws.eks.Cluster(
                region, name=name, role_arn="arn", vpc_config={"subnet_ids": [subnet.id]}, version="1.35"
            )
            provider = k8s.Provider(region, kubeconfig=pulumi.Output.json_dumps({"server": cluster.endpoint}))
            opts = pulumi.ResourceOptions(provider=provider)
            k8s.apiextensions.CustomResource(
                f"class-{region}",
                api_version="karpenter.k8s.aws/v1",
                kind="EC2NodeClass",
                metadata={"name": "gpu"},
                spec={"subnetSelectorTerms": [{"tags": tags}]},
                opts=opts,
            )
            k8s.apiextensions.CustomResource(
                f"pool-{region}",
                api_version="karpenter.sh/v1",
                kind="NodePool",
                metadata={"name": "gpu"},
                spec={
                    "limits": {"nvidia.com/gpu": 1},
                    "template": {
                        "spec": {
                            "nodeClassRef": {"name": "gpu"},
                            "requirements": [
                                {
                                    "key": "node.kubernetes.io/instance-type",
                                    "operator": "In",
                                    "values": ["g6.xlarge"],
                                }
                            ],
                        }
                    },
                },
                opts=opts,
            )

    return Run(project="p", stack="dev", preview=False, resources=tuple(record(build).resources), outputs={})


def test_pools_of_one_name_in_two_regions_are_each_in_their_own() -> None:
    east, west = cluster_design.of(regional("us-east-1", "us-west-2"))
    assert [(node.name, node.zone) for node in east.nodes] == [("gpu-0", "us-east-1a")]
    assert [(node.name, node.zone) for node in west.nodes] == [("gpu-0", "us-west-2a")]
    assert (east.name, west.name) == ("fleet-1", "fleet-2")


def test_a_provider_that_nothing_uses_speaks_to_one_of_those_that_stand() -> None:
    def build() -> None:
        for name in ("idle", "one", "two"):
            provider = k8s.Provider(name, kubeconfig=json.dumps({"server": f"https://{name}"}))
            if name != "idle":
                k8s.core.v1.ConfigMap(name, opts=pulumi.ResourceOptions(provider=provider))

    run = Run(project="p", stack="dev", preview=False, resources=tuple(record(build).resources), outputs={})
    designs = cluster_design.of(run)
    assert [sorted(urn.rpartition("::")[2] for urn in design.providers) for design in designs] == [
        ["idle", "one"],
        ["two"],
    ]


def test_more_clusters_than_a_rehearsal_bears_are_refused_with_their_names() -> None:
    run = regional("us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1")
    with pytest.raises(
        MissingError, match="at most 4 Kubernetes clusters at a time, and the program's objects live in 5"
    ):
        cluster_design.of(run)
