"""Notices, and what can be written until they run out."""

import pytest

from gpufleet.facts import interruptions


@pytest.mark.parametrize(("family", "minutes"), [("p5", 30), ("p6e-gb200", 60), ("trn2u", 60)])
def test_ultraservers_have_the_longer_notice(family: str, minutes: int) -> None:
    assert interruptions.block_notice_minutes(family) == minutes


@pytest.mark.parametrize(
    ("path", "gbps", "rate", "basis"),
    [
        ("s3://b/p", 40, 1.0, "20% of 40 Gbit/s to S3"),
        ("s3://b/p", 3200, 5.0, "20% of 3200 Gbit/s to S3, at most 5 GB/s"),
        ("/mnt/fsx", 40, 0.5, "10% of 40 Gbit/s to a mounted file system"),
    ],
)
def test_a_node_writes_a_careful_share_of_its_network(path: str, gbps: float, rate: float, basis: str) -> None:
    assert interruptions.write_rate(path, gbps) == interruptions.WriteRate(rate, basis)


def test_our_drain_is_never_later_than_eks_own() -> None:
    ours = interruptions.block_notice_minutes("p5") + interruptions.DRAIN_MINUTES
    assert ours >= interruptions.EKS_SCALES_DOWN_MINUTES
