"""A network, a key and a bucket: the smallest program in which every step of a rehearsal has something to prove.

`fail`, `restless`, `ingress_cidr` and `subnet_cidr` in the settings make it wrong in one way each; `guarded` adds what
AWS would not delete and what the program does not want deleted.
"""

import os

import pulumi
import pulumi_aws as aws

settings = pulumi.Config("small").require_object("settings")
account_id, region = settings["account_id"], settings["region"]

provider = aws.Provider(
    "main",
    region=region,
    allowed_account_ids=[account_id],
    default_tags={"tags": {"owner": "tests"}},
)
tags = {"Name": os.urandom(4).hex() if settings.get("restless") else "small"}
made_here = pulumi.ResourceOptions(provider=provider)

vpc = aws.ec2.Vpc("main", cidr_block="10.40.0.0/16", enable_dns_hostnames=True, tags=tags, opts=made_here)
subnet = aws.ec2.Subnet(
    "main-a",
    vpc_id=vpc.id,
    cidr_block=settings.get("subnet_cidr", "10.40.0.0/20"),
    availability_zone=f"{region}a",
    opts=made_here,
)
group = aws.ec2.SecurityGroup("main", description="Inside only", vpc_id=vpc.id, opts=made_here)
aws.vpc.SecurityGroupIngressRule(
    "main-https",
    security_group_id=group.id,
    ip_protocol="tcp",
    from_port=443,
    to_port=443,
    cidr_ipv4=settings.get("ingress_cidr", "10.40.0.0/16"),
    opts=made_here,
)
key = aws.kms.Key(
    "data", description="Encrypts the bucket", enable_key_rotation=True, deletion_window_in_days=7, opts=made_here
)
bucket = aws.s3.Bucket("data", opts=made_here)
if settings.get("guarded"):
    aws.cloudwatch.LogGroup("audit", deletion_protection_enabled=True, opts=made_here)
    kept = pulumi.ResourceOptions(provider=provider, retain_on_delete=True)
    aws.iam.ServiceLinkedRole("spot", aws_service_name="spot.amazonaws.com", opts=kept)
if settings.get("fail"):
    raise ValueError(settings["fail"])

pulumi.export("vpc_id", vpc.id)
pulumi.export("subnet_id", subnet.id)
pulumi.export("bucket", bucket.bucket)
