"""Breaks many rules, on resources and on the stack, with values that a preview knows and with some that it does not."""

import json

import pulumi
import pulumi_aws as aws

vpc = aws.ec2.Vpc("network", cidr_block="10.0.0.0/16", enable_dns_hostnames=True)
subnet = aws.ec2.Subnet("open", vpc_id=vpc.id, cidr_block="10.0.0.0/24", map_public_ip_on_launch=True)
group = aws.ec2.SecurityGroup("ssh", vpc_id=vpc.id, description="Anybody's")
aws.vpc.SecurityGroupIngressRule(
    "ssh-from-anywhere",
    security_group_id=group.id,
    ip_protocol="tcp",
    from_port=22,
    to_port=22,
    cidr_ipv4="0.0.0.0/0",
)
aws.vpc.SecurityGroupEgressRule("out", security_group_id=group.id, ip_protocol="-1", cidr_ipv4="0.0.0.0/0")
for name in ("datasets", "scratch"):
    aws.s3.Bucket(name)
for name in ("data", "imported"):
    aws.kms.Key(name, deletion_window_in_days=30, enable_key_rotation=False)
aws.cloudwatch.LogGroup("audit", retention_in_days=3)
role = aws.iam.Role(
    "worker",
    assume_role_policy=json.dumps(
        {
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}],
        }
    ),
)
aws.iam.RolePolicy(
    "everything",
    role=role.id,
    policy=json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}),
)
aws.ec2.LaunchTemplate(
    "nodes",
    block_device_mappings=[{"device_name": "/dev/xvda", "ebs": {"volume_size": 100}}],
    metadata_options={"http_tokens": "optional", "http_put_response_hop_limit": 3},
)
aws.sqs.Queue("jobs", sqs_managed_sse_enabled=False)
pulumi.export("vpc", vpc.id)
