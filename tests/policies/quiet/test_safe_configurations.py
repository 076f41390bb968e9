"""Real, safe configurations that checkers have cried wolf over: the whole pack must stay quiet about each."""

import json
from collections.abc import Callable
from typing import Any

import pulumi_aws as aws
import pytest

from gpufleet.plan import police
from policies.rules import RULES
from tests.harness import record
from tests.policies.elastic import EFA, node_class, node_pool, requirements
from tests.policies.judging import later
from tests.policies.manifests import Manifest

ACCOUNT = "111122223333"
ASKS_FOR_MORE = {"aws-resource-required-tags", "s3-bucket-policy-present"}
"""Rules about what is missing around a resource, which is built alone here."""


def _policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def _identity(*actions: str, resource: Any = "*", **more: Any) -> None:
    statement = {"Effect": "Allow", "Action": list(actions), "Resource": resource, **more}
    aws.iam.Policy("policy", policy=_policy(statement))


def _bucket(*statements: dict[str, Any]) -> None:
    plain = {"Bool": {"aws:SecureTransport": "false"}}
    refused = {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "*", "Condition": plain}
    aws.s3.BucketPolicy("policy", bucket="b", policy=_policy(refused, *statements))


def _group() -> aws.ec2.SecurityGroup:
    return aws.ec2.SecurityGroup("group", vpc_id="vpc-1", egress=[])


def _ingress(**rule: Any) -> None:
    aws.vpc.SecurityGroupIngressRule("in", security_group_id=aws.ec2.SecurityGroup("g", vpc_id="vpc-1").id, **rule)


def _pod(**container: Any) -> None:
    limits = {"requests": {"cpu": "1"}, "limits": {"memory": "1Gi"}}
    given = {"name": "c", "image": "nvcr.io/nvidia/pytorch:25.01-py3", "resources": limits, **container}
    meta = {"namespace": "vision"}
    Manifest(
        "kubernetes:networking.k8s.io/v1:NetworkPolicy",
        "deny",
        metadata=meta,
        spec={"podSelector": {}, "policyTypes": ["Ingress", "Egress"]},
    )
    spec = {"template": {"spec": {"containers": [given]}}}
    Manifest("kubernetes:apps/v1:Deployment", "d", metadata=meta, spec=spec)


def _trust(service: str, **condition: Any) -> None:
    statement = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole", **condition}
    aws.iam.Role("role", assume_role_policy=_policy(statement))


def _both_pools() -> None:
    node_class(networkInterfaces=EFA)
    taints = [{"key": key, "effect": "NoSchedule"} for key in ("nvidia.com/gpu", "aws.amazon.com/efa")]
    node_pool(node={"requirements": requirements(["p4d.24xlarge"]), "taints": taints})
    node_class("small")
    node_pool("small")
    aws.budgets.Budget(
        "budget",
        budget_type="COST",
        time_unit="MONTHLY",
        limit_amount="9000",
        limit_unit="USD",
        notifications=[
            {
                "comparison_operator": "GREATER_THAN",
                "threshold": 100,
                "threshold_type": "PERCENTAGE",
                "notification_type": "FORECASTED",
                "subscriber_email_addresses": ["a@example.com"],
            }
        ],
    )


