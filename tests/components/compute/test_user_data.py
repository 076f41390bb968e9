import email
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from components.compute.design import decide
from components.compute.design.request import ImageChoice, Sharing
from components.compute.user_data import ClusterFacts, NodeSettings, bottlerocket, node_config, of
from tests.components.compute.design.requests import wish

GOLDEN = Path(__file__).parents[2] / "golden" / "user_data" / "al2023-raid0.txt"
CLUSTER = ClusterFacts(
    name="demo", endpoint="https://demo.eks", certificate_authority="Q0E9PQ==", service_cidr="172.20.0.0/16"
)
TAINTS = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]


def spec(text: str | None) -> Any:
    (part,) = [part for part in email.message_from_string(text or "").walk() if not part.is_multipart()]
    assert part.get_content_type() == "application/node.eks.aws"
    return yaml.safe_load(str(part.get_payload()))["spec"]


def test_local_storage_is_told_to_nodeadm_as_in_the_golden_file() -> None:
    assert node_config(NodeSettings(local_storage=True)) == GOLDEN.read_text()


def test_where_there_is_nothing_to_say_nothing_is_said() -> None:
    assert node_config(NodeSettings()) is None
    assert bottlerocket(NodeSettings()) is None
    # EKS hands labels and taints to its own images by itself.
    assert node_config(NodeSettings(labels={"a": "b"}, taints=TAINTS)) is None
    assert bottlerocket(NodeSettings(labels={"a": "b"}, taints=TAINTS)) is None


def test_an_image_of_ones_own_is_told_the_cluster_labels_and_taints() -> None:
    settings = NodeSettings(kubelet={"maxPods": 50}, cluster=CLUSTER, labels={"b": "2", "a": "1"}, taints=TAINTS)

    assert spec(node_config(settings)) == {
        "cluster": {
            "name": "demo",
            "apiServerEndpoint": "https://demo.eks",
            "certificateAuthority": "Q0E9PQ==",
            "cidr": "172.20.0.0/16",
        },
        "kubelet": {
            "config": {"maxPods": 50, "registerWithTaints": TAINTS},
            "flags": ["--node-labels=a=1,b=2"],
        },
    }


def test_bottlerocket_is_told_the_same_in_toml() -> None:
    settings = NodeSettings(
        local_storage=True,
        kubelet={"maxPods": 50},
        hugepages=5128,
        cluster=CLUSTER,
        labels={"gpufleet.io/pool": "train"},
        taints=TAINTS,
    )

    found = tomllib.loads(bottlerocket(settings) or "")["settings"]

    assert found["kubernetes"] == {
        "max-pods": 50,
        "cluster-name": "demo",
        "api-server": "https://demo.eks",
        "cluster-certificate": "Q0E9PQ==",
        "node-labels": {"gpufleet.io/pool": "train"},
        "node-taints": {"nvidia.com/gpu": ["present:NoSchedule"]},
    }
    assert found["kernel"]["sysctl"] == {"vm.nr_hugepages": "5128"}
    assert found["bootstrap-commands"]["k8s-ephemeral-storage"] == {
        "commands": [
            ["apiclient", "ephemeral-storage", "init"],
            [
                "apiclient",
                "ephemeral-storage",
                "bind",
                "--dirs",
                "/var/lib/containerd",
                "/var/lib/kubelet",
                "/var/log/pods",
            ],
        ],
        "essential": True,
        "mode": "always",
    }


PLUGIN = "settings.kubelet-device-plugins.nvidia"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (
            NodeSettings(time_slicing=4),
            [
                f"[{PLUGIN}]",
                'device-sharing-strategy = "time-slicing"',
                "",
                f"[{PLUGIN}.time-slicing]",
                "replicas = 4",
                "rename-by-default = false",
            ],
        ),
        (
            NodeSettings(mig={"h100.80gb": "1g.10gb"}),
            [
                f"[{PLUGIN}]",
                'device-partitioning-strategy = "mig"',
                "",
                f"[{PLUGIN}.mig.profile]",
                '"h100.80gb" = "1g.10gb"',
            ],
        ),
    ],
)
def test_bottlerockets_own_plugin_is_told_how_gpus_are_shared(settings: NodeSettings, expected: list[str]) -> None:
    assert bottlerocket(settings) == "\n".join([*expected, ""])
    # On AL2023 the plugin is a daemon, which reads the node's label.
    assert node_config(settings) is None


@pytest.mark.parametrize(
    ("types", "sharing", "slices", "profiles"),
    [
        (("g6.xlarge",), Sharing(), None, {}),
        (("g6.xlarge",), Sharing(kind="time-slicing", replicas=3), 3, {}),
        (("p4d.24xlarge",), Sharing(kind="mig", profile="1g.5gb"), None, {"a100.40gb": "1g.5gb"}),
        (
            ("p4de.24xlarge", "p5.48xlarge"),
            Sharing(kind="mig", profile="3g.40gb"),
            None,
            {"a100.80gb": "3g.40gb", "h100.80gb": "3g.40gb"},
        ),
        (("p5en.48xlarge",), Sharing(kind="mig", profile="1g.18gb"), None, {"h200.141gb": "1g.18gb"}),
        (("p6-b200.48xlarge",), Sharing(kind="mig", profile="1g.23gb"), None, {"b200.180gb": "1g.23gb"}),
    ],
)
def test_a_design_that_shares_tells_bottlerocket_so_by_its_names_of_the_gpus(
    types: tuple[str, ...], sharing: Sharing, slices: int | None, profiles: dict[str, str]
) -> None:
    found = of(decide(wish(*types, image=ImageChoice(family="bottlerocket"), sharing=sharing)))

    assert (found.time_slicing, found.mig) == (slices, profiles)
