from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules.ec2_security_group_no_open_egress import RULE
from tests.policies.judging import later, messages

MUST = (
    "to the internet TCP port 443 alone may be open, other traffic must name a private range, a prefix list or a "
    "security group."
)


def _rule(name: str = "rule", **what: Any) -> None:
    aws.vpc.SecurityGroupEgressRule(name, security_group_id=later("sg-1", f"of-{name}"), **what)


@pytest.mark.parametrize(
    ("what", "ports"),
    [
        ({"ip_protocol": "-1"}, "every port and protocol"),
        ({"ip_protocol": "tcp", "from_port": 0, "to_port": 65535}, "tcp port 0 to 65535"),
        ({"ip_protocol": "tcp", "from_port": 443, "to_port": 444}, "tcp port 443 to 444"),
        ({"ip_protocol": "tcp", "from_port": 22, "to_port": 22}, "tcp port 22"),
        ({"ip_protocol": "udp", "from_port": 443, "to_port": 443}, "udp port 443"),
        ({"ip_protocol": "tcp"}, "every port of tcp"),
    ],
)
def test_anything_but_https_to_anywhere_is_reported(what: dict[str, Any], ports: str, preview: bool) -> None:
    assert messages(RULE, lambda: _rule(cidr_ipv4="0.0.0.0/0", **what), preview=preview) == [
        f"rule: egress rule of {ports} is open to 0.0.0.0/0; {MUST}"
    ]


def test_the_inline_form_and_the_older_rule_resource_are_read_and_ingress_is_not(preview: bool) -> None:
    def build() -> None:
        everything: Any = {"protocol": "-1", "from_port": 0, "to_port": 0, "ipv6_cidr_blocks": ["::/0"]}
        aws.ec2.SecurityGroup("inline", egress=[everything], ingress=[everything])
        for kind in ("ingress", "egress"):
            aws.ec2.SecurityGroupRule(kind, type=kind, security_group_id="sg-1", **everything)

    assert messages(RULE, build, preview=preview) == [
        f"inline: inline egress of every port and protocol is open to ::/0; {MUST}",
        f"egress: egress rule of every port and protocol is open to ::/0; {MUST}",
    ]


def test_https_to_anywhere_and_everything_to_groups_lists_and_private_ranges_are_quiet(preview: bool) -> None:
    def build() -> None:
        _rule("https", ip_protocol="tcp", from_port=443, to_port=443, cidr_ipv4="0.0.0.0/0")
        _rule("group", ip_protocol="-1", referenced_security_group_id=later("sg-2", "peer"))
        _rule("list", ip_protocol="tcp", from_port=443, to_port=443, prefix_list_id="pl-1")
        _rule("vpc", ip_protocol="-1", cidr_ipv4="10.0.0.0/8")
        aws.ec2.SecurityGroup("silent")

    assert messages(RULE, build, preview=preview) == []


def test_the_ports_that_may_be_open_are_a_setting(preview: bool) -> None:
    def build() -> None:
        _rule("https", ip_protocol="tcp", from_port=443, to_port=443, cidr_ipv4="0.0.0.0/0")
        _rule("git", ip_protocol="tcp", from_port=22, to_port=22, cidr_ipv4="0.0.0.0/0")

    assert messages(RULE, build, preview=preview, config={"ports": [22, 443]}) == []
    assert messages(RULE, build, preview=preview, config={"ports": []}) == [
        f"{name}: egress rule of tcp port {port} is open to 0.0.0.0/0; {MUST.replace('TCP port 443 alone', 'nothing')}"
        for name, port in (("git", 22), ("https", 443))
    ]


def test_unknown_ports_and_ranges_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        _rule("ports", ip_protocol="tcp", from_port=later(22, "p"), to_port=later(22, "q"), cidr_ipv4="0.0.0.0/0")
        _rule("range", ip_protocol="-1", cidr_ipv4=later("0.0.0.0/0", "r"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        f"ports: egress rule of tcp port 22 is open to 0.0.0.0/0; {MUST}",
        f"range: egress rule of every port and protocol is open to 0.0.0.0/0; {MUST}",
    ]


def test_an_unknown_port_hides_no_certain_wrong_one_beside_it(preview: bool) -> None:
    def build() -> None:
        _rule(ip_protocol="tcp", from_port=later(22, "p"), to_port=65535, cidr_ipv4="0.0.0.0/0")

    assert len(messages(RULE, build, preview=preview)) == 1