CASES: dict[str, Callable[[], object]] = {
    "an egress rule to everywhere on 443 is no open ingress (S40)": lambda: aws.vpc.SecurityGroupEgressRule(
        "out", security_group_id="sg-1", ip_protocol="tcp", from_port=443, to_port=443, cidr_ipv4="0.0.0.0/0"
    ),
    "a private range is not open (S40)": lambda: _ingress(
        ip_protocol="tcp", from_port=22, to_port=22, cidr_ipv4="10.0.0.0/8"
    ),
    "shared address space is not open": lambda: _ingress(
        ip_protocol="tcp", from_port=443, to_port=443, cidr_ipv4="100.64.0.0/10"
    ),
    "a group with no ingress at all (S40)": _group,
    "a group that admits itself (S41)": lambda: aws.ec2.SecurityGroup(
        "g", vpc_id="vpc-1", ingress=[{"self": True, "protocol": "-1", "from_port": 0, "to_port": 0}], egress=[]
    ),
    "a rule that names a group that is known (S41)": lambda: _ingress(
        ip_protocol="tcp", from_port=443, to_port=443, referenced_security_group_id="sg-1"
    ),
    "a rule that names a group that is not known yet (S41)": lambda: _ingress(
        ip_protocol="tcp", from_port=443, to_port=443, referenced_security_group_id=later("sg-1")
    ),
    "a rule that names a prefix list (S41)": lambda: _ingress(
        ip_protocol="tcp", from_port=443, to_port=443, prefix_list_id="pl-1"
    ),
    "a Deny for everyone but a role (S43)": lambda: _bucket(
        {
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:DeleteObject",
            "Resource": "*",
            "Condition": {"ArnNotLike": {"aws:PrincipalArn": f"arn:aws:iam::{ACCOUNT}:role/cleaner"}},
        }
    ),
    "an Allow for everyone of an organisation (S43)": lambda: _bucket(
        {
            "Effect": "Allow",
            "Principal": "*",
            "Action": "s3:GetObject",
            "Resource": "arn:aws:s3:::b/*",
            "Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-1"}},
        }
    ),
    "log delivery for one's own account": lambda: _bucket(
        {
            "Effect": "Allow",
            "Principal": {"Service": "logging.s3.amazonaws.com"},
            "Action": "s3:PutObject",
            "Resource": "arn:aws:s3:::b/*",
            "Condition": {"StringEquals": {"aws:SourceAccount": ACCOUNT}},
        }
    ),
    "describing what accepts no resource (S44)": lambda: _identity("ec2:DescribeInstanceTypes", "ec2:DescribeSubnets"),
    "a token of the registry (S44)": lambda: _identity("ecr:GetAuthorizationToken"),
    "prices (S44)": lambda: _identity("pricing:GetProducts"),
    "launches bound by a tag (S44)": lambda: _identity(
        "ec2:RunInstances", Condition={"StringEquals": {"aws:RequestTag/team": "vision"}}
    ),
    "writing into one folder of a bucket": lambda: _identity("s3:PutObject", resource="arn:aws:s3:::b/vision/*"),
    "data keys of one key": lambda: _identity("kms:GenerateDataKey", resource=f"arn:aws:kms:us-east-1:{ACCOUNT}:key/k"),
    "a role of machines, which know no source account": lambda: _trust("ec2.amazonaws.com"),
    "a role of functions": lambda: _trust("lambda.amazonaws.com"),
    "a role of flow logs of one's own": lambda: _trust(
        "vpc-flow-logs.amazonaws.com",
        Condition={"ArnLike": {"aws:SourceArn": f"arn:aws:ec2:us-east-1:{ACCOUNT}:vpc-flow-log/*"}},
    ),
    "a key that the account's root governs": lambda: aws.kms.Key(
        "key",
        enable_key_rotation=True,
        policy=_policy(
            {
                "Effect": "Allow",
                "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
                "Action": "kms:*",
                "Resource": "*",
            }
        ),
    ),
    "a queue without a policy": lambda: aws.sqs.Queue("queue", sqs_managed_sse_enabled=True),
    "tags of a cache that follow the upstream's": lambda: aws.ecr.RepositoryCreationTemplate(
        "cache",
        prefix="ROOT",
        applied_fors=["PULL_THROUGH_CACHE"],
        image_tag_mutability="MUTABLE",
        encryption_configurations=[{"encryption_type": "KMS", "kms_key": "k"}],
    ),
    "a gateway endpoint without security groups": lambda: aws.ec2.VpcEndpoint(
        "dynamodb",
        vpc_id="vpc-1",
        service_name="com.amazonaws.us-east-1.dynamodb",
        policy=_policy(
            {
                "Effect": "Allow",
                "Principal": "*",
                "Action": "*",
                "Resource": "*",
                "Condition": {"StringEquals": {"aws:PrincipalAccount": ACCOUNT}},
            }
        ),
    ),
    "an empty variable of a secret's name": lambda: _pod(env=[{"name": "HF_TOKEN", "value": ""}]),
    "a token that comes from a Secret (S62)": lambda: _pod(
        env=[{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hub", "key": "token"}}}]
    ),
    "a limit of tokens, which are no secret": lambda: _pod(env=[{"name": "MAX_TOKENS", "value": "4096"}]),
    "locked memory for EFA": lambda: _pod(securityContext={"capabilities": {"add": ["IPC_LOCK"], "drop": ["ALL"]}}),
    "an image by its digest alone": lambda: _pod(image=f"nvcr.io/nvidia/pytorch@sha256:{'0' * 64}"),
    "a limit that stands for its request": lambda: _pod(resources={"limits": {"cpu": "1", "memory": "1Gi"}}),
    "pools with and without EFA that a taint tells apart (S34)": _both_pools,
    "a driver of a device in the cluster's own namespace": lambda: Manifest(
        "kubernetes:apps/v1:DaemonSet",
        "plugin",
        metadata={"namespace": "kube-system"},
        spec={
            "template": {
                "spec": {
                    "hostNetwork": True,
                    "containers": [
                        {
                            "name": "c",
                            "image": "nvcr.io/nvidia/k8s-device-plugin:v0.19.0",
                            "securityContext": {"privileged": True},
                        }
                    ],
                }
            }
        },
    ),
}


@pytest.mark.parametrize("build", CASES.values(), ids=CASES.keys())
def test_a_safe_configuration_raises_no_alarm(build: Callable[[], object], preview: bool) -> None:
    found = police.judge(RULES, record(build, preview=preview).run)
    assert [(one.rule, one.message) for one in found if one.rule not in ASKS_FOR_MORE] == []
