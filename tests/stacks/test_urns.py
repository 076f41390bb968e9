"""Whatever was once made keeps its name: a URN of the golden list is a resource's own, or an alias leads to it.

A refactoring that forgets its aliases destroys and makes anew, data included. What is removed on purpose shows as lines
that `make golden` takes out of the list.
"""

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.diff.renames import old_names
from gpufleet.diff.sides import Node, Side
from gpufleet.plan import planning
from gpufleet.plan.graph import Run
from tests import golden
from tests.harness import record
from tests.stacks.test_stacks import STACKS, loaded

OLD = (
    "urn:pulumi:stack::project::lib:old:Fleet::fleet",
    "urn:pulumi:stack::project::lib:old:Fleet$aws:s3/bucket:Bucket::fleet-data",
)


def side(run: Run, urns: tuple[str, ...] = ()) -> Side:
    """A run, or no more than the URNs of one."""
    names = urns or tuple(resource.urn for resource in run.resources)
    found = run.by_urn()
    nodes = {urn: node(urn, run) if urn in found else _bare(urn) for urn in names}
    return Side(label="", stack=run.stack, project=run.project, nodes=nodes, violations=(), cost={})


def node(urn: str, run: Run) -> Node:
    found = run.by_urn()[urn]
    return Node(
        urn=urn,
        type=found.type,
        name=found.name,
        parent=found.parent or "",
        provider=found.provider,
        custom=found.custom,
        protect=found.protect,
        dependencies=(),
        property_dependencies={},
        inputs={},
        unknown=(),
        id="",
        outputs={},
        options=found.options,
    )


def _bare(urn: str) -> Node:
    return Node(
        urn=urn,
        type="",
        name="",
        parent="",
        provider="",
        custom=True,
        protect=False,
        dependencies=(),
        property_dependencies={},
        inputs={},
        unknown=(),
        id="",
        outputs={},
    )


def reachable(before: tuple[str, ...], run: Run) -> set[str]:
    """The URNs that the program has, and those of `before` that it reaches by an alias."""
    after = side(run)
    reached = list(old_names(side(run, before), after).values()) if before else []
    assert len(reached) == len(set(reached)), "an alias leads two resources to the same old one"
    return {*after.nodes, *reached}


@pytest.mark.parametrize("stack", STACKS)
def test_every_urn_that_there_was_is_there_or_an_alias_leads_to_it(stack: str):
    name = f"urns/{stack}.txt"
    file = golden.FOLDER / name
    before = tuple(file.read_text().splitlines()) if file.is_file() else ()
    found = reachable(before, planning.run(loaded(stack), preview=False))
    golden.check(name, "".join(f"{urn}\n" for urn in sorted(found)))


def fleet(type_: str, name: str, child: str, *aliases: pulumi.Input[pulumi.Alias | str], deeper: bool = False) -> None:
    """A component with a bucket, which may be one component further down."""
    parent = pulumi.ComponentResource(type_, name, None, pulumi.ResourceOptions(aliases=list(aliases)))
    if deeper:
        below = pulumi.ResourceOptions(parent=parent)
        inner = pulumi.ComponentResource("lib:new:Storage", f"{name}-storage", None, below)
        above = pulumi.Alias(parent=OLD[0])
        aws.s3.Bucket(child, opts=pulumi.ResourceOptions(parent=inner, aliases=[above]))
    else:
        aws.s3.Bucket(child, opts=pulumi.ResourceOptions(parent=parent))


def test_another_type_of_the_component_is_reached_by_its_alias_and_without_one_is_lost():
    kept = record(lambda: fleet("lib:new:Fleet", "fleet", "fleet-data", pulumi.Alias(type_="lib:old:Fleet"))).run
    assert set(OLD) <= reachable(OLD, kept)
    lost = record(lambda: fleet("lib:new:Fleet", "fleet", "fleet-data")).run
    assert set(OLD).isdisjoint(reachable(OLD, lost))


def test_another_name_of_the_component_takes_along_the_children_that_are_named_after_it():
    alias = pulumi.Alias(type_="lib:old:Fleet", name="fleet")
    kept = record(lambda: fleet("lib:new:Fleet", "gpus", "gpus-data", alias)).run
    assert set(OLD) <= reachable(OLD, kept)
    lost = record(lambda: fleet("lib:new:Fleet", "gpus", "other-data", alias)).run
    assert OLD[1] not in reachable(OLD, lost)


def test_a_move_below_another_component_is_reached_where_the_old_parent_is_stated():
    kept = record(lambda: fleet("lib:old:Fleet", "fleet", "fleet-data", deeper=True)).run
    assert set(OLD) <= reachable(OLD, kept)
