"""A plan by places and pools, for any Pulumi program."""

from dataclasses import replace

import pulumi
import pulumi_aws as aws
import pytest

from gpufleet.errors import UsageError
from gpufleet.plan import offline
from gpufleet.preflight import places, pools
from gpufleet.preflight.identities import Identity
from gpufleet.preflight.pool import Pool
from tests.gpufleet.preflight import fleet
from tests.gpufleet.preflight.fleet import PROJECT, TAGS, Network, at_least


def the_pools(entry: object) -> list[Pool]:
    (place,) = fleet.planned(entry)  # pyright: ignore[reportArgumentType] -- any function without arguments
    return pools.read(place)


def test_each_region_and_each_account_is_a_place() -> None:
    def entry() -> None:
        for name, region, account in (
            ("one", "us-east-1", "111122223333"),
            ("two", "eu-west-1", "111122223333"),
            ("three", "eu-west-1", "444455556666"),
        ):
            provider = aws.Provider(name, region=region, allowed_account_ids=[account])
            aws.sqs.Queue(name, opts=pulumi.ResourceOptions(provider=provider))

    found = fleet.planned(entry)
    assert [(one.region, one.identity.account_ids, one.first, len(one.of_account)) for one in found] == [
        ("eu-west-1", ("111122223333",), True, 2),
        ("eu-west-1", ("444455556666",), True, 1),
        ("us-east-1", ("111122223333",), False, 2),
    ]


def test_a_provider_that_takes_a_profile_or_a_role_is_an_identity_of_its_own() -> None:
    def entry() -> None:
        provider = aws.Provider(
            "aws",
            region="us-east-1",
            profile="research",
            assume_roles=[aws.ProviderAssumeRoleArgs(role_arn="arn:aws:iam::111122223333:role/plan")],
        )
        aws.sqs.Queue("queue", opts=pulumi.ResourceOptions(provider=provider))

    (place,) = fleet.planned(entry)
    assert place.identity == Identity(profile="research", roles=("arn:aws:iam::111122223333:role/plan",))


def test_a_resource_in_a_region_of_its_own_is_asked_about_there() -> None:
    def entry() -> None:
        provider = aws.Provider("aws", region="us-east-1")
        aws.sqs.Queue("queue", region="eu-west-1", opts=pulumi.ResourceOptions(provider=provider))

    assert [one.region for one in fleet.planned(entry)] == ["eu-west-1"]


def test_without_a_provider_the_configuration_says_where() -> None:
    run = offline.run(lambda: aws.sqs.Queue("queue"), project="trial", stack="dev", preview=False)
    config = {"aws:region": "ap-south-1", "aws:allowedAccountIds": '["111122223333"]'}
    (place,) = places.read(run, replace(PROJECT, config=config))
    assert (place.region, place.identity.account_ids) == ("ap-south-1", ("111122223333",))
    with pytest.raises(UsageError, match="in which region this is to be is said nowhere"):
        places.read(run, PROJECT)


def test_a_program_without_aws_has_nothing_to_ask() -> None:
    with pytest.raises(UsageError, match="the program plans nothing at AWS"):
        fleet.planned(lambda: None)


def test_what_has_the_planned_tags_is_ones_own() -> None:
    (place,) = fleet.planned(Network)
    subnet = next(place.of(places.SUBNET))
    assert place.is_own(subnet, {**TAGS, "zone": "a", "discover": "yes", "more": "tags"})
    assert not place.is_own(subnet, {**TAGS, "zone": "b", "discover": "yes"})
    assert not place.is_own(subnet, {})


def test_the_tag_of_the_stack_tells_ones_own_when_other_tags_change() -> None:
    def entry() -> None:
        provider = aws.Provider("aws", region="us-east-1")
        tags = {"gpufleet-stack": "gpufleet-dev", "expires": "2027-12-31"}
        aws.sqs.Queue("queue", tags=tags, opts=pulumi.ResourceOptions(provider=provider))

    (place,) = fleet.planned(entry)
    queue = next(place.of("aws:sqs/queue:Queue"))
    assert place.is_own(queue, {"gpufleet-stack": "gpufleet-dev", "expires": "2026-12-31"})
    assert not place.is_own(queue, {"gpufleet-stack": "gpufleet-prod", "expires": "2027-12-31"})


