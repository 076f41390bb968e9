"""A small Pulumi program on disk: pools, a NAT gateway and a bucket, as its settings say."""

from pathlib import Path

from gpufleet.plan import project
from gpufleet.plan.project import Project

PROGRAM = """
import pulumi
import pulumi_aws as aws

settings = pulumi.Config("shop").require_object("settings")
provider = aws.Provider("main", region=settings.get("region", "us-east-1"), allowed_account_ids=["111122223333"],
                        default_tags={"tags": {"owner": settings.get("owner", "tests")}})
opts = pulumi.ResourceOptions(provider=provider)
vpc = aws.ec2.Vpc("main", cidr_block=settings.get("cidr", "10.0.0.0/16"), opts=opts)
subnet = aws.ec2.Subnet("a", vpc_id=vpc.id, cidr_block="10.0.0.0/20", opts=opts)
aws.ec2.NatGateway("nat", subnet_id=subnet.id, connectivity_type="private", opts=opts)
template = aws.ec2.LaunchTemplate("nodes", opts=opts, block_device_mappings=[
    {"device_name": "/dev/xvda", "ebs": {"volume_size": settings.get("gib", 100), "volume_type": "gp3"}}])
for pool in settings["pools"]:
    aws.eks.NodeGroup(pool["name"], cluster_name="main", node_role_arn="arn:aws:iam::111122223333:role/node",
        subnet_ids=[subnet.id], instance_types=pool["types"], capacity_type=pool.get("capacity", "ON_DEMAND"),
        launch_template={"id": template.id, "version": template.latest_version.apply(str)},
        labels={"gpufleet.io/pool": pool["name"], "gpufleet.io/use": pool.get("use", "training")},
        scaling_config={"min_size": pool["min"], "max_size": pool["max"], "desired_size": pool["min"]},
        opts=pulumi.ResourceOptions(provider=provider, ignore_changes=["scalingConfig.desiredSize"]))
for name in settings.get("buckets", ["data"]):
    aws.s3.Bucket(name, bucket=f"shop-{name}" if settings.get("named") else None, opts=opts,
                  tags={"gpufleet-workspace": "vision"})
"""
SETTINGS = """
config:
  shop:settings:
    pools:
      - {name: train, types: [p5.48xlarge], min: 0, max: 4}
      - {name: dev, types: [g6.2xlarge, g6.4xlarge], min: 1, max: 3, capacity: SPOT, use: interactive}
"""


def write(folder: Path) -> Path:
    """Write the program; returns its folder."""
    (folder / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    (folder / "Pulumi.dev.yaml").write_text(SETTINGS, encoding="utf-8")
    (folder / "__main__.py").write_text(PROGRAM, encoding="utf-8")
    return folder


def load(folder: Path, *overrides: str) -> Project:
    """The program's stack, changed by settings."""
    return project.load(folder, "dev", overrides=overrides)
