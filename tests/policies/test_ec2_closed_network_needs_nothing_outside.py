from collections.abc import Sequence
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest

from policies.rules.ec2_closed_network_needs_nothing_outside import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Cluster, Manifest, deployment, release
from tests.policies.pools import pool

NODES = ("ec2", "ecr.api", "ecr.dkr", "eks", "sts")
ECR = "111122223333.dkr.ecr.us-east-1.amazonaws.com"


def _lacks(service: str, caller: str = "its nodes", vpc: str = "vpc") -> str:
    return (
        f"{vpc}: has no way out and no interface endpoint for {service}, which {caller} must reach; it must have one, "
        "with private DNS."
    )


def _outside(name: str, path: str, registry: str) -> str:
    return (
        f"{name}: {path} comes from {registry}, which a network without a way out cannot reach; it must come from a "
        "private ECR registry of its region."
    )


def _network(
    endpoints: Sequence[Any] = NODES,
    *,
    name: str = "vpc",
    way_out: bool = False,
    cluster: str = "c",
    opts: Any = None,
    **group: Any,
) -> aws.ec2.Subnet:
    vpc = aws.ec2.Vpc(name, cidr_block="10.0.0.0/16", opts=opts)
    table = aws.ec2.RouteTable(name, vpc_id=vpc.id)
    subnet = aws.ec2.Subnet(name, vpc_id=vpc.id, cidr_block="10.0.1.0/24", availability_zone="us-east-1a")
    aws.ec2.RouteTableAssociation(name, subnet_id=subnet.id, route_table_id=table.id)
    if way_out:
        aws.ec2.Route(name, route_table_id=table.id, destination_cidr_block="0.0.0.0/0", nat_gateway_id="nat-1")
    for index, service in enumerate(endpoints):
        full = f"com.amazonaws.us-east-1.{service}" if isinstance(service, str) else service
        aws.ec2.VpcEndpoint(f"{name}-{index}", vpc_id=vpc.id, service_name=full, vpc_endpoint_type="Interface")
    pool(f"{name}-pool", subnet_ids=[subnet.id], cluster_name=cluster, **group)
    return subnet


def test_each_missing_endpoint_of_a_closed_network_is_named_once(preview: bool) -> None:
    assert messages(RULE, lambda: _network(["ecr.dkr"]), preview=preview) == [
        _lacks(service) for service in ("ec2", "ecr.api", "eks", "sts")
    ]


def test_a_gateway_endpoint_does_not_count_for_an_interface_one(preview: bool) -> None:
    def build() -> None:
        subnet = _network(NODES[:-1])
        aws.ec2.VpcEndpoint("sts", vpc_id=subnet.vpc_id, service_name="com.amazonaws.us-east-1.sts")

    assert messages(RULE, build, preview=preview) == [_lacks("sts")]


def test_what_add_ons_pods_people_and_file_systems_call_is_asked_for_as_well(preview: bool) -> None:
    def build() -> None:
        role = aws.iam.Role("node", assume_role_policy="{}")
        aws.iam.RolePolicyAttachment(
            "ssm", role=role.name, policy_arn="arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore"
        )
        subnet = _network(node_role_arn=role.arn)
        aws.eks.Addon("logs", cluster_name="c", addon_name="amazon-cloudwatch-observability")
        aws.eks.Addon("elsewhere", cluster_name="other", addon_name="aws-guardduty-agent")
        aws.eks.PodIdentityAssociation("reader", cluster_name="c", namespace="n", service_account="s", role_arn="r")
        aws.fsx.LustreFileSystem("lustre", subnet_ids=subnet.id, storage_capacity=1200)
        aws.amp.Workspace("metrics")

    assert messages(RULE, build, preview=preview) == [
        _lacks("aps-workspaces", "whoever writes metrics to workspace metrics"),
        _lacks("ec2messages", "Session Manager on its nodes"),
        _lacks("eks-auth", "Pod Identity association reader"),
        _lacks("fsx", "file system lustre"),
        _lacks("logs", "add-on amazon-cloudwatch-observability"),
        _lacks("monitoring", "add-on amazon-cloudwatch-observability"),
        _lacks("ssm", "Session Manager on its nodes"),
        _lacks("ssmmessages", "Session Manager on its nodes"),
    ]


def test_a_charts_calls_and_the_registries_it_is_left_with_are_reported(preview: bool) -> None:
    def build() -> None:
        _network()
        values = {"driver": {"repository": "nvcr.io/nvidia", "image": "driver"}, "global": {"imageRegistry": "quay.io"}}
        release("karpenter", "oci://public.ecr.aws/karpenter/karpenter", {"replicas": 2})
        release("gpu", "gpu-operator", values)

    assert messages(RULE, build, preview=preview) == [
        _lacks("sqs", "chart karpenter"),
        _lacks("ssm", "chart karpenter"),
        _outside("gpu", "values.driver.repository", "nvcr.io"),
        _outside("gpu", "values.global.imageRegistry", "quay.io"),
        "karpenter: chart karpenter is given no registry in its values, so its images come from the public ones it was "
        "written with; the values must name a private ECR registry.",
        "karpenter: values.settings.isolatedVPC is not set, so Karpenter asks the price list, for which the VPC can "
        "have no endpoint; it must be true.",
    ]


