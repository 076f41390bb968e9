import pulumi_aws as aws

from policies.rules.eks_node_group_template_fits import RULE
from tests.policies.judging import later, messages
from tests.policies.pools import pool


def test_what_eks_refuses_in_a_template_is_reported(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate(
            "template",
            instance_type="g6.2xlarge",
            instance_market_options={"market_type": "spot"},
            iam_instance_profile={"name": "p"},
            network_interfaces=[{"subnet_id": "subnet-1"}],
        )
        pool(disk_size=100, launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == [
        "gpu: diskSize is set beside a launch template; it must stand in the template.",
        "gpu: instanceTypes beside the launch template's instanceType g6.2xlarge; one of the two must go.",
        "gpu: the launch template has iamInstanceProfile, which EKS sets itself; it must go.",
        "gpu: the launch template's marketType is spot; the group must say capacityType SPOT instead.",
        "gpu: the launch template's networkInterfaces[0] names a subnet; the group's subnetIds must say it alone.",
    ]


def test_a_template_that_leaves_it_to_the_group_is_quiet(preview: bool) -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate("template", vpc_security_group_ids=["sg-1"])
        pool(capacity_type="SPOT", launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_market_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        template = aws.ec2.LaunchTemplate("template", instance_market_options={"market_type": later("spot")})
        pool(launch_template={"id": template.id, "version": "1"})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "gpu: the launch template's marketType is spot; the group must say capacityType SPOT instead.",
    ]
