"""The buckets of others that hold image layers and packages."""

from gpufleet.facts import image_buckets


def test_amazons_own_carry_the_regions_name() -> None:
    assert image_buckets.of_aws("eu-north-1") == (
        "prod-eu-north-1-starport-layer-bucket",
        "al2023-repos-eu-north-1-de612dc2",
    )


def test_registries_keep_layers_in_buckets_of_the_region() -> None:
    assert image_buckets.of_registries("us-west-2") == ("prod-registry-k8s-io-us-west-2",)
    assert image_buckets.of_registries("us-east-1") == ("prod-registry-k8s-io-us-east-1", "quayio-production-s3")


def test_the_one_bucket_that_is_named_otherwise_is_known() -> None:
    assert image_buckets.of_registries("eu-west-2") == ("767373bbdcb8270361b96548387bf2a9ad0d48758c35-eu-west-2",)
