from typing import Any

import pulumi_aws as aws

from policies.rules.eks_node_volume_own_key import RULE
from tests.policies.judging import later, messages


def _template(*volumes: Any) -> None:
    mappings: Any = [
        {"device_name": f"/dev/xvd{letter}", "ebs": ebs} for letter, ebs in zip("ab", volumes, strict=False)
    ]
    aws.ec2.LaunchTemplate("template", block_device_mappings=mappings)


def test_each_volume_without_a_key_of_its_own_is_reported(preview: bool) -> None:
    def build() -> None:
        _template({"encrypted": "true", "kms_key_id": "arn:k"}, {"encrypted": "true"})

    assert messages(RULE, build, preview=preview) == [
        "template: blockDeviceMappings[1].ebs.kmsKeyId is not set (AWS default: the account's, which is aws/ebs); it "
        "must name a KMS key of your own."
    ]


def test_keys_even_unknown_ones_and_instance_storage_are_quiet(preview: bool) -> None:
    def build() -> None:
        _template({"encrypted": "true", "kms_key_id": later("arn:k")})
        local: Any = [{"device_name": "/dev/sdb", "virtual_name": "ephemeral0"}]
        aws.ec2.LaunchTemplate("local", block_device_mappings=local)

    assert messages(RULE, build, preview=preview) == []


def test_mappings_that_are_unknown_are_quiet_until_they_are_known() -> None:
    def build() -> None:
        volumes = [{"device_name": "/dev/xvda", "ebs": {"encrypted": "true"}}]
        aws.ec2.LaunchTemplate("template", block_device_mappings=later(volumes))

    assert messages(RULE, build, preview=True) == []
    assert len(messages(RULE, build)) == 1