def test_a_node_group_takes_from_its_template_what_it_does_not_say_itself() -> None:
    def entry() -> None:
        template = {
            "instance_type": "p5.48xlarge",
            "placement": {"tenancy": "dedicated"},
            "network_interfaces": [{"security_groups": ["sg-1", "sg-2", "sg-3"]}],
        }
        Network().pool("train", [], zones="b", template=template, labels={"gpufleet.io/pool": "training"})

    (pool,) = the_pools(entry)
    assert (pool.name, pool.types, pool.zones, pool.tenancy) == (
        *("training", ("p5.48xlarge",)),
        *(("us-west-2b",), "dedicated"),
    )
    assert (pool.security_groups, pool.cluster, pool.version) == (3, "trial", "1.35")


def test_a_node_group_without_any_type_is_of_eks_default() -> None:
    def entry() -> None:
        network = Network()
        aws.eks.NodeGroup(
            "plain",
            cluster_name=network.cluster.name,
            node_role_arn="arn:aws:iam::123456789012:role/node",
            subnet_ids=[network.subnets["a"].id],
            scaling_config={"min_size": 1, "max_size": 2, "desired_size": 1},
            opts=network.opts,
        )

    assert [pool.types for pool in the_pools(entry)] == [("t3.medium",)]


def test_a_scaling_group_buys_as_its_distribution_says() -> None:
    def entry() -> None:
        network = Network()
        template = aws.ec2.LaunchTemplate("template", image_id="ami-0123456789abcdef0", opts=network.opts)
        for name, share in (("spot", 0), ("both", 50), ("paid", 100)):
            aws.autoscaling.Group(
                name,
                min_size=0,
                max_size=3,
                vpc_zone_identifiers=[network.subnets["c"].id],
                mixed_instances_policy={
                    "instances_distribution": {"on_demand_percentage_above_base_capacity": share},
                    "launch_template": {
                        "launch_template_specification": {"launch_template_id": template.id},
                        "overrides": [{"instance_type": "g5.xlarge"}, {"instance_type": "g6.xlarge"}],
                    },
                },
                opts=network.opts,
            )

    found = {pool.name: pool for pool in the_pools(entry)}
    assert {name: pool.purchases for name, pool in found.items()} == {
        "both": ("on-demand", "spot"),
        "paid": ("on-demand",),
        "spot": ("spot",),
    }
    assert found["spot"].types == ("g5.xlarge", "g6.xlarge")
    assert found["spot"].zones == ("us-west-2c",)
    assert found["spot"].images == ("ami-0123456789abcdef0",)


def test_a_single_instance_is_a_pool_of_one() -> None:
    def entry() -> None:
        network = Network()
        aws.ec2.Instance(
            "box",
            ami="ami-0123456789abcdef0",
            instance_type="g5.xlarge",
            subnet_id=network.subnets["a"].id,
            instance_market_options={"market_type": "spot"},
            opts=network.opts,
        )

    (pool,) = the_pools(entry)
    assert (pool.types, pool.purchases, pool.minimum, pool.maximum) == (("g5.xlarge",), ("spot",), 1, 1)


def test_a_node_pool_is_in_the_zones_that_its_class_selects() -> None:
    def entry() -> None:
        types = [at_least("node.kubernetes.io/instance-type", "g5.xlarge")]
        terms = [{"tags": {"zone": "b"}}]
        Network().karpenter("burst", types, limits={"cpu": "64"}, subnetSelectorTerms=terms)

    (pool,) = the_pools(entry)
    assert (pool.types, pool.zones, pool.vcpus, pool.maximum) == (("g5.xlarge",), ("us-west-2b",), 64, None)
    assert pool.purchases == ("on-demand",)
    assert pool.each_type_everywhere is False


def test_a_node_pool_belongs_to_the_cluster_that_its_provider_reaches() -> None:
    def entry() -> None:
        near = Network("us-west-2")
        far = aws.Provider("far", region="us-east-1")
        other = aws.eks.Cluster(
            "far",
            role_arn="arn:aws:iam::123456789012:role/cluster",
            vpc_config={"subnet_ids": ["subnet-1"]},
            opts=pulumi.ResourceOptions(provider=far),
        )
        kubernetes = pulumi.ProviderResource("kubernetes", "k8s", {"kubeconfig": other.endpoint})
        del near
        pulumi.CustomResource(
            "kubernetes:karpenter.sh/v1:NodePool",
            "burst",
            {"metadata": {"name": "burst"}, "spec": {"limits": {"cpu": "8"}, "template": {"spec": {}}}},
            pulumi.ResourceOptions(provider=kubernetes),
        )

    found = {place.region: [pool.name for pool in pools.read(place)] for place in fleet.planned(entry)}
    assert found == {"us-east-1": ["burst"], "us-west-2": []}
