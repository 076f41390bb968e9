"""The security group of EFA interfaces."""

from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..ordering import after
from . import rules
from .rules import ANY_PROTOCOL, Rule

GROUP_DESCRIPTION = "EFA traffic among nodes"
"""Frozen: EC2 cannot edit a group's description, so a change of wording would replace the group."""


@dataclass(frozen=True, kw_only=True)
class EfaGroupArgs:
    """What an `EfaGroup` is made from."""

    vpc_id: pulumi.Input[str]


class EfaGroup(pulumi.ComponentResource):
    """A group whose members may say anything to each other, and nothing to anybody else.

    EFA passes by the operating system, and works only where both directions name the group itself: an open rule to
    addresses does not do. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html#efa-start-security
    Deliberately not: a tag of the cluster, which exactly one group of a node may have; it goes beside the nodes' group
    on every interface of an EFA node.
    """

    security_group_id: pulumi.Output[str]
    """Whoever takes it waits for its rules."""

    def __init__(self, name: str, args: EfaGroupArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:EfaGroup", name, None, opts)
        args = typed(args, EfaGroupArgs)
        child = pulumi.ResourceOptions(parent=self)

        group = aws.ec2.SecurityGroup(
            name, vpc_id=args.vpc_id, description=GROUP_DESCRIPTION, tags={"Name": name}, opts=child
        )
        among_themselves = Rule(
            group=group.id, peer=group.id, protocol=ANY_PROTOCOL, description="EFA interfaces among themselves"
        )
        made = [
            *rules.ingress(name, {"from-self-all": among_themselves}, child),
            *rules.egress(name, {"to-self-all": among_themselves}, child),
        ]

        self.security_group_id = after(group.id, *made)
        self.register_outputs({"securityGroupId": self.security_group_id})
