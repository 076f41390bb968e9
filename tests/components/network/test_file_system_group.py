from typing import Any

import pulumi_aws as aws

from components.network.file_system_group import FileSystemGroup, FileSystemGroupArgs
from tests.harness import Recorded, record

GROUP = "aws:ec2/securityGroup:SecurityGroup"
IN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
OUT = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"


def build(**changes: Any) -> FileSystemGroup:
    args = {"vpc_id": "vpc-one", "node_security_group_id": "sg-nodes"} | changes
    return FileSystemGroup("fs", FileSystemGroupArgs(**args))


def rules(recorded: Recorded, type_: str) -> set[tuple[str, str, str, int | None, int | None]]:
    """(group it stands in, peer, protocol, first port, last port)."""
    names = {recorded.one(GROUP).id: "fs", "sg-nodes": "nodes", "sg-efa": "efa"}
    assert all(rule.inputs["description"] for rule in recorded.all(type_))
    return {
        (
            names[rule.inputs["securityGroupId"]],
            names[rule.inputs["referencedSecurityGroupId"]],
            rule.inputs["ipProtocol"],
            rule.inputs.get("fromPort"),
            rule.inputs.get("toPort"),
        )
        for rule in recorded.all(type_)
    }


LUSTRE = {
    (here, there, "tcp", first, last)
    for here, there in (("fs", "nodes"), ("fs", "fs"), ("nodes", "fs"))
    for first, last in ((988, 988), (1018, 1023))
}
EVERYTHING = {(here, there, "-1", None, None) for here, there in (("fs", "fs"), ("fs", "efa"), ("efa", "fs"))}


def test_lustres_ports_pass_between_the_file_system_the_nodes_and_itself_in_both_directions() -> None:
    recorded = record(build)

    assert rules(recorded, IN) == LUSTRE
    assert rules(recorded, OUT) == LUSTRE


def test_with_efa_everything_passes_between_it_and_the_efa_group_as_well() -> None:
    recorded = record(lambda: build(efa_security_group_id="sg-efa"))

    assert rules(recorded, IN) == LUSTRE | EVERYTHING
    assert rules(recorded, OUT) == LUSTRE | EVERYTHING


def test_efa_adds_rules_and_moves_none() -> None:
    plain, with_efa = record(build), record(lambda: build(efa_security_group_id="sg-efa"))

    assert {r.urn: r.inputs for r in plain.resources if r.custom}.items() <= {
        r.urn: r.inputs for r in with_efa.resources
    }.items()


def test_rules_are_named_for_what_they_admit() -> None:
    assert {rule.name for rule in record(build).all(IN)} == {
        f"fs-{pair}-{ports}"
        for pair in ("file-system-from-nodes", "file-system-from-file-system", "nodes-from-file-system")
        for ports in ("988", "1018-1023")
    }


def test_its_description_is_frozen_and_no_cluster_is_tagged() -> None:
    assert record(build).one(GROUP).inputs == {
        "vpcId": "vpc-one",
        "description": "Lustre file system and its clients",
        "tags": {"Name": "fs"},
    }


def test_a_file_system_waits_for_the_rules_and_not_only_for_the_group() -> None:
    def user() -> None:
        aws.fsx.LustreFileSystem("user", subnet_ids="subnet-a", security_group_ids=[build().security_group_id])

    recorded = record(user)

    made = {rule.urn for type_ in (IN, OUT) for rule in recorded.all(type_)}
    assert made < set(recorded.one("aws:fsx/lustreFileSystem:LustreFileSystem").dependencies)


def test_a_preview_registers_what_the_update_registers() -> None:
    assert [r.urn for r in record(build, preview=True).resources] == [r.urn for r in record(build).resources]
