"""Names by rule, and where the rules are wrong."""

import pytest

from gpufleet.export import names
from gpufleet.export.names import Argument, TypeName


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("aws:s3/bucket:Bucket", "aws_s3_bucket"),
        ("aws:ec2/vpc:Vpc", "aws_vpc"),
        ("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", "aws_vpc_security_group_ingress_rule"),
        ("aws:amp/workspace:Workspace", "aws_prometheus_workspace"),
        ("aws:cfg/rule:Rule", "aws_config_config_rule"),
        ("aws:costexplorer/anomalyMonitor:AnomalyMonitor", "aws_ce_anomaly_monitor"),
        ("aws:iam/openIdConnectProvider:OpenIdConnectProvider", "aws_iam_openid_connect_provider"),
        ("aws:rds/instance:Instance", "aws_db_instance"),
        ("aws:lb/loadBalancer:LoadBalancer", "aws_lb"),
        ("aws:s3/bucketV2:BucketV2", "aws_s3_bucket"),
        ("aws:ec2transitgateway/routeTable:RouteTable", "aws_ec2_transit_gateway_route_table"),
    ],
)
def test_a_type_that_the_provider_has_is_known(token: str, name: str):
    assert names.terraform_type(token) == TypeName(name, confirmed=True)


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("aws:ec2/hoverGateway:HoverGateway", "aws_hover_gateway"),
        ("aws:amp/dream:Dream", "aws_prometheus_dream"),
        ("aws:newservice/thing:Thing", "aws_newservice_thing"),
    ],
)
def test_a_type_that_nobody_has_seen_is_named_by_rule_and_said_to_be(token: str, name: str):
    assert names.terraform_type(token) == TypeName(name, confirmed=False)


@pytest.mark.parametrize(
    ("type_name", "path", "value", "wanted"),
    [
        ("aws_eks_node_group", ("taints",), [{"key": "a"}], Argument("taint", names.PLAIN)),
        (
            "aws_launch_template",
            ("blockDeviceMappings",),
            [{"deviceName": "a"}],
            Argument("block_device_mappings", names.PLAIN),
        ),
        ("aws_eks_cluster", ("vpcConfig",), {"subnetIds": "a"}, Argument("vpc_config", names.PLAIN)),
        ("aws_eks_cluster", ("vpcConfig", "subnetIds"), ["subnet-1"], Argument("subnet_ids", names.PLAIN)),
        ("aws_fsx_lustre_file_system", ("subnetIds",), "subnet-1", Argument("subnet_ids", names.ONE)),
        ("aws_instance", ("volumeTags",), {"owner": "us"}, Argument("volume_tags", names.MAP)),
        (
            "aws_dlm_lifecycle_policy",
            ("policyDetails", "parameters"),
            {"noReboot": "a"},
            Argument("parameters", names.PLAIN),
        ),
        ("aws_lambda_function", ("code",), "a.zip", Argument("filename", names.PLAIN)),
        ("aws_cloudwatch_metric_alarm", ("name",), "busy", Argument("alarm_name", names.PLAIN)),
        (
            "aws_wafv2_web_acl",
            ("rules", "statement", "notStatement"),
            [{"a": "b"}],
            Argument("not_statement", names.PLAIN),
        ),
        ("provider", ("assumeRoles",), [{"roleArn": "a"}], Argument("assume_role", names.PLAIN)),
    ],
)
def test_an_argument_is_named_and_nested_as_the_provider_has_it(
    type_name: str, path: tuple[str, ...], value: object, wanted: Argument
):
    assert names.argument(type_name, path, value) == wanted


def test_a_list_of_whole_objects_says_what_each_has_to_carry():
    ingress = names.argument("aws_security_group", ("ingress",), [{}])
    assert (ingress.name, ingress.kind) == ("ingress", names.ROWS)
    assert {"cidr_blocks", "from_port", "protocol", "self", "to_port"} < set(ingress.columns)


@pytest.mark.parametrize(
    ("plural", "one"),
    [("policies", "policy"), ("statuses", "status"), ("addresses", "address"), ("rules", "rule"), ("egress", "egress")],
)
def test_a_plural_becomes_one(plural: str, one: str):
    assert names.singular(plural) == one


def test_names_are_cut_at_capitals_and_not_before_digits():
    assert [names.snake(name) for name in ("kmsKeyId", "cidrIpv4", "s3BucketName", "clusterDNSName")] == [
        "kms_key_id",
        "cidr_ipv4",
        "s3_bucket_name",
        "cluster_dns_name",
    ]


def test_the_table_says_where_it_is_from():
    assert {key: bool(value) for key, value in names.provenance().items()} == dict.fromkeys(
        ("source", "date", "sdk", "provider"), True
    )
