"""What must hold for any model and any layout."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from gpufleet.sizing import shapes
from gpufleet.sizing.job import OFFLOAD, RECOMPUTE, SHARDING, TASKS, Job
from gpufleet.sizing.layout import Layout
from gpufleet.sizing.memory import Estimator
from gpufleet.sizing.model import Experts, Model
from gpufleet.sizing.shapes import Shape

SLACK = 1 + 1e-9
POWERS = st.sampled_from([1, 2, 4, 8])


@st.composite
def models(draw: st.DrawFn) -> Model:
    kv_heads = draw(POWERS)
    heads = kv_heads * draw(POWERS)
    head_dim = draw(st.sampled_from([32, 64, 128]))
    experts = draw(
        st.none() | st.builds(Experts, count=st.sampled_from([8, 64]), active=POWERS, width=st.integers(64, 4096))
    )
    return Model(
        name="any",
        source="test",
        layers=draw(st.integers(1, 96)),
        hidden=heads * head_dim,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        vocabulary=draw(st.integers(1000, 260_000)),
        feed_forward=draw(st.integers(128, 50_000)),
        gated=draw(st.booleans()),
        tied=draw(st.booleans()),
        experts=experts,
    )  # fmt: skip


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    task = draw(st.sampled_from(TASKS))
    return Job(
        task=task,
        precision=draw(st.sampled_from(["fp32", "bf16"] if task != "inference" else ["fp32", "bf16", "fp8", "int4"])),
        sequence=draw(st.integers(16, 32_768)),
        batch=draw(st.integers(1, 8)),
        global_batch=draw(st.none() | st.integers(64, 4096)),
        full_gradients=draw(st.booleans()),
        flash=draw(st.booleans()),
        offload=draw(st.sampled_from(OFFLOAD)) if task != "inference" else "none",
        concurrency=draw(st.integers(1, 256)),
        context=draw(st.integers(16, 131_072)),
    )


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    data = draw(POWERS)
    sharding = draw(st.sampled_from(SHARDING))
    recompute = draw(st.sampled_from(RECOMPUTE))
    return Layout(draw(POWERS), draw(st.sampled_from([1, 2, 4])), data, 1, sharding, data, recompute)


def total(model: Model, job: Job, layout: Layout) -> float:
    return Estimator(model, job).memory(layout).total


@given(models(), jobs(), layouts(), st.integers(1, 10_000_000_000))
def test_more_parameters_never_need_less_memory(model: Model, job: Job, layout: Layout, more: int):
    larger = replace(model, other_parameters=model.other_parameters + more)
    assert total(model, job, layout) <= total(larger, job, layout) * SLACK


@given(models(), jobs(), layouts(), st.sampled_from(["layers", "feed_forward", "vocabulary"]), st.integers(1, 64))
def test_a_larger_shape_never_needs_less_memory(model: Model, job: Job, layout: Layout, name: str, more: int):
    larger = replace(model, **{name: getattr(model, name) + more})
    assert total(model, job, layout) <= total(larger, job, layout) * SLACK


@given(st.integers(1_000_000, 10**12), st.integers(1, 10**11), jobs())
def test_a_model_known_by_its_size_alone_never_needs_less_when_it_is_larger(parameters: int, more: int, job: Job):
    small, large = (shapes.model(Shape(params=str(count))) for count in (parameters, parameters + more))
    assert total(small, job, Layout()) <= total(large, job, Layout()) * SLACK


@given(models(), jobs(), layouts(), st.integers(1, 100_000))
def test_longer_sequences_never_need_less_memory(model: Model, job: Job, layout: Layout, more: int):
    longer = replace(job, sequence=job.sequence + more, context=job.context + more)
    assert total(model, job, layout) <= total(model, longer, layout) * SLACK


@given(models(), jobs(), layouts())
def test_more_ranks_of_zero_never_need_more_memory(model: Model, job: Job, layout: Layout):
    more = replace(layout, data=layout.data * 2, shards=layout.shards * 2)
    assert total(model, job, more) <= total(model, job, layout) * SLACK


@given(models(), jobs(), layouts())
def test_higher_stages_of_zero_never_keep_more_of_the_optimizer(model: Model, job: Job, layout: Layout):
    kept = [
        Estimator(model, job).memory(replace(layout, sharding=stage)).optimizer
        for stage in ("none", "zero1", "zero2", "zero3")
    ]
    assert kept == sorted(kept, reverse=True)


@given(models(), jobs(), layouts())
def test_recomputing_more_never_keeps_more(model: Model, job: Job, layout: Layout):
    kept = [total(model, job, replace(layout, recompute=recompute)) for recompute in ("full", "selective", "none")]
    assert kept[0] <= kept[1] * SLACK
    assert kept[1] <= kept[2] * SLACK


@given(models(), jobs(), layouts())
def test_more_users_and_larger_batches_never_need_less_memory(model: Model, job: Job, layout: Layout):
    more = replace(job, concurrency=job.concurrency * 2, batch=job.batch * 2, global_batch=None)
    assert total(model, replace(job, global_batch=None), layout) <= total(model, more, layout) * SLACK


@settings(max_examples=50)
@given(models(), jobs(), layouts())
def test_no_part_is_negative(model: Model, job: Job, layout: Layout):
    memory = Estimator(model, job).memory(layout)
    parts = (memory.weights, memory.gradients, memory.optimizer, memory.gathered, memory.activations, memory.host)
    assert min(*parts, memory.kept_wide, memory.cache) >= 0
