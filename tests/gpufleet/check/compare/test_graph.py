"""Two stacks of any program, held against each other resource by resource."""

from collections.abc import Callable

import pulumi
import pulumi_aws as aws

from gpufleet.check.compare import graph
from gpufleet.check.compare.loosened import Loosened
from tests.harness import record

Build = Callable[[], object]


def compared(prod: Build, dev: Build) -> graph.Compared:
    return graph.compare(record(prod, stack="prod").run, record(dev, stack="dev").run)


def told(prod: Build, dev: Build) -> list[tuple[str, str, object, object]]:
    """(name, path, value, than) of all that is weaker."""
    return [(one.urn.rsplit("::", 1)[-1], one.path, one.value, one.than) for one in compared(prod, dev).loosened]


def logs(name: str = "audit", days: int | None = None) -> Build:
    return lambda: aws.cloudwatch.LogGroup(name, retention_in_days=days, kms_key_id="arn:aws:kms:x")


def test_a_value_that_is_lower_than_its_likes_is_named_with_both_and_the_reason():
    [found] = compared(logs(days=30), logs(days=90)).loosened
    assert found == Loosened(
        where="plan",
        path="retentionInDays",
        urn="urn:pulumi:prod::project::aws:cloudwatch/logGroup:LogGroup::audit",
        value=30,
        than=90,
        than_urn="urn:pulumi:dev::project::aws:cloudwatch/logGroup:LogGroup::audit",
        severity="high",
        why="an intrusion is found after months; what is gone cannot be read then",
    )
    assert found.as_violation("dev").message == (
        "retentionInDays is 30; dev has 90: an intrusion is found after months; what is gone cannot be read then."
    )


def test_what_is_as_strong_or_stronger_is_not_told_and_the_values_are_counted():
    done = compared(logs(days=90), logs(days=90))
    assert done.loosened == []
    assert done.values > 4
    assert told(logs(days=365), logs(days=90)) == []
    assert told(logs(days=None), logs(days=365)) == []  # CloudWatch keeps them for ever
    assert told(logs(days=365), logs(days=None)) == [("audit", "retentionInDays", 365, 0)]


def test_names_of_regions_and_stacks_are_no_difference():
    def two(*names: tuple[str, int]) -> Build:
        return lambda: [logs(name, days)() for name, days in names]

    found = told(two(("us-west-2-prod-audit", 30), ("prodding", 1)), two(("eu-west-1-dev-audit", 90), ("prodding", 1)))
    assert found == [("us-west-2-prod-audit", "retentionInDays", 30, 90)]


def test_without_its_like_it_is_held_against_the_weakest_of_its_type():
    def dev() -> None:
        logs("one", 90)()
        logs("two", 365)()

    assert told(logs("other", 90), dev) == []
    assert told(logs("other", 30), dev) == [("other", "retentionInDays", 30, 90)]


def test_what_hangs_on_the_purpose_is_held_against_its_like_alone():
    def key(name: str, days: int) -> Build:
        return lambda: aws.kms.Key(name, enable_key_rotation=True, deletion_window_in_days=days, policy="{}")

    assert told(key("vision", 7), key("data", 30)) == []
    assert told(key("data", 7), key("data", 30)) == [("data", "deletionWindowInDays", 7, 30)]


def test_a_launch_template_is_compared_down_to_its_disks():
    def template(encrypted: str | None, tokens: str) -> Build:
        return lambda: aws.ec2.LaunchTemplate(
            "nodes",
            block_device_mappings=[
                {"device_name": "/dev/xvda", "ebs": {"encrypted": "true"}},
                {"device_name": "/dev/xvdb", "ebs": {"encrypted": encrypted} if encrypted else {}},
            ],
            metadata_options={"http_tokens": tokens, "http_put_response_hop_limit": 1},
        )

    assert told(template(None, "optional"), template("true", "required")) == [
        ("nodes", "blockDeviceMappings[1].ebs.encrypted", False, "true"),
        ("nodes", "metadataOptions.httpTokens", "optional", "required"),
    ]


def cluster(
    public: bool | None = False, cidrs: list[str] | None = None, types: tuple[str, ...] = ("api", "audit")
) -> Build:
    return lambda: aws.eks.Cluster(
        "cluster",
        role_arn="arn:aws:iam::111122223333:role/x",
        enabled_cluster_log_types=list(types),
        vpc_config={
            "subnet_ids": ["subnet-1"],
            "endpoint_private_access": True,
            "endpoint_public_access": public,
            "public_access_cidrs": cidrs,
        },
    )


def test_a_cluster_that_is_open_where_the_other_is_private():
    path = "vpcConfig.endpointPublicAccess"
    assert told(cluster(True, ["203.0.113.0/24"]), cluster()) == [("cluster", path, True, False)]
    assert told(cluster(None), cluster()) == [("cluster", path, True, False)]  # what AWS does where nothing is said


