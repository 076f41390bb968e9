"""Models that are known by their size, or by a few numbers."""

import pytest

from gpufleet.errors import UsageError
from gpufleet.sizing import shapes
from gpufleet.sizing.layout import tensor_fits
from gpufleet.sizing.shapes import Shape


def refusal(shape: Shape) -> str:
    with pytest.raises(UsageError) as refused:
        shapes.model(shape)
    return str(refused.value)


@pytest.mark.parametrize("params", ["1M", "125M", "1B", "7B", "70B", "405B", "1T"])
def test_a_model_of_a_size_has_exactly_that_many_parameters(params: str):
    from gpufleet.sizing import quantities

    assert shapes.model(Shape(params=params)).parameters == quantities.count(params, "")


def test_a_guessed_shape_is_said_and_near_that_of_real_models():
    found = shapes.model(Shape(params="70B"))
    assert 60 <= found.layers <= 85
    assert 8192 <= found.hidden <= 9216
    assert found.assumed[0].startswith("shape: ")
    assert all(tensor_fits(found, n) for n in (1, 2, 4, 8))


def test_a_whole_shape_is_taken_as_it_is():
    shape = Shape(layers=32, hidden=4096, heads=32, kv_heads=8, feed_forward=14336, vocabulary=128256)
    found = shapes.model(shape)
    assert found.parameters == 8_030_261_248
    assert found.assumed == ()


def test_what_is_missing_of_a_shape_is_assumed_and_said():
    found = shapes.model(Shape(layers=32, hidden=4096))
    assert found.assumed == ("not given and assumed: --heads 32, --kv-heads 32, --ffn 14336, --vocab 128000",)


def test_experts_can_be_given_by_hand():
    found = shapes.model(
        Shape(layers=32, hidden=4096, heads=32, kv_heads=8, feed_forward=14336, vocabulary=32000, experts=8)
    )
    assert found.parameters == 46_702_792_704
    assert found.assumed == ("not given and assumed: --active-experts 2",)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Shape(), "--model: which model?"),
        (Shape(layers=32), "--hidden: missing"),
        (Shape(hidden=4096), "--layers: missing"),
        (Shape(params="7B", heads=32), "--params with a part of a shape"),
        (Shape(layers=0, hidden=4096), "--layers 0: must be 1 or more"),
        (Shape(layers=32, hidden=4096, heads=30), "--heads 30: does not divide --hidden 4096"),
        (Shape(layers=32, hidden=4096, heads=32, kv_heads=5), "--kv-heads 5: does not divide --heads 32"),
        (Shape(layers=32, hidden=4096, params="70B"), "--params 70B: the shape has"),
        (Shape(layers=2, hidden=256, experts=4, active_experts=8), "--active-experts 8: more than --experts 4"),
    ],
)
def test_a_shape_that_makes_no_sense_is_refused(shape: Shape, text: str):
    assert refusal(shape).startswith(text)
