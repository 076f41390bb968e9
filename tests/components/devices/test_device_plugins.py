from typing import Any

import pulumi_aws as aws
import pytest

from components.devices import efa, provision
from components.devices.device_plugins import DevicePlugins
from components.ordering import after
from gpufleet.facts import charts, instances
from policies.rules.ec2_closed_network_needs_nothing_outside import RULE
from tests.components.devices import builds
from tests.components.scheduling.builds import MARKER, marker
from tests.harness import record, violations

RELEASE = "kubernetes:helm.sh/v3:Release"
EVERYWHERE = [{"operator": "Exists"}]


def releases(*names: str, **changes: Any) -> dict[str, Any]:
    """The releases' inputs by the name of their chart."""
    recorded = record(builds.plugins(*names, **changes))
    return {release.inputs["name"]: release.inputs for release in recorded.all(RELEASE)}


def values(chart: str, *names: str, **changes: Any) -> Any:
    return releases(*names, **changes)[chart]["values"]


def served(affinity: Any) -> list[str]:
    """The kinds of nodes that a daemon's affinity leads to."""
    (term,) = affinity["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    (expression,) = term["matchExpressions"]
    assert (expression["key"], expression["operator"]) == ("gpufleet.io/devices", "In")
    return expression["values"]


def kind(pool: str) -> str:
    """What the pool's nodes are labelled with."""
    return builds.design(pool)["labels"]["gpufleet.io/devices"]


@pytest.mark.parametrize(
    ("pools", "wanted"),
    [
        ((), set[str]()),
        (("plain",), {"nvidia-device-plugin"}),
        (("plain", "efa"), {"nvidia-device-plugin", "aws-efa-k8s-device-plugin"}),
        (("bottlerocket",), set[str]()),
        (("cut", "plain"), {"gpu-operator"}),
        (("trainium",), {"neuron-helm-chart", "aws-efa-k8s-device-plugin"}),
    ],
)
def test_a_cluster_has_the_charts_that_its_pools_need_and_no_other(pools: tuple[str, ...], wanted: set[str]) -> None:
    assert set(releases(*pools)) == wanted


def test_charts_are_pinned_and_their_releases_have_plain_names() -> None:
    found = releases("plain", "efa", "trainium")

    assert {
        name: (one["chart"], one["version"], one.get("repositoryOpts"), one["namespace"]) for name, one in found.items()
    } == {
        "nvidia-device-plugin": (
            "nvidia-device-plugin",
            "0.20.0",
            {"repo": "https://nvidia.github.io/k8s-device-plugin"},
            "kube-system",
        ),
        "aws-efa-k8s-device-plugin": (
            "aws-efa-k8s-device-plugin",
            "v0.5.30",
            {"repo": "https://aws.github.io/eks-charts"},
            "kube-system",
        ),
        "neuron-helm-chart": ("oci://public.ecr.aws/neuron/neuron-helm-chart", "1.9.0", None, "kube-system"),
    }


@pytest.mark.parametrize(
    "pools", [("plain", "sliced", "team", "bottlerocket", "efa"), ("cut", "plain", "bottlerocket")]
)
def test_exactly_one_thing_provides_the_gpus_of_each_pool(pools: tuple[str, ...]) -> None:
    found = releases(*pools)
    reached: list[str] = []
    if "nvidia-device-plugin" in found:
        reached += served(found["nvidia-device-plugin"]["values"]["affinity"])
    if "gpu-operator" in found:
        reached += served(found["gpu-operator"]["values"]["node-feature-discovery"]["worker"]["affinity"])

    assert sorted([*reached, "image"]) == sorted({kind(pool) for pool in pools})
    assert provision.providers(provision.pools([builds.design(name) for name in pools]))["image"] == "image"


def test_what_provides_accelerators_is_told_by_the_kind_of_node() -> None:
    kinds = {"plain": "nvidia", "bottlerocket": "image", "trainium": "neuron"}
    assert {pool: kind(pool) for pool in kinds} == kinds

    found = provision.pools([builds.design(name) for name in kinds])
    assert provision.providers(found) == {
        "image": "image",
        "neuron": "neuron-helm-chart",
        "nvidia": "nvidia-device-plugin",
    }


def test_nothing_of_the_plugins_chart_lands_where_the_image_has_its_own() -> None:
    found = values("nvidia-device-plugin", "plain", "bottlerocket")

    assert served(found["affinity"]) == served(found["nfd"]["worker"]["affinity"]) == ["nvidia"]


def test_no_taint_keeps_a_daemon_off_the_nodes_that_its_affinity_leads_to() -> None:
    plugin = values("nvidia-device-plugin", "plain", "team", "efa")

    assert plugin["tolerations"] == plugin["nfd"]["worker"]["tolerations"] == EVERYWHERE
    assert values("aws-efa-k8s-device-plugin", "efa")["tolerations"] == EVERYWHERE
    assert values("neuron-helm-chart", "trainium")["devicePlugin"]["tolerations"] == EVERYWHERE
    operator = values("gpu-operator", "cut")
    assert operator["daemonsets"]["tolerations"] == EVERYWHERE
    assert operator["node-feature-discovery"]["worker"]["tolerations"] == EVERYWHERE


def test_the_plugin_hands_out_no_infiniband_devices_beside_efa() -> None:
    assert values("nvidia-device-plugin", "plain", "efa")["mofedEnabled"] is False
    assert values("gpu-operator", "cut")["devicePlugin"]["env"] == [{"name": "MOFED_ENABLED", "value": "false"}]


def test_every_number_of_turns_that_a_design_allows_has_a_configuration_for_the_label_to_name() -> None:
    found = values("nvidia-device-plugin", "plain")["config"]

    label = builds.design("sliced")["labels"]["nvidia.com/device-plugin.config"]
    assert set(found["map"]) == {"default", *(f"time-slicing-{replicas}" for replicas in range(2, 17))}
    assert (label, found["default"]) == ("time-slicing-4", "default")
    assert "replicas: 4" in found["map"][label]
    assert "sharing" not in found["map"]["default"]


def test_where_gpus_are_cut_the_operator_brings_what_cuts_and_neither_driver_nor_toolkit() -> None:
    found = values("gpu-operator", "cut", "sliced")

    switched = ("driver", "toolkit", "devicePlugin", "gfd", "migManager", "dcgm", "dcgmExporter", "sandboxWorkloads")
    assert {name: found[name]["enabled"] for name in switched} == {
        "driver": False,
        "toolkit": False,
        "devicePlugin": True,
        "gfd": True,
        "migManager": True,
        "dcgm": False,
        "dcgmExporter": False,
        "sandboxWorkloads": False,
    }
    assert found["mig"] == {"strategy": "single"}
    assert len(found["devicePlugin"]["config"]["data"]) == 16
    assert "migStrategy: single" in found["devicePlugin"]["config"]["data"]["default"]


def test_the_efa_plugin_goes_to_nodes_with_efa_of_all_types_that_can_have_it() -> None:
    found = values("aws-efa-k8s-device-plugin", "efa")

    types = found["supportedInstanceLabels"]["values"]
    assert types == sorted(types, key=instances.names().index)
    assert {"p5.48xlarge", "p6-b300.48xlarge", "trn1.32xlarge"} <= set(types)
    assert not {"g6.xlarge", "p3.2xlarge", "inf2.xlarge"} & set(types)
    assert found["nodeSelector"] == {"gpufleet.io/efa": "true"}


@pytest.mark.parametrize(
    ("region", "host"),
    [
        ("us-east-1", "602401143452.dkr.ecr.us-east-1.amazonaws.com"),
        ("eu-south-1", "590381155156.dkr.ecr.eu-south-1.amazonaws.com"),
    ],
)
def test_the_efa_plugins_image_comes_from_the_regions_own_registry(region: str, host: str) -> None:
    found = values("aws-efa-k8s-device-plugin", "efa", region=region)
    assert found["image"] == {"repository": f"{host}/eks/aws-efa-k8s-device-plugin"}


def test_a_region_of_which_no_source_tells_keeps_the_charts_image() -> None:
    assert "image" not in values("aws-efa-k8s-device-plugin", "efa", region="xy-nowhere-1")


def test_the_efa_plugins_pin_is_the_one_that_designs_are_made_for() -> None:
    chart, designed = charts.get(efa.CHART), builds.design("efa")["efaPlugin"]

    assert (chart.name, chart.version, chart.app_version) == (
        designed["chart"],
        designed["chartVersion"],
        designed["appVersion"],
    )


def test_a_plugin_that_is_too_old_for_a_pool_is_refused() -> None:
    newer = builds.design("new")
    newer["efaPlugin"] = {**newer["efaPlugin"], "leastAppVersion": "v0.6.0"}

    with pytest.raises(ValueError, match=r"v0\.5\.20 miscounts the EFA interfaces of p6-b200\.48xlarge.*v0\.6\.0"):
        builds.args(designs=[newer])
    assert builds.design("new")["efaPlugin"]["leastAppVersion"] == "v0.5.10"


def test_neuron_pools_get_their_plugin_alone_for_all_types_with_trainium_or_inferentia() -> None:
    found = values("neuron-helm-chart", "trainium")

    assert {name.partition(".")[0] for name in found["neuronInstances"]} == {
        "inf1",
        "inf2",
        "trn1",
        "trn1n",
        "trn2",
        "trn2u",
    }
    assert [found[part]["enabled"] for part in ("npd", "scheduler", "draDriver")] == [False, False, False]


def test_images_come_from_our_own_registries_where_there_are_some() -> None:
    ours = {"image_registry": "host/cache", "nvidia_registry": "host/pushed"}
    plugin = values("nvidia-device-plugin", "plain", **ours)
    operator = values("gpu-operator", "cut", **ours)

    assert plugin["image"]["repository"] == "host/pushed/nvcr.io/nvidia/k8s-device-plugin"
    assert plugin["nfd"]["image"]["repository"] == "host/cache/registry.k8s.io/nfd/node-feature-discovery"
    assert operator["migManager"]["repository"] == "host/pushed/nvcr.io/nvidia/cloud-native"
    assert operator["operator"]["repository"] == "host/pushed/nvcr.io/nvidia"
    assert values("neuron-helm-chart", "trainium", **ours)["devicePlugin"]["image"] == {
        "repository": "host/cache/public.ecr.aws/neuron/neuron-device-plugin"
    }


def test_a_closed_network_without_copies_of_nvidias_images_is_told_which_to_push() -> None:
    with pytest.raises(ValueError, match=r"no way out to nvcr\.io; push nvcr\.io/nvidia/k8s-device-plugin:v0\.20\.0"):
        builds.args("plain", closed=True)
    assert builds.args("bottlerocket", closed=True).closed


def test_a_pool_that_is_given_twice_and_what_is_no_design_are_refused() -> None:
    with pytest.raises(ValueError, match="plain given twice"):
        builds.args("plain", "plain")
    with pytest.raises(ValueError, match="has no 'labels'"):
        builds.args(designs=[{"pool": "train"}])


def test_who_takes_the_clusters_name_from_the_plugins_waits_for_them() -> None:
    def build() -> None:
        plugins = DevicePlugins("devices", builds.args("plain", "efa"))
        marker("after", plugins.cluster_name)

    recorded = record(build)
    assert {release.urn for release in recorded.all(RELEASE)} <= set(recorded.one(MARKER).dependencies)


def test_the_plugins_wait_for_what_the_clusters_name_is_taken_from() -> None:
    def build() -> None:
        dns = aws.cloudwatch.LogGroup("dns")
        DevicePlugins("devices", builds.args("plain", cluster_name=after("demo", dns)))

    recorded = record(build)
    assert recorded.one(MARKER).urn in recorded.one(RELEASE).dependencies


@pytest.mark.parametrize("pools", [("plain", "efa", "trainium", "sliced"), ("cut", "bottlerocket")])
def test_in_a_closed_network_nothing_is_pulled_from_outside(pools: tuple[str, ...]) -> None:
    ecr = "111122223333.dkr.ecr.us-east-1.amazonaws.com"
    ours = {"image_registry": f"{ecr}/cache", "nvidia_registry": f"{ecr}/pushed"}

    assert violations(RULE, builds.plugins(*pools, closed=True, **ours), config={"closed": True}) == []
    assert violations(RULE, builds.plugins(*pools), config={"closed": True}) != []
