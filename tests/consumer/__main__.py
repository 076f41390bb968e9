"""A small GPU cluster out of single components."""

import pulumi
import pulumi_aws as aws
from gpufleet.components import (
    EncryptedBucket,
    EncryptedBucketArgs,
    EncryptionKey,
    EncryptionKeyArgs,
    GpuCluster,
    GpuClusterArgs,
    GpuPool,
    GpuPoolArgs,
    NodeRole,
    NodeRoleArgs,
    PrivateNetwork,
    PrivateNetworkArgs,
    SpendBudget,
    SpendBudgetArgs,
)

ACCOUNT = pulumi.Config().require("account")
REGION, PARTITION = "eu-west-1", "aws"
TAGS = {"owner": "vision", "cost-center": "4410", "expires": "2027-06-30"}

provider = aws.Provider(
    "aws",
    region=REGION,
    allowed_account_ids=[ACCOUNT],
    default_tags=aws.ProviderDefaultTagsArgs(tags=TAGS),
)
opts = pulumi.ResourceOptions(providers=[provider])


def key(purpose: str, **more: bool | list[str]) -> EncryptionKey:
    """A key for one purpose."""
    args = EncryptionKeyArgs(
        purpose=purpose,
        alias=f"vision/{purpose}",
        account_id=ACCOUNT,
        region=REGION,
        partition=PARTITION,
        **more,
    )
    return EncryptionKey(purpose, args, opts)


logs, secrets, volumes, data = (
    key("logs", service_principals=["logs"]),
    key("secrets"),
    key("volumes", for_node_volumes=True),
    key("data"),
)
network = PrivateNetwork(
    "network",
    PrivateNetworkArgs(
        account_id=ACCOUNT,
        region=REGION,
        cidr="10.8.0.0/18",
        zones=["eu-west-1a", "eu-west-1b"],
        egress="single-nat",
        flow_log_key_arn=logs.key_arn,
    ),
    opts,
)
cluster = GpuCluster(
    "cluster",
    GpuClusterArgs(
        cluster_name="vision",
        account_id=ACCOUNT,
        region=REGION,
        partition=PARTITION,
        kubernetes_version="1.35",
        vpc_id=network.vpc_id,
        vpc_cidr="10.8.0.0/18",
        subnet_ids=network.intra_subnet_ids.apply(lambda ids: list(ids.values())),
        secrets_key_arn=secrets.key_arn,
        log_key_arn=logs.key_arn,
    ),
    opts,
)
role = NodeRole("node", NodeRoleArgs(partition=PARTITION), opts)
pool = GpuPool(
    "l4",
    GpuPoolArgs(
        pool_name="l4",
        cluster_name=cluster.cluster_name,
        kubernetes_version="1.35",
        node_role_arn=role.role_arn,
        region=REGION,
        zones=["eu-west-1a", "eu-west-1b"],
        subnet_ids=network.private_subnet_ids,
        security_group_ids=[cluster.node_security_group_id],
        volume_key_arn=volumes.key_arn,
        instance_types=["g6.xlarge", "g6.2xlarge"],
        purchase="spot",
        max_nodes=2,
        tags=TAGS,
    ),
    opts,
)
SpendBudget(
    "budget",
    SpendBudgetArgs(
        budget_name="vision",
        monthly_usd=2000,
        max_hourly_usd=5,
        alert_emails=["vision@example.com"],
        tag_key="owner",
        tag_value="vision",
    ),
    opts,
)
bucket = EncryptedBucket(
    "datasets", EncryptedBucketArgs(purpose="datasets", key_arn=data.key_arn, partition=PARTITION), opts
)
pulumi.export("pool", pool.node_group_name)
pulumi.export("bucket", bucket.bucket_name)
