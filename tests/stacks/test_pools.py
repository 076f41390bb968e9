"""Pools beside each other: one more changes nothing else, and all of them stand on the same groups and subnets."""

import functools
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from gpufleet.plan import planning, project
from gpufleet.plan.graph import Resource

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).parent / "pools.yaml"
POOLS: Sequence[Mapping[str, Any]] = yaml.safe_load(FILE.read_text())["regions"]["us-east-1"]["pools"]
NAMES = [pool["name"] for pool in POOLS]
"""A pool of every kind: each way of buying, both scalers, EFA, images, sharing, Trainium."""
COMPONENTS = ("gpufleet:index:GpuPool", "gpufleet:index:KarpenterPool")


def built(pools: Sequence[Mapping[str, Any]]) -> Mapping[str, Resource]:
    """Every resource of a stack with these pools, by URN."""
    settings = yaml.safe_load(FILE.read_text())
    settings["regions"]["us-east-1"]["pools"] = list(pools)
    loaded = replace(project.load(ROOT, settings_file=FILE), config={"gpufleet:settings": json.dumps(settings)})
    return planning.run(loaded, preview=False).by_urn()


@functools.cache
def registered(*names: str) -> Mapping[str, Resource]:
    return built([pool for pool in POOLS if pool["name"] in names])


def of_pool(name: str, resources: Mapping[str, Resource]) -> set[str]:
    """The URNs of the pool's component and of all that is below it."""
    (component,) = [r for r in resources.values() if r.type in COMPONENTS and r.name == f"us-east-1-pool-{name}"]
    below = {component.urn}
    while more := {r.urn for r in resources.values() if r.parent in below} - below:
        below |= more
    return below


def shared(resources: Mapping[str, Resource], names: Sequence[str]) -> dict[str, Resource]:
    """What belongs to no pool."""
    own = {urn for name in names for urn in of_pool(name, resources)}
    return {urn: resource for urn, resource in resources.items() if urn not in own}


def firsts(urns: Iterable[str]) -> list[str]:
    """Of new resources those that are no device plugin: the first pool of a kind brings the plugin of its devices."""
    return sorted(urn for urn in urns if "gpufleet:index:DevicePlugins$kubernetes:helm.sh/v3:Release::" not in urn)


@pytest.mark.parametrize("added", NAMES)
def test_one_more_pool_changes_no_other_resource(added: str):
    others = [name for name in NAMES if name != added]
    before, after = registered(*others), registered(*NAMES)
    own = of_pool(added, after)
    assert own
    assert own.isdisjoint(before)
    assert firsts(after.keys() - before.keys() - own) == []
    # One thing in a cluster offers its GPUs: with the first pool that is cut by MIG that is the GPU operator.
    gone = {urn.rsplit("::", 1)[1] for urn in before.keys() - after.keys()}
    assert gone == ({"us-east-1-devices-nvidia-device-plugin"} if added == "cut" else set())
    changed = [urn for urn in before if urn in after and before[urn].custom and before[urn] != after[urn]]
    assert changed == []


def test_two_pools_stand_on_the_same_shared_resources_whatever_their_kinds():
    """What two pools have in common is there once, and the same as with either alone."""
    together = registered(*NAMES)
    for one, other in itertools.combinations(("group-efa", "elastic-efa", "elastic-spot", "floor", "trainium"), 2):
        alone, both = registered(one), registered(one, other)
        common = shared(alone, [one]).keys() & shared(both, [one, other]).keys()
        assert {urn for urn in common if alone[urn].custom and alone[urn].inputs != both[urn].inputs} == set()
        for name in (one, other):
            assert {urn: both[urn].inputs for urn in of_pool(name, both)} == {
                urn: together[urn].inputs for urn in of_pool(name, together)
            }


def test_pools_agree_about_the_node_group_the_efa_group_and_their_zones_subnets():
    resources = registered(*NAMES)
    subnets = {
        r.inputs["availabilityZone"]: str(r.id)
        for r in resources.values()
        if r.type == "aws:ec2/subnet:Subnet" and "-private-" in r.name
    }
    groups: dict[bool, set[tuple[str, ...]]] = {True: set(), False: set()}
    for name in NAMES:
        component = next(r for r in resources.values() if r.type in COMPONENTS and r.name == f"us-east-1-pool-{name}")
        design = component.outputs["design"]
        for resource in (resources[urn] for urn in of_pool(name, resources)):
            if resource.type == "aws:eks/nodeGroup:NodeGroup":
                assert sorted(resource.inputs["subnetIds"]) == sorted(subnets[zone] for zone in design["zones"])
            if resource.type == "aws:ec2/launchTemplate:LaunchTemplate":
                given = resource.inputs
                lists = [given["vpcSecurityGroupIds"]] if "vpcSecurityGroupIds" in given else []
                lists += [interface["securityGroups"] for interface in given.get("networkInterfaces", ())]
                assert lists
                groups[design["efa"]] |= {tuple(sorted(found)) for found in lists}
            if resource.type == "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass":
                spec = resource.inputs["spec"]
                groups[design["efa"]].add(tuple(sorted(term["id"] for term in spec["securityGroupSelectorTerms"])))
                ids = sorted(term["id"] for term in spec["subnetSelectorTerms"])
                assert ids == sorted(subnets[zone] for zone in design["zones"])
    (plain,), (fast,) = groups[False], groups[True]
    assert set(plain) < set(fast)
    assert len(fast) == len(plain) + 1


def test_the_order_of_the_pools_is_of_no_matter():
    assert built(list(reversed(POOLS))) == registered(*NAMES)
