from typing import Any

import pytest

from components.scheduling.karpenter import Karpenter, KarpenterArgs
from gpufleet.facts import charts
from tests.components.scheduling import builds
from tests.harness import record

RELEASE = "kubernetes:helm.sh/v3:Release"
CONTROLLER = "public.ecr.aws/karpenter/controller"


def values(**changes: Any) -> Any:
    return record(builds.controller(**changes)).one(RELEASE, "karpenter").inputs["values"]


def test_both_charts_are_pinned_and_keep_the_names_that_their_parts_know_each_other_by() -> None:
    recorded = record(builds.controller())

    assert {
        release.name: {key: release.inputs[key] for key in ("name", "chart", "version", "namespace", "skipCrds")}
        for release in recorded.all(RELEASE)
    } == {
        name: {
            "name": name,
            "chart": f"oci://public.ecr.aws/karpenter/{name}",
            "version": "1.14.1",
            "namespace": "kube-system",
            "skipCrds": True,
        }
        for name in ("karpenter", "karpenter-crd")
    }


def test_the_definitions_come_before_the_controller() -> None:
    recorded = record(builds.controller())

    assert recorded.one(RELEASE, "karpenter-crd").urn in recorded.one(RELEASE, "karpenter").dependencies


def test_the_controller_is_told_cluster_queue_and_service_account() -> None:
    found = values()

    assert found["settings"] == {
        "clusterName": "demo",
        "interruptionQueue": "interruptions",
        "isolatedVPC": False,
        "eksControlPlane": True,
        "featureGates": {"reservedCapacity": True},
    }
    assert found["serviceAccount"] == {"create": True, "name": "karpenter"}


def test_it_runs_twice_on_system_nodes_and_never_on_its_own() -> None:
    found = values()

    assert found["replicas"] == 2
    assert found["nodeSelector"] == {"kubernetes.io/os": "linux", "gpufleet.io/pool": "system"}
    # The chart's own rules (no node of Karpenter's, one replica a node, spread over zones) are left as they are.
    assert "affinity" not in found
    assert "topologySpreadConstraints" not in found


def test_with_a_way_out_the_image_comes_from_where_the_chart_says() -> None:
    assert "image" not in values()["controller"]


def test_in_a_closed_network_prices_are_built_in_and_the_image_comes_through_our_registry() -> None:
    registry = "111122223333.dkr.ecr.us-east-1.amazonaws.com/gpufleet-dev"

    found = values(isolated=True, image_registry=registry)

    assert found["settings"]["isolatedVPC"] is True
    assert found["controller"]["image"] == {"repository": f"{registry}/{CONTROLLER}"}


def test_the_image_that_the_chart_is_pinned_to_is_in_the_catalogue() -> None:
    (image,) = charts.get("karpenter").images

    assert image.startswith(f"{CONTROLLER}:{charts.get('karpenter').app_version}@sha256:")


def test_pools_that_take_the_clusters_name_from_it_wait_for_both_releases() -> None:
    def build() -> None:
        builds.marker("pool", Karpenter("karpenter", builds.controller_args()).cluster_name)

    recorded = record(build)

    assert set(recorded.one(builds.MARKER).dependencies) == {release.urn for release in recorded.all(RELEASE)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"replicas": 0}, "replicas: 0 must be 1 or more"),
        ({"log_level": "warn"}, "log_level: 'warn' is not known; allowed are debug, info, error"),
    ],
)
def test_a_mistake_is_answered_with_the_value_and_the_fix(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KarpenterArgs(**(builds.CONTROLLER | changes))
