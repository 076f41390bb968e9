from fractions import Fraction

import pytest

from gpufleet.lint import quantities


@pytest.mark.parametrize(
    ("given", "number"),
    [
        ("16Gi", 16 * 2**30),
        ("1G", 10**9),
        ("500m", Fraction(1, 2)),
        (8, 8),
        ("1.5Ki", 1536),
        ("1e3", 1000),
        ("much", None),
        ("1Xi", None),
        (None, None),
        (True, None),
    ],
)
def test_a_quantity_is_read_as_kubernetes_reads_it(given: object, number: Fraction | int | None) -> None:
    assert quantities.parse(given) == number


def test_what_is_counted_in_pieces_is_a_whole_number_and_what_is_none_is_0() -> None:
    assert (quantities.count("8"), quantities.count("x"), quantities.count(None)) == (8, 0, 0)
