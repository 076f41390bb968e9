import pytest

from components.network.closed_network import registry_of, unreachable
from components.network.endpoint_services import CLOSED_NETWORK, NODES, needed

REGION = "us-east-1"
OWN = "111122223333.dkr.ecr.us-east-1.amazonaws.com"


def test_a_cluster_with_all_its_endpoints_and_its_own_registry_needs_no_internet() -> None:
    images = [f"{OWN}/mirror/pause:3.10", "602401143452.dkr.ecr-fips.us-east-1.amazonaws.com/eks/coredns:v1"]

    assert unreachable(REGION, NODES, CLOSED_NETWORK, images, [f"oci://{OWN}/charts"]) == ()


def test_each_api_without_an_endpoint_is_named_with_who_calls_it() -> None:
    features = (*NODES, "lustre", "karpenter")
    endpoints = [service for service in needed(features) if service not in ("ec2", "fsx")]

    found = unreachable(REGION, features, endpoints)

    assert [str(thing) for thing in found[:2]] == [
        "the API ec2: nodes and karpenter call it, and the network has no endpoint for it; add ec2 to the endpoints",
        "the API fsx: lustre calls it, and the network has no endpoint for it; add fsx to the endpoints",
    ]


def test_what_no_endpoint_reaches_comes_with_the_way_around_it() -> None:
    found = unreachable(REGION, ["karpenter"], needed(["karpenter"]))

    assert [(thing.what, thing.fix) for thing in found] == [
        ("the API iam", "give Karpenter's node classes an instanceProfile instead of a role"),
        ("the API pricing.api", "set Karpenter's settings.isolatedVPC, then it uses the prices it was built with"),
    ]


@pytest.mark.parametrize(
    ("image", "registry"),
    [
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4.5", "nvcr.io"),
        ("registry.k8s.io/kueue/kueue:v0.19.2", "registry.k8s.io"),
        ("redis", "docker.io"),
        ("vllm/vllm-openai:v0.12", "docker.io"),
        ("localhost:5000/own:1", "localhost:5000"),
        ("public.ecr.aws/karpenter/controller:1.14", "public.ecr.aws"),
        (f"{OWN}/own:1", OWN),
    ],
)
def test_an_image_names_its_registry_or_means_docker_hub(image: str, registry: str) -> None:
    assert registry_of(image) == registry


def test_images_and_charts_of_public_registries_are_named_once_each() -> None:
    images = ["nvcr.io/nvidia/cuda:13", "redis", "redis"]
    charts = ["https://nvidia.github.io/k8s-device-plugin", "oci://public.ecr.aws/karpenter"]

    assert [thing.what for thing in unreachable(REGION, (), (), images, charts)] == [
        "the image nvcr.io/nvidia/cuda:13",
        "the image redis",
        "the chart repository https://nvidia.github.io/k8s-device-plugin",
        "the chart repository oci://public.ecr.aws/karpenter",
    ]


def test_the_registry_of_another_region_is_out_of_reach() -> None:
    (thing,) = unreachable("us-west-2", (), (), [f"{OWN}/own:1"])

    assert str(thing) == (
        f"the image {OWN}/own:1: {OWN} is on the internet; mirror it into an ECR repository of us-west-2, or give it a "
        "pull-through cache there"
    )


def test_in_china_the_registrys_name_ends_otherwise() -> None:
    assert unreachable("cn-north-1", (), (), ["111122223333.dkr.ecr.cn-north-1.amazonaws.com.cn/own:1"]) == ()
