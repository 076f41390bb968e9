"""The security group of a Lustre file system."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import rules
from .rules import ANY_PROTOCOL, Rule

GROUP_DESCRIPTION = "Lustre file system and its clients"
"""Frozen: EC2 cannot edit a group's description, and FSx cannot change the group of a file system, so a change of
wording would replace the file system."""
PORTS = {"988": (988, 988), "1018-1023": (1018, 1023)}
"""Lustre's own. https://docs.aws.amazon.com/fsx/latest/LustreGuide/limit-access-security-groups.html"""


@dataclass(frozen=True, kw_only=True)
class FileSystemGroupArgs:
    """What a `FileSystemGroup` is made from."""

    vpc_id: pulumi.Input[str]
    node_security_group_id: pulumi.Input[str]
    """The group of the nodes that mount it; it gets its half of the rules."""
    efa_security_group_id: pulumi.Input[str] | None = None
    """The group of the EFA interfaces, where the file system is EFA-enabled: then everything passes between the two,
    and FSx refuses to make the file system otherwise."""


class FileSystemGroup(pulumi.ComponentResource):
    """A group for the interfaces of a file system: Lustre's ports between it, the nodes and itself, in both directions.

    Servers talk to each other and call clients back, so neither direction may be left out. The rules are on both sides:
    those of the nodes' group are made here as well.
    """

    security_group_id: pulumi.Output[str]
    """Whoever takes it waits for the rules: FSx looks at them when it makes the file system."""

    def __init__(self, name: str, args: FileSystemGroupArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:FileSystemGroup", name, None, opts)
        args = typed(args, FileSystemGroupArgs)
        child = pulumi.ResourceOptions(parent=self)

        group = aws.ec2.SecurityGroup(
            name, vpc_id=args.vpc_id, description=GROUP_DESCRIPTION, tags={"Name": name}, opts=child
        )
        peers = {"nodes": args.node_security_group_id, "file-system": group.id}
        pairs = [("file-system", "nodes"), ("file-system", "file-system"), ("nodes", "file-system")]
        incoming = {
            f"{here}-from-{there}-{ports}": _lustre(peers[here], peers[there], ports)
            for here, there in pairs
            for ports in PORTS
        }
        outgoing = {
            f"{here}-to-{there}-{ports}": _lustre(peers[here], peers[there], ports)
            for here, there in pairs
            for ports in PORTS
        }
        if args.efa_security_group_id is not None:
            ends = {"efa": args.efa_security_group_id, "file-system": group.id}
            for here, there in (("file-system", "file-system"), ("file-system", "efa"), ("efa", "file-system")):
                rule = Rule(
                    group=ends[here],
                    peer=ends[there],
                    protocol=ANY_PROTOCOL,
                    description="Lustre over EFA, file system and clients",
                )
                incoming[f"{here}-from-{there}-all"] = rule
                outgoing[f"{here}-to-{there}-all"] = rule
        made = [*rules.ingress(name, incoming, child), *rules.egress(name, outgoing, child)]

        self.security_group_id = after(group.id, *made)
        self.register_outputs({"securityGroupId": self.security_group_id})


def _lustre(group: pulumi.Input[str], peer: pulumi.Input[str], ports: str) -> Rule:
    first, last = PORTS[ports]
    return Rule(
        group=group,
        peer=peer,
        port=first,
        last_port=last,
        description="Lustre among servers and clients",
    )
