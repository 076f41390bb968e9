"""Security groups, with rules inside them, and a VPC's default group, which is taken over and never deleted."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.diff import normal
from gpufleet.rehearsal.aws.table import FIXED, PLAIN, SET, AutoName, AwsType, Input, Properties
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

_AUTHORIZE = {"ingress": "AuthorizeSecurityGroupIngress", "egress": "AuthorizeSecurityGroupEgress"}
_REVOKE = {"ingress": "RevokeSecurityGroupIngress", "egress": "RevokeSecurityGroupEgress"}
_HELD = {"ingress": "IpPermissions", "egress": "IpPermissionsEgress"}


def permission(group_id: str, rule: Properties) -> dict[str, Any]:
    """Return EC2's IpPermission of a rule as it stands inside a group (protocol, ports, cidrBlocks, securityGroups,
    self, ...)."""
    told = {"Description": rule.get("description") or None}
    groups = [*cast(Sequence[str], rule.get("securityGroups") or ()), *([group_id] if rule.get("self") else [])]
    sources: dict[str, Any] = {
        "IpRanges": [{"CidrIp": cidr, **told} for cidr in rule.get("cidrBlocks") or ()],
        "Ipv6Ranges": [{"CidrIpv6": cidr, **told} for cidr in rule.get("ipv6CidrBlocks") or ()],
        "PrefixListIds": [{"PrefixListId": prefix, **told} for prefix in rule.get("prefixListIds") or ()],
        "UserIdGroupPairs": [{"GroupId": group, **told} for group in groups],
    }
    every = str(rule["protocol"]) in ("-1", "all")
    ports = {} if every else {"FromPort": rule.get("fromPort"), "ToPort": rule.get("toPort")}
    return {
        "IpProtocol": "-1" if every else rule["protocol"],
        **ports,
        **{key: value for key, value in sources.items() if value},
    }


def _authorize(aws: Aws, group_id: str, direction: str, rules: Iterable[Properties]) -> None:
    permissions = [permission(group_id, rule) for rule in rules]
    if permissions:
        aws.call("ec2", _AUTHORIZE[direction], {"GroupId": group_id, "IpPermissions": permissions})


def _revoke_all(aws: Aws, group_id: str, direction: str) -> None:
    group = aws.call("ec2", "DescribeSecurityGroups", {"GroupIds": [group_id]})["SecurityGroups"][0]
    held = [{key: value for key, value in rule.items() if value != []} for rule in group[_HELD[direction]]]
    if held:
        aws.call("ec2", _REVOKE[direction], {"GroupId": group_id, "IpPermissions": held})


def _replace_rules(aws: Aws, group_id: str, old: Properties, new: Properties) -> None:
    """Make the rules of a direction those of the new inputs; a direction that is in neither is left to rule
    resources."""
    for direction in ("ingress", "egress"):
        if normal(old.get(direction), SET) != normal(new.get(direction), SET):
            _revoke_all(aws, group_id, direction)
            _authorize(aws, group_id, direction, new.get(direction) or ())


def _create(aws: Aws, inputs: Properties) -> str:
    named = {"GroupName": inputs["name"], "Description": inputs["description"], "VpcId": inputs.get("vpcId")}
    tags = {"TagSpecifications": aws.tag_specifications("security-group", inputs)}
    group_id = str(aws.call("ec2", "CreateSecurityGroup", {**named, **tags})["GroupId"])
    # EC2 lets everything out of a new group; the real provider takes that rule away, so that what is declared is all
    # there is.
    _revoke_all(aws, group_id, "egress")
    _replace_rules(aws, group_id, {}, inputs)
    return group_id


def _read(aws: Aws, group_id: str, state: Properties) -> Properties | None:
    group = aws.first(
        "ec2", "DescribeSecurityGroups", {"GroupIds": [group_id]}, "SecurityGroups", "InvalidGroup.NotFound"
    )
    if group is None:
        return None
    return {
        "arn": group.get("SecurityGroupArn") or aws.arn("ec2", f"security-group/{group_id}"),
        "description": group["Description"],
        "name": group["GroupName"],
        "ownerId": group["OwnerId"],
        "vpcId": group.get("VpcId"),
        "tagsAll": mapped(group.get("Tags", [])),
    }


def _update(aws: Aws, group_id: str, old: Properties, new: Properties) -> None:
    _replace_rules(aws, group_id, old, new)
    retag_ec2(aws, group_id, old, new)


def _delete(aws: Aws, group_id: str, state: Properties) -> None:
    if state.get("revokeRulesOnDelete") and _read(aws, group_id, state):
        _revoke_all(aws, group_id, "ingress")
        _revoke_all(aws, group_id, "egress")
    aws.drop("ec2", "DeleteSecurityGroup", {"GroupId": group_id}, "InvalidGroup.NotFound")


def _adopt(aws: Aws, inputs: Properties) -> str:
    filters = [{"Name": "group-name", "Values": ["default"]}, {"Name": "vpc-id", "Values": [inputs["vpcId"]]}]
    group_id = str(aws.call("ec2", "DescribeSecurityGroups", {"Filters": filters})["SecurityGroups"][0]["GroupId"])
    for direction in ("ingress", "egress"):
        _revoke_all(aws, group_id, direction)
        _authorize(aws, group_id, direction, inputs.get(direction) or ())
    retag_ec2(aws, group_id, {}, inputs)
    return group_id


def _leave(aws: Aws, group_id: str, state: Properties) -> None:
    """Leave the default group as it is: it goes with its VPC."""


TYPES = (
    AwsType(
        name="aws:ec2/securityGroup:SecurityGroup",
        inputs={
            "description": Input(replaces=True, default="Managed by Pulumi"),
            "egress": SET,
            "ingress": SET,
            "name": FIXED,
            "namePrefix": FIXED,
            "revokeRulesOnDelete": Input(default=False),
            "tags": PLAIN,
            "vpcId": FIXED,
        },
        outputs=("arn", "ownerId", "vpcId"),
        autoname=AutoName(),
        create=_create,
        read=_read,
        update=_update,
        delete=_delete,
    ),
    AwsType(
        name="aws:ec2/defaultSecurityGroup:DefaultSecurityGroup",
        inputs={
            "egress": SET,
            "ingress": SET,
            "revokeRulesOnDelete": Input(default=False),
            "tags": PLAIN,
            "vpcId": FIXED,
        },
        outputs=("arn", "description", "name", "ownerId"),
        create=_adopt,
        read=_read,
        update=_update,
        delete=_leave,
    ),
)
