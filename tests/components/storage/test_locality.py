import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.storage.locality import ZONAL, Pool, Store, check, faults

REGIONS = ("us-east-1", "us-west-2", "eu-west-1")
TRAIN = Pool(name="train", region="us-east-1", zones=["us-east-1a"])
WIDE = Pool(name="wide", region="us-east-1", zones=["us-east-1b", "us-east-1a", "us-east-1c"])


def bucket(region: str = "us-east-1") -> Store:
    return Store(name="datasets", kind="bucket", region=region)


def cache(zone: str) -> Store:
    return Store(name="datasets", kind="Lustre cache", region=zone[:-1], zone=zone)


def test_a_bucket_of_the_region_is_near_every_pool_in_it() -> None:
    assert faults(TRAIN, [bucket()]) == []
    assert faults(WIDE, [bucket()]) == []


def test_a_bucket_in_another_region_is_named_with_the_pool_and_the_way_out() -> None:
    assert faults(TRAIN, [bucket("us-west-2")]) == [
        "pool train is in us-east-1 and bucket datasets in us-west-2: every byte crosses regions; "
        "replicate the bucket to us-east-1 and read the copy"
    ]


def test_a_cache_in_the_pools_only_zone_is_near() -> None:
    assert faults(TRAIN, [cache("us-east-1a")]) == []


def test_a_cache_in_another_zone_is_named_with_the_pool() -> None:
    assert faults(TRAIN, [cache("us-east-1b")]) == [
        "pool train launches in us-east-1a and Lustre cache datasets lies in us-east-1b: "
        "limit the pool to zones: [us-east-1b], or put it where the pool is"
    ]


def test_a_cache_beside_only_some_of_a_pools_nodes_is_a_fault_too() -> None:
    (fault,) = faults(WIDE, [cache("us-east-1a")])

    assert fault.startswith(
        "pool wide launches in us-east-1a, us-east-1b, us-east-1c and Lustre cache datasets lies in"
    )


def test_a_cache_in_another_region_says_so_rather_than_speak_of_zones() -> None:
    assert faults(TRAIN, [cache("us-west-2a")]) == [
        "pool train is in us-east-1 and Lustre cache datasets in us-west-2: every byte crosses regions; "
        "make one in us-east-1"
    ]


def test_a_checkpoint_on_an_ebs_volume_is_refused_for_a_pool_that_comes_back_in_another_zone() -> None:
    volume = Store(name="checkpoints", kind="EBS volume", region="us-east-1")

    assert faults(WIDE, [volume]) == [
        "pool wide launches in us-east-1a, us-east-1b, us-east-1c and EBS volume checkpoints will lie in one of "
        "them: a node that comes back in another zone cannot mount it; limit the pool to one zone or keep the data in "
        "a bucket"
    ]
    assert faults(TRAIN, [volume]) == []
    assert faults(WIDE, [Store(name="checkpoints", kind="bucket", region="us-east-1")]) == []


def test_check_says_all_faults_at_once() -> None:
    with pytest.raises(
        ValueError, match=r"bucket datasets in us-west-2.*; pool train .* Lustre cache datasets lies in"
    ):
        check(TRAIN, [bucket("us-west-2"), cache("us-east-1b")])
    check(TRAIN, [bucket(), cache("us-east-1a")])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "NFS"}, "kind: 'NFS' is not known; allowed are bucket, Lustre cache"),
        ({"kind": "S3 Express bucket"}, "S3 Express bucket x: lies in one zone; name it"),
        ({"kind": "EBS volume", "zone": "eu-west-1a"}, "zone: 'eu-west-1a' of EBS volume x is not in us-east-1"),
    ],
)
def test_a_store_that_cannot_be_is_refused(changes: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Store(**({"name": "x", "region": "us-east-1"} | changes))  # pyright: ignore[reportArgumentType] -- kind comes


@given(
    region=st.sampled_from(REGIONS),
    zones=st.lists(st.sampled_from("abc"), min_size=1, max_size=3, unique=True),
    kind=st.sampled_from(ZONAL),
    other=st.sampled_from(REGIONS),
    zone=st.sampled_from("abc"),
)
def test_data_in_a_zone_is_near_exactly_when_all_of_the_pool_is_there(
    region: str, zones: list[str], kind: str, other: str, zone: str
) -> None:
    pool = Pool(name="pool", region=region, zones=[f"{region}{letter}" for letter in zones])
    store = Store(name="data", kind=kind, region=other, zone=f"{other}{zone}")

    found = faults(pool, [store])

    assert (found == []) == (region == other and zones == [zone])
    assert all("pool pool" in fault and f"{kind} data" in fault for fault in found)