@pytest.mark.parametrize(
    ("image", "registry"),
    [
        ("busybox", "docker.io"),
        ("nvidia/cuda:13.0-base", "docker.io"),
        ("nvcr.io/nvidia/pytorch:26.01-py3", "nvcr.io"),
        ("public.ecr.aws/eks/pause:3.10", "public.ecr.aws"),
        ("registry.local:5000/app", "registry.local:5000"),
    ],
)
def test_an_image_from_outside_is_reported_also_of_an_init_container(image: str, registry: str, preview: bool) -> None:
    def build() -> None:
        _network()
        deployment("app", {"name": "app", "image": f"{ECR}/app:1"}, initContainers=[{"name": "init", "image": image}])

    assert messages(RULE, build, preview=preview) == [
        _outside("app", "spec.template.spec.initContainers[0].image", registry)
    ]


def test_a_node_class_that_needs_iam_and_a_registry_of_another_region_are_reported(preview: bool) -> None:
    def build() -> None:
        here = pulumi.ResourceOptions(provider=aws.Provider("aws", region="us-east-1"))
        _network(opts=here)
        Manifest("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass", "nodes", spec={"role": "node"})
        deployment("app", {"name": "app", "image": f"{ECR.replace('us-east-1', 'us-west-2')}/app:1"})

    assert messages(RULE, build, preview=preview) == [
        _outside("app", "spec.template.spec.containers[0].image", ECR.replace("us-east-1", "us-west-2")),
        "nodes: spec.role makes Karpenter call IAM, for which the VPC can have no endpoint; it must be an "
        "instanceProfile.",
    ]


def test_everything_at_hand_is_quiet(preview: bool) -> None:
    def build() -> None:
        _network([*NODES, "sqs", "ssm"])
        deployment("app", {"name": "app", "image": f"{ECR}/app:1"})
        release("karpenter", f"oci://{ECR}/karpenter", {"settings": {"isolatedVPC": True}})
        release(
            "plugin", "nvidia-device-plugin", {"image": {"registry": ECR, "repository": "nvidia/k8s-device-plugin"}}
        )

    assert messages(RULE, build, preview=preview) == []


def test_a_network_with_a_way_out_is_quiet(preview: bool) -> None:
    def build() -> None:
        _network([], way_out=True)
        deployment("app", {"name": "app", "image": "busybox"})

    assert messages(RULE, build, preview=preview) == []


def test_an_inline_way_out_and_the_main_route_table_are_quiet(preview: bool) -> None:
    def build() -> None:
        vpc = aws.ec2.Vpc("vpc", cidr_block="10.0.0.0/16")
        routes = [aws.ec2.RouteTableRouteArgs(cidr_block="0.0.0.0/0", nat_gateway_id="nat-1")]
        table = aws.ec2.RouteTable("table", vpc_id=vpc.id, routes=routes)
        subnets = [
            aws.ec2.Subnet(name, vpc_id=vpc.id, cidr_block=f"10.0.{index}.0/24")
            for index, name in enumerate(("inline", "main"))
        ]
        aws.ec2.RouteTableAssociation("inline", subnet_id=subnets[0].id, route_table_id=table.id)
        for subnet, name in zip(subnets, ("inline", "main"), strict=True):
            pool(name, subnet_ids=[subnet.id])

    assert messages(RULE, build, preview=preview) == []


def test_of_two_networks_only_the_closed_one_and_what_runs_in_it_are_judged(preview: bool) -> None:
    def build() -> None:
        _network([], name="open", way_out=True, cluster="open")
        _network(name="closed", cluster="closed")
        for cluster in ("open", "closed"):
            provider = Cluster(f"in-{cluster}", cluster)
            deployment(cluster, {"name": "app", "image": "busybox"}, opts=pulumi.ResourceOptions(provider=provider))

    assert messages(RULE, build, preview=preview) == [
        _outside("closed", "spec.template.spec.containers[0].image", "docker.io")
    ]


def test_a_stack_of_the_inside_alone_is_judged_where_the_setting_says_so(preview: bool) -> None:
    def build() -> None:
        deployment("app", {"name": "app", "image": "registry.internal/app:1"})

    fault = _outside("app", "spec.template.spec.containers[0].image", "registry.internal")
    assert messages(RULE, build, preview=preview) == []
    assert messages(RULE, build, preview=preview, config={"closed": True}) == [fault]
    reachable = {"closed": True, "registries": ["registry.internal"]}
    assert messages(RULE, build, preview=preview, config=reachable) == []


def test_unknown_services_routes_and_images_are_quiet_until_they_are_known() -> None:
    def service() -> None:
        _network([*NODES[:-1], later("com.amazonaws.us-east-1.logs")])

    def route() -> None:
        table = _network([])
        aws.ec2.Route(
            "out",
            route_table_id=aws.ec2.RouteTable("other", vpc_id=table.vpc_id).id,
            destination_cidr_block=later("10.1.0.0/16"),
            nat_gateway_id="nat-1",
        )

    def image() -> None:
        _network()
        deployment("app", {"name": "app", "image": later("busybox")})

    assert messages(RULE, service, preview=True) == []
    assert messages(RULE, service) == [_lacks("sts")]
    assert len(messages(RULE, route, preview=True)) == len(NODES)
    assert messages(RULE, image, preview=True) == []
    assert len(messages(RULE, image)) == 1
