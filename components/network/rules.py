"""Security group rules, each a resource of its own: inline rules would undo those that others add to the group."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

ANY_PROTOCOL = "-1"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule of one group, about one peer: a group, a block or a prefix list."""

    group: pulumi.Input[str]
    """The group it stands in."""
    description: str
    protocol: str = "tcp"
    port: int | None = None
    """The port, or the first of a range; None for every protocol."""
    last_port: int | None = None
    """The last of a range."""
    peer: pulumi.Input[str] | None = None
    cidr: str | None = None
    prefix_list: pulumi.Input[str] | None = None


def ingress(name: str, rules: Mapping[str, Rule], child: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """What may come in. Each rule is named `{name}-{key}`; keys say what they admit, so that putting one in between
    leaves the others where they are."""
    return _made(aws.vpc.SecurityGroupIngressRule, name, rules, child)


def egress(name: str, rules: Mapping[str, Rule], child: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """What may go out, as `ingress`. A group without any is closed: the provider takes EC2's open rule away."""
    return _made(aws.vpc.SecurityGroupEgressRule, name, rules, child)


def _made(
    kind: Callable[..., pulumi.Resource], name: str, rules: Mapping[str, Rule], child: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    return [
        kind(
            f"{name}-{key}",
            security_group_id=rule.group,
            ip_protocol=rule.protocol,
            from_port=rule.port,
            to_port=_last(rule),
            referenced_security_group_id=rule.peer,
            cidr_ipv4=rule.cidr,
            prefix_list_id=rule.prefix_list,
            description=rule.description,
            opts=child,
        )
        for key, rule in rules.items()
    ]


def _last(rule: Rule) -> int | None:
    return rule.port if rule.last_port is None else rule.last_port
