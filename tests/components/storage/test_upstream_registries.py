import pytest

from components.storage import upstream_registries


@pytest.mark.parametrize(
    ("image", "found"),
    [
        ("quay.io/prometheus/node-exporter:v1", "fleet/quay.io/prometheus/node-exporter:v1"),
        ("registry.k8s.io/kueue/kueue:v0.19.2", "fleet/registry.k8s.io/kueue/kueue:v0.19.2"),
        ("public.ecr.aws/a/b@sha256:00", "fleet/public.ecr.aws/a/b@sha256:00"),
        ("ghcr.io/owner/image", "fleet/ghcr.io/owner/image"),
        ("docker.io/library/busybox:1", "fleet/docker.io/library/busybox:1"),
        ("docker.io/busybox:1", "fleet/docker.io/library/busybox:1"),
        ("busybox:1", "fleet/docker.io/library/busybox:1"),
        ("grafana/grafana:12", "fleet/docker.io/grafana/grafana:12"),
        ("nvcr.io/nvidia/k8s/dcgm-exporter:4", None),
        ("localhost/mine:1", None),
        ("registry:5000/mine:1", None),
    ],
)
def test_an_image_is_found_below_the_prefix_and_its_registry_or_not_at_all(image: str, found: str | None) -> None:
    assert upstream_registries.cached(image, "fleet") == found


def test_only_registries_that_want_a_login_need_credentials() -> None:
    asking = [name for name, upstream in upstream_registries.UPSTREAMS.items() if upstream.needs_credentials]

    assert asking == ["docker.io", "ghcr.io"]
    assert upstream_registries.get("docker.io").url == "registry-1.docker.io"


def test_a_registry_that_ecr_does_not_fetch_from_is_answered_with_the_way_out() -> None:
    with pytest.raises(
        ValueError, match=r"'nvcr.io' is not one .* allowed are public.ecr.aws, .* ImageRegistry instead"
    ):
        upstream_registries.get("nvcr.io")
