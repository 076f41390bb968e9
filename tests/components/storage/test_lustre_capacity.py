import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.storage import lustre_capacity

SIZE = st.integers(min_value=-5000, max_value=200_000)
THROUGHPUT = st.sampled_from(lustre_capacity.THROUGHPUTS)


@pytest.mark.parametrize("size", [1200, 2400, 4800, 7200, 240_000])
def test_sizes_come_in_steps_of_2400_above_the_smallest(size: int) -> None:
    lustre_capacity.check(size, 250, efa=False)


@pytest.mark.parametrize(
    ("throughput", "least"), [(125, 38_400), (250, 19_200), (500, 9600), (1000, 4800)], ids=lambda value: str(value)
)
def test_with_efa_the_step_depends_on_the_throughput(throughput: int, least: int) -> None:
    lustre_capacity.check(least, throughput, efa=True)
    lustre_capacity.check(2 * least, throughput, efa=True)
    with pytest.raises(ValueError, match=f"with EFA at {throughput} MB/s .* multiples of {least} GiB: take {least}"):
        lustre_capacity.check(least - 2400, throughput, efa=True)


@pytest.mark.parametrize(("size", "take"), [(1, 1200), (1000, 1200), (1201, 2400), (3600, 4800), (5000, 7200)])
def test_a_size_that_is_not_offered_is_answered_with_the_next_that_is(size: int, take: int) -> None:
    with pytest.raises(ValueError, match=f"size_gib: {size} is not offered; .*: take {take}$"):
        lustre_capacity.check(size, 250, efa=False)


def test_a_throughput_of_another_kind_of_file_system_is_refused() -> None:
    with pytest.raises(ValueError, match="throughput: 200 is not offered; allowed are 125, 250, 500, 1000"):
        lustre_capacity.check(2400, 200, efa=False)


@pytest.mark.parametrize("iops", [1500, 3000, 6000, 12_000, 24_000, 192_000])
def test_metadata_speeds_that_fsx_offers_pass(iops: int) -> None:
    lustre_capacity.check(2400, 250, efa=False, metadata_iops=iops)


@pytest.mark.parametrize("iops", [0, 1000, 9000, 13_000, 204_000])
def test_other_metadata_speeds_are_answered_with_those_there_are(iops: int) -> None:
    with pytest.raises(ValueError, match=f"metadata_iops: {iops} is not offered; allowed are 1500, 3000, 6000"):
        lustre_capacity.check(2400, 250, efa=False, metadata_iops=iops)


@given(size=SIZE, throughput=THROUGHPUT, efa=st.booleans())
def test_what_an_error_says_to_take_is_taken(size: int, throughput: int, efa: bool) -> None:
    try:
        lustre_capacity.check(size, throughput, efa=efa)
    except ValueError as error:
        advised = re.search(r"take (\d+)", str(error))
        assert advised is not None
        assert int(advised[1]) >= size
        lustre_capacity.check(int(advised[1]), throughput, efa=efa)