def test_a_cluster_that_is_open_to_more_of_the_internet():
    wide, narrow = ["203.0.113.0/24", "198.51.100.0/24"], ["203.0.113.0/24"]
    path = "vpcConfig.publicAccessCidrs"
    assert told(cluster(True, wide), cluster(True, narrow)) == [("cluster", path, wide, narrow)]
    assert told(cluster(True), cluster(True, narrow)) == [("cluster", path, ["0.0.0.0/0"], narrow)]
    assert told(cluster(True, narrow), cluster(True, wide)) == []


def test_a_log_that_is_missing_is_named():
    found = told(cluster(types=("api",)), cluster(types=("api", "audit", "scheduler")))
    assert found == [("cluster", "enabledClusterLogTypes", ["api"], "also audit, scheduler")]


def test_an_open_rule_is_weaker_than_a_narrow_one_and_private_ranges_are_all_the_same():
    def rule(cidr: str) -> Build:
        return lambda: aws.vpc.SecurityGroupIngressRule(
            "in", security_group_id="sg-1", ip_protocol="tcp", cidr_ipv4=cidr
        )

    assert told(rule("0.0.0.0/0"), rule("203.0.113.0/24")) == [("in", "cidrIpv4", "0.0.0.0/0", "203.0.113.0/24")]
    assert told(rule("10.0.0.0/8"), rule("10.20.0.0/16")) == []


def test_a_policy_that_lets_anybody_in_is_weaker():
    def policy(statement: str) -> Build:
        return lambda: aws.s3.BucketPolicy("data", bucket="b", policy=f'{{"Statement": [{statement}]}}')

    allow = '{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}'
    deny = '{"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "*"}'
    [(name, path, _, _)] = told(policy(allow), policy(deny))
    assert (name, path) == ("data", "policy")
    assert told(policy(deny), policy(allow)) == []


def test_protection_of_the_engine_is_compared_like_by_like():
    def topic(name: str, protect: bool, retain: bool = False) -> Build:
        opts = pulumi.ResourceOptions(protect=protect, retain_on_delete=retain)
        return lambda: aws.sns.Topic(name, kms_master_key_id="k", opts=opts)

    assert told(topic("alerts", False), topic("alerts", True)) == [("alerts", "protect", False, True)]
    assert told(topic("alerts", False), topic("alerts", False, True)) == [("alerts", "retainOnDelete", False, True)]
    assert told(topic("alerts", False), topic("others", True)) == []


BLOCK = "BucketPublicAccessBlock"


def buckets(*names: str, open_: tuple[str, ...] = ()) -> Build:
    def build() -> None:
        for name in names:
            bucket = aws.s3.Bucket(name)
            if name not in open_:
                flags = dict.fromkeys(
                    ("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"), True
                )
                aws.s3.BucketPublicAccessBlock(name, bucket=bucket.id, **flags)

    return build


def test_a_bucket_without_the_block_that_its_like_has():
    prod = buckets("data", "scratch", open_=("scratch",))
    assert told(prod, buckets("data", "scratch")) == [("scratch", BLOCK, "none", "one")]
    assert told(prod, buckets("data", "scratch", open_=("scratch",))) == []


def test_a_bucket_without_its_like_needs_what_all_others_have():
    prod = buckets("other", open_=("other",))
    assert told(prod, buckets("data", "scratch")) == [
        ("other", BLOCK, "none", "one"),
    ]
    assert told(prod, buckets("data", "scratch", open_=("data",))) == []


def test_a_guard_that_only_the_other_has_and_a_hole_that_only_this_one_has():
    def dev() -> None:
        aws.ebs.EncryptionByDefault("default", enabled=True)

    def prod() -> None:
        aws.iam.AccessKey("ci", user="ci")

    assert [(one.path, one.urn.rsplit("::", 1)[-1], one.value, one.than) for one in compared(prod, dev).loosened] == [
        ("EncryptionByDefault", "", "none", "1"),
        ("AccessKey", "ci", "1", "none"),
    ]


def network(gateways: int, zones: str = "abc") -> Build:
    def build() -> None:
        vpc = aws.ec2.Vpc("network", cidr_block="10.0.0.0/16")
        for index, zone in enumerate(zones):
            place, block = f"us-east-1{zone}", f"10.0.{index}.0/24"
            subnet = aws.ec2.Subnet(zone, vpc_id=vpc.id, availability_zone=place, cidr_block=block)
            if index < gateways:
                aws.ec2.NatGateway(zone, subnet_id=subnet.id, allocation_id=f"eipalloc-{index}")

    return build


def test_fewer_ways_out_and_fewer_zones_are_weaker_and_no_way_out_is_not():
    assert told(network(1), network(3)) == [("a", "NatGateway.subnetId", "1 for each Vpc", "3 for each Vpc")]
    assert told(network(0), network(3)) == []
    assert told(network(1, "ab"), network(1, "abc")) == [
        ("a", "Subnet.availabilityZone", "2 for each Vpc", "3 for each Vpc")
    ]
    assert told(network(3), network(1)) == []
