"""The tables themselves: complete, about inputs that exist, and in step with the settings they speak of."""

import importlib
import inspect
import json
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from components.storage.encrypted_bucket import EncryptedBucket, EncryptedBucketArgs
from gpufleet.check.compare.strengths import ANY, Strength, load
from stacks.settings import Settings
from tests.harness import record

TABLES = load()
PROPERTIES = [strength for found in TABLES.properties.values() for strength in found]
OURS = [strength for strength in PROPERTIES if strength.type.startswith("aws:")]


def sdk_class(token: str) -> type:
    """The SDK's class of a type token."""
    _, module, name = token.split(":")
    folder = module.split("/")[0]
    return getattr(importlib.import_module(f"pulumi_aws.{'lambda_' if folder == 'lambda' else folder}"), name)


def wire_names(token: str) -> set[str]:
    """The inputs of a type, as they travel."""
    constructor: Any = vars(sdk_class(token))["_internal_init"]
    return {camel(name) for name in inspect.signature(constructor).parameters}


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def test_there_are_many_and_each_says_why():
    assert len(PROPERTIES) + len(TABLES.companions) + len(TABLES.kinds) + len(TABLES.spreads) > 140
    assert [s.path for s in (*PROPERTIES, *TABLES.settings) if len(s.why) < 15] == []
    assert {s.severity for s in (*PROPERTIES, *TABLES.settings)} == {"critical", "high", "medium", "low"}


def test_nothing_is_listed_twice():
    keys = [(s.type, s.path) for s in PROPERTIES]
    assert sorted(set(keys)) == sorted(keys)


@pytest.mark.parametrize("strength", OURS, ids=lambda s: f"{s.type} {s.path}")
def test_an_input_exists_in_the_sdk(strength: Strength):
    assert strength.path.partition(".")[0].removesuffix("[]") in wire_names(strength.type)


def test_the_other_tables_speak_of_types_and_inputs_that_exist():
    for companion in TABLES.companions:
        assert companion.by in wire_names(companion.companion)
        assert sdk_class(companion.of)
    for kind in TABLES.kinds:
        assert kind.better in ("there", "absent")
        assert not kind.kind.startswith("aws:") or sdk_class(kind.kind)
    for spread in TABLES.spreads:
        assert spread.distinct in wire_names(spread.type)


def test_what_is_the_options_of_any_resource_is_compared_with_its_like_alone():
    assert [s.paired for s in TABLES.properties[ANY]] == [True, True]


@pytest.mark.parametrize("strength", TABLES.settings, ids=lambda s: s.path)
def test_a_setting_exists_and_its_default_is_the_models(strength: Strength):
    steps = strength.path.split(".")
    fields = list(walk(Settings, steps))
    last = fields[-1]
    assert last is not None, f"{strength.path}: no such setting"
    if last.is_required() or strength.absent_by_key or strength.order.name == "more" and strength.absent is None:
        return  # what is not said is not compared; by key, see below
    default: Any = last.get_default(call_default_factory=True)
    assert json.loads(json.dumps(default)) == strength.absent


def test_a_buckets_usual_protection_is_the_components():
    [strength] = [s for s in TABLES.settings if s.absent_by_key]

    def build() -> None:
        for purpose in strength.absent:
            EncryptedBucket(purpose, EncryptedBucketArgs(purpose=purpose, key_arn="arn:aws:kms:x", partition="aws"))

    made = {bucket.name: bucket.protect for bucket in record(build).all("aws:s3/bucket:Bucket")}
    assert made == {purpose: usual == "protect" for purpose, usual in strength.absent.items()}


def walk(model: Any, steps: list[str]) -> Iterator[Any]:
    """The field at each step of a path through the settings' models; None where there is none."""
    for step in steps:
        model = bare(model)
        if step == "*":
            model = [argument for argument in get_args(model) if argument is not Ellipsis][-1]
            continue
        found = model.model_fields.get(step) if isinstance(model, type) and issubclass(model, BaseModel) else None
        yield found
        model = found.annotation if found is not None else None


def bare(annotation: Any) -> Any:
    """The type without None and annotations around it."""
    if get_origin(annotation) is Annotated:
        return bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return bare(next(argument for argument in get_args(annotation) if argument is not NoneType))
    return annotation
