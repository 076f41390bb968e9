from dataclasses import dataclass

import pytest

from components.arguments import typed


@dataclass(frozen=True, kw_only=True)
class Args:
    nodes: int
    usd: float = 1.0
    keep_days: int | None = None


def test_args_pass_through_untouched() -> None:
    args = Args(nodes=1)

    assert typed(args, Args) is args


def test_whole_numbers_sent_as_floats_come_back_whole() -> None:
    args = typed({"nodes": 3.0, "usd": 2.5, "keep_days": 7.0}, Args)

    assert args == Args(nodes=3, usd=2.5, keep_days=7)
    assert isinstance(args.nodes, int)
    assert isinstance(args.keep_days, int)


def test_a_field_that_is_not_known_is_refused() -> None:
    with pytest.raises(TypeError, match="nodez"):
        typed({"nodez": 1}, Args)


def test_what_is_neither_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="expected Args or a mapping with its fields, got str"):
        typed("nodes", Args)
