import pulumi_aws as aws

from policies.rules.ec2_network_interfaces_agree import RULE
from tests.policies.elastic import EFA, node_class
from tests.policies.judging import later, messages


def test_groups_at_the_top_beside_interfaces_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate("template", vpc_security_group_ids=["sg-1"], network_interfaces=[{"device_index": 0}])

    assert messages(RULE, build, preview=preview) == [
        "template: vpcSecurityGroupIds beside networkInterfaces; security groups must stand in each interface.",
    ]


def test_indices_that_ec2_refuses_are_reported(preview: bool) -> None:
    def build() -> None:
        node_class(
            networkInterfaces=[
                {"deviceIndex": 2},
                {"networkCardIndex": 1, "deviceIndex": 0},
                {"networkCardIndex": 1, "deviceIndex": 0},
            ]
        )

    assert messages(RULE, build, preview=preview) == [
        "train-nodes: spec.networkInterfaces has 2 at card 1, device 0; each place must have one.",
        "train-nodes: spec.networkInterfaces has none at card 0, device 0; every node must have its primary one there.",
        "train-nodes: spec.networkInterfaces[0].deviceIndex is 2; on each network card it must be 0 or 1.",
    ]


def test_a_primary_interface_without_an_address_is_reported(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=[{"networkCardIndex": 0, "deviceIndex": 0, "interfaceType": "efa-only"}])

    assert messages(RULE, build, preview=preview) == [
        "train-nodes: spec.networkInterfaces is efa-only at card 0, device 0, so the node has no "
        "address; the primary one must be ordinary.",
    ]


def test_a_public_address_beside_several_interfaces_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.ec2.LaunchTemplate(
            "template",
            network_interfaces=[{"device_index": 0, "associate_public_ip_address": "true"}, {"device_index": 1}],
        )

    assert messages(RULE, build, preview=preview) == [
        "template: associatePublicIpAddress beside several interfaces; EC2 refuses it.",
    ]


def test_interfaces_that_agree_and_none_at_all_are_quiet(preview: bool) -> None:
    def build() -> None:
        node_class(networkInterfaces=EFA)
        aws.ec2.LaunchTemplate("template", vpc_security_group_ids=["sg-1"])

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_index_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        node_class(networkInterfaces=[{"networkCardIndex": 0, "deviceIndex": later(2)}])

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "train-nodes: spec.networkInterfaces has none at card 0, device 0; every node must have its primary one there.",
        "train-nodes: spec.networkInterfaces[0].deviceIndex is 2; on each network card it must be 0 or 1.",
    ]
