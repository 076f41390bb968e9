"""Rules of security groups as resources of their own: one source each (aws.vpc), and the older form with lists
(aws.ec2)."""

from hashlib import sha256
from typing import Any, Literal

from gpufleet.rehearsal.aws.calls import Aws
from gpufleet.rehearsal.aws.ec2_security_groups import permission
from gpufleet.rehearsal.aws.table import FIXED, FIXED_SET, PLAIN, AwsType, Input, Properties
from gpufleet.rehearsal.aws.tags import mapped, retag_ec2

Direction = Literal["Ingress", "Egress"]

_GONE = ("InvalidSecurityGroupRuleId.NotFound", "InvalidGroup.NotFound", "InvalidPermission.NotFound")


def _permission(inputs: Properties) -> dict[str, Any]:
    lists = {
        "cidrBlocks": [inputs["cidrIpv4"]] if inputs.get("cidrIpv4") else [],
        "ipv6CidrBlocks": [inputs["cidrIpv6"]] if inputs.get("cidrIpv6") else [],
        "prefixListIds": [inputs["prefixListId"]] if inputs.get("prefixListId") else [],
        "securityGroups": [inputs["referencedSecurityGroupId"]] if inputs.get("referencedSecurityGroupId") else [],
    }
    return permission(inputs["securityGroupId"], {**inputs, **lists, "protocol": inputs["ipProtocol"]})


def _creating(direction: Direction) -> Any:
    def create(aws: Aws, inputs: Properties) -> str:
        tags = {"TagSpecifications": aws.tag_specifications("security-group-rule", inputs)}
        rule = {"GroupId": inputs["securityGroupId"], "IpPermissions": [_permission(inputs)], **tags}
        return str(
            aws.call("ec2", f"AuthorizeSecurityGroup{direction}", rule)["SecurityGroupRules"][0]["SecurityGroupRuleId"]
        )

    return create


def _find(aws: Aws, rule_id: str) -> dict[str, Any] | None:
    asked = {"SecurityGroupRuleIds": [rule_id]}
    return aws.first("ec2", "DescribeSecurityGroupRules", asked, "SecurityGroupRules", *_GONE)


def _read(aws: Aws, rule_id: str, state: Properties) -> Properties | None:
    rule = _find(aws, rule_id)
    if rule is None:
        return None
    return {
        "arn": aws.arn("ec2", f"security-group-rule/{rule_id}"),
        "cidrIpv4": rule.get("CidrIpv4"),
        "ipProtocol": rule["IpProtocol"],
        "securityGroupId": rule["GroupId"],
        "securityGroupRuleId": rule_id,
        "tagsAll": mapped(rule.get("Tags", [])),
    }


def _update(aws: Aws, rule_id: str, old: Properties, new: Properties) -> None:
    every = str(new["ipProtocol"]) == "-1"
    rule = {
        "IpProtocol": new["ipProtocol"],
        "FromPort": -1 if every else new.get("fromPort"),
        "ToPort": -1 if every else new.get("toPort"),
        "CidrIpv4": new.get("cidrIpv4"),
        "CidrIpv6": new.get("cidrIpv6"),
        "PrefixListId": new.get("prefixListId"),
        "ReferencedGroupId": new.get("referencedSecurityGroupId"),
        "Description": new.get("description"),
    }
    change = {"SecurityGroupRuleId": rule_id, "SecurityGroupRule": rule}
    aws.call("ec2", "ModifySecurityGroupRules", {"GroupId": new["securityGroupId"], "SecurityGroupRules": [change]})
    retag_ec2(aws, rule_id, old, new)


def _deleting(direction: Direction) -> Any:
    def delete(aws: Aws, rule_id: str, state: Properties) -> None:
        rule = {"GroupId": state["securityGroupId"], "SecurityGroupRuleIds": [rule_id]}
        aws.drop("ec2", f"RevokeSecurityGroup{direction}", rule, *_GONE)

    return delete


def _entry(direction: Direction) -> AwsType:
    return AwsType(
        name=f"aws:vpc/securityGroup{direction}Rule:SecurityGroup{direction}Rule",
        inputs={
            "cidrIpv4": PLAIN,
            "cidrIpv6": PLAIN,
            "description": PLAIN,
            "fromPort": PLAIN,
            "ipProtocol": PLAIN,
            "prefixListId": PLAIN,
            "referencedSecurityGroupId": PLAIN,
            "securityGroupId": FIXED,
            "tags": PLAIN,
            "toPort": PLAIN,
        },
        outputs=("arn", "securityGroupRuleId"),
        create=_creating(direction),
        read=_read,
        update=_update,
        delete=_deleting(direction),
    )


def _older_permission(state: Properties) -> dict[str, Any]:
    groups = [state["sourceSecurityGroupId"]] if state.get("sourceSecurityGroupId") else []
    return permission(state["securityGroupId"], {**state, "securityGroups": groups})


def _create_older(aws: Aws, inputs: Properties) -> str:
    rule = {"GroupId": inputs["securityGroupId"], "IpPermissions": [_older_permission(inputs)]}
    aws.call("ec2", f"AuthorizeSecurityGroup{str(inputs['type']).capitalize()}", rule)
    return f"sgrule-{int(sha256(repr(rule).encode()).hexdigest()[:8], 16)}"


def _read_older(aws: Aws, rule_id: str, state: Properties) -> Properties | None:
    group = aws.find("ec2", "DescribeSecurityGroups", {"GroupIds": [state["securityGroupId"]]}, "InvalidGroup.NotFound")
    return {"securityGroupRuleId": rule_id} if group and group["SecurityGroups"] else None


def _update_older(aws: Aws, rule_id: str, old: Properties, new: Properties) -> None:
    rule = {"GroupId": new["securityGroupId"], "IpPermissions": [_older_permission(new)]}
    aws.call("ec2", f"UpdateSecurityGroupRuleDescriptions{str(new['type']).capitalize()}", rule)


def _delete_older(aws: Aws, rule_id: str, state: Properties) -> None:
    rule = {"GroupId": state["securityGroupId"], "IpPermissions": [_older_permission(state)]}
    aws.drop("ec2", f"RevokeSecurityGroup{str(state['type']).capitalize()}", rule, *_GONE)


TYPES = (
    _entry("Ingress"),
    _entry("Egress"),
    AwsType(
        name="aws:ec2/securityGroupRule:SecurityGroupRule",
        inputs={
            "cidrBlocks": FIXED_SET,
            "description": PLAIN,
            "fromPort": FIXED,
            "ipv6CidrBlocks": FIXED_SET,
            "prefixListIds": FIXED_SET,
            "protocol": FIXED,
            "securityGroupId": FIXED,
            "self": Input(replaces=True, default=False),
            "sourceSecurityGroupId": FIXED,
            "toPort": FIXED,
            "type": FIXED,
        },
        outputs=("securityGroupRuleId",),
        create=_create_older,
        read=_read_older,
        update=_update_older,
        delete=_delete_older,
    ),
)
