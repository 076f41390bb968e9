from typing import Any

import pytest

from components.storage.mountpoint import BucketVolume, manifests


def volume(**changes: Any) -> BucketVolume:
    defaults: dict[str, Any] = {
        "name": "datasets",
        "namespace": "vision",
        "bucket_name": "datasets-bucket",
        "region": "us-east-1",
    }
    return BucketVolume(**(defaults | changes))


def options(**changes: Any) -> list[str]:
    return manifests(volume(**changes))[0]["spec"]["mountOptions"]


def attributes(**changes: Any) -> dict[str, str]:
    return manifests(volume(**changes))[0]["spec"]["csi"]["volumeAttributes"]


def test_a_data_set_is_mounted_read_only_as_the_pod_by_a_claim_that_only_its_namespace_has() -> None:
    assert manifests(volume()) == [
        {
            "apiVersion": "v1",
            "kind": "PersistentVolume",
            "metadata": {"name": "vision-datasets"},
            "spec": {
                "capacity": {"storage": "1Gi"},
                "accessModes": ["ReadOnlyMany"],
                "storageClassName": "",
                "persistentVolumeReclaimPolicy": "Retain",
                "claimRef": {
                    "apiVersion": "v1",
                    "kind": "PersistentVolumeClaim",
                    "namespace": "vision",
                    "name": "datasets",
                },
                "mountOptions": ["region us-east-1", "read-only"],
                "csi": {
                    "driver": "s3.csi.aws.com",
                    "volumeHandle": "vision-datasets",
                    "volumeAttributes": {"bucketName": "datasets-bucket", "authenticationSource": "pod"},
                },
            },
        },
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": "datasets", "namespace": "vision"},
            "spec": {
                "accessModes": ["ReadOnlyMany"],
                "storageClassName": "",
                "volumeName": "vision-datasets",
                "resources": {"requests": {"storage": "1Gi"}},
            },
        },
    ]


def test_the_cache_is_asked_for_by_attributes_and_not_by_the_mount_option_that_the_driver_dropped() -> None:
    assert attributes(cache_size="200Gi") == {
        "bucketName": "datasets-bucket",
        "authenticationSource": "pod",
        "cache": "emptyDir",
        "cacheEmptyDirSizeLimit": "200Gi",
    }
    assert options(cache_size="200Gi") == ["region us-east-1", "read-only"]


def test_a_cache_can_lie_on_a_volume_of_its_own() -> None:
    assert attributes(cache_size="200Gi", cache_storage_class="gp3") == {
        "bucketName": "datasets-bucket",
        "authenticationSource": "pod",
        "cache": "ephemeral",
        "cacheEphemeralStorageClassName": "gp3",
        "cacheEphemeralStorageResourceRequest": "200Gi",
    }


def test_a_cache_that_a_zone_shares_lies_in_an_express_bucket() -> None:
    shared = "fast--use1-az4--x-s3"

    assert f"cache-xz {shared}" in options(express_cache_bucket=shared)


def test_a_part_of_a_bucket_is_mounted_by_its_prefix_and_names_may_be_believed_for_long() -> None:
    assert options(prefix="imagenet/", metadata_ttl_seconds=3600) == [
        "region us-east-1",
        "prefix imagenet/",
        "read-only",
        "metadata-ttl 3600",
    ]


def test_a_volume_for_writing_replaces_and_deletes_only_where_that_was_asked_for() -> None:
    assert options(read_only=False) == ["region us-east-1"]
    assert options(read_only=False, allow_overwrite=True, allow_delete=True) == [
        "region us-east-1",
        "allow-overwrite",
        "allow-delete",
    ]
    volume_, claim = manifests(volume(read_only=False))
    assert volume_["spec"]["accessModes"] == claim["spec"]["accessModes"] == ["ReadWriteMany"]


def test_two_namespaces_have_two_volumes_of_one_bucket() -> None:
    handles = {manifests(volume(namespace=space))[0]["spec"]["csi"]["volumeHandle"] for space in ("vision", "speech")}

    assert handles == {"vision-datasets", "speech-datasets"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Data"}, "name: 'Data' must be a DNS label"),
        ({"namespace": ""}, "namespace: '' must be a DNS label"),
        ({"prefix": "imagenet"}, "prefix: 'imagenet' must end with /"),
        ({"authentication": "irsa"}, "authentication: 'irsa' is not known; allowed are pod, driver"),
        ({"allow_delete": True}, "read_only: nothing can be overwritten or deleted in it"),
        ({"cache_size": "200"}, "cache_size: '200' must be a size such as 200Gi"),
        ({"cache_storage_class": "gp3"}, "cache_size: a cache on a volume needs a size, such as 200Gi"),
        ({"metadata_ttl_seconds": -1}, "metadata_ttl_seconds: -1 must not be negative"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        volume(**changes)
