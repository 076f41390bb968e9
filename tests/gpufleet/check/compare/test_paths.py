"""Values by their paths."""

import json
from typing import Any

import pytest

from gpufleet.check.compare import paths

POOLS = {"pools": [{"name": "train", "max": 4}, {"name": "serve"}, {"max": 2}]}


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        ({"a": {"b": 1}}, "a.b", [(("a", "b"), 1)]),
        ({"a": None}, "a.b", [(("a", "b"), None)]),
        ({}, "a", [(("a",), None)]),
        ({"a": [{"b": 1}]}, "a.b", [(("a", "b"), 1)]),
        ({"a": [{"b": 1}, {"b": 2}]}, "a.b", [(("a", "b"), None)]),
        ({"a": [{"b": 1}, {"c": 2}]}, "a[].b", [(("a[0]", "b"), 1), (("a[1]", "b"), None)]),
        ({"a": {"b": 1}}, "a[].b", [(("a[0]", "b"), 1)]),
        ({}, "a[].b", []),
        ({"a": json.dumps({"b": 1})}, "a.b", [(("a", "b"), 1)]),
        ({"a": "{not json"}, "a.b", [(("a", "b"), None)]),
        ({"l": {"x.y/z": 1}}, r"l.x\.y/z", [(("l", "x.y/z"), 1)]),
        ({"r": {"one": {"v": 1}, "two": {}}}, "r.*.v", [(("r", "one", "v"), 1), (("r", "two", "v"), None)]),
        (
            POOLS,
            "pools.*.max",
            [(("pools", "train", "max"), 4), (("pools", "serve", "max"), None), (("pools", "2", "max"), 2)],
        ),
        ({"r": 7}, "r.*.v", []),
    ],
)
def test_what_lies_at_a_path_comes_with_the_keys_that_lead_there(value: Any, path: str, found: list[paths.Found]):
    assert list(paths.find(value, path)) == found
