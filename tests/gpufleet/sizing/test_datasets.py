"""From a dataset to a way of reading it."""

import pytest

from gpufleet.facts import instances
from gpufleet.sizing import datasets
from gpufleet.sizing.datasets import Choice, Need
from gpufleet.sizing.quantities import GB, GIB

P5, G6 = instances.get("p5.48xlarge"), instances.get("g6.2xlarge")


def choices(need: Need, instance: instances.InstanceType = P5) -> dict[str, Choice]:
    return {one.kind: one for one in datasets.choices(need, instance, "us-east-1")}


def need(gib: float = 1000, *, kib: float = 1024, rate: float = 1000, nodes: int = 1) -> Need:
    return Need(dataset_bytes=gib * GIB, sample_bytes=kib * 1024, samples_per_second=rate, nodes=nodes)


def test_throughput_is_samples_times_their_size():
    assert need(kib=100, rate=5000).bytes_per_second == 512_000_000


@pytest.mark.parametrize(
    ("gib", "mb_s", "tier", "expected"),
    [
        (100, 10, 125, 1200),
        (1090, 10, 125, 1200),
        (1100, 10, 125, 2400),
        (2400, 10, 125, 4800),  # a tenth is left free
        (1000, 1000, 125, 9600),  # 8 TiB for the speed
        (1000, 1000, 1000, 1200),
    ],
)
def test_lustre_comes_in_steps_of_2400_gib(gib: float, mb_s: float, tier: int, expected: int):
    assert datasets.lustre_size(gib * GIB, mb_s * 1e6, tier) == expected


def test_a_gib_of_lustre_is_not_a_gb():
    assert datasets.lustre_size(1200 * GB / 1.1, 0, 125) == 1200
    assert datasets.lustre_size(1200 * GIB / 1.09, 0, 125) == 2400


def test_the_cheapest_tier_that_is_fast_enough_is_taken():
    slow, fast = choices(need(2000, rate=100))["lustre"], choices(need(2000, rate=4000))["lustre"]
    assert (slow.size_gib, slow.throughput, slow.usd_month) == (2400, 125, pytest.approx(348))
    assert (fast.size_gib, fast.throughput, fast.usd_month) == (4800, 1000, pytest.approx(2880))


def test_large_samples_are_read_from_the_bucket():
    first = datasets.choices(need(kib=8192, rate=100), P5, "us-east-1")[0]
    assert (first.kind, first.fits, first.usd_month) == ("s3", True, 0.0)


def test_more_requests_than_a_prefix_gives_are_refused_with_the_fix():
    bucket = choices(need(kib=10, rate=20_000))["s3"]
    assert not bucket.fits
    assert bucket.why.startswith("20,000 requests a second; a prefix gives 5,500: pack samples into larger objects")


def test_more_requests_in_flight_than_loaders_keep_up_are_refused():
    bucket = choices(need(kib=10, rate=5000))["s3"]
    assert bucket.why.startswith("750 requests in flight on each node; loaders keep up 256")


def test_more_bytes_than_the_nodes_read_are_refused():
    bucket = choices(need(kib=100_000, rate=100))["s3"]
    assert bucket.why == "10.24 GB/s wanted; 1 nodes read 6.25 GB/s"


def test_a_copy_on_each_node_is_measured_against_its_own_disks():
    assert choices(need(20_000))["nvme"].fits
    refused = choices(need(1000), G6)["nvme"]
    assert (refused.fits, refused.why) == (False, "1,000 GiB do not fit on a node's 419 GiB")


def test_a_type_without_disks_has_no_copy():
    assert choices(need(), instances.get("g5g.xlarge"))["nvme"].why == "g5g.xlarge has no instance store"


def test_what_does_not_do_comes_last():
    order = [one.fits for one in datasets.choices(need(40_000, kib=10, rate=20_000), P5, "us-east-1")]
    assert order == sorted(order, reverse=True)


def test_the_bucket_itself_is_priced():
    assert datasets.bucket_usd_month(1000 * GIB, "us-east-1") == pytest.approx(23)
