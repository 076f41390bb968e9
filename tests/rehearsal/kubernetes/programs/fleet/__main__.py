"""A cluster with a pool of GPUs, and a team's workloads in it: the kubeconfig is only known when the cluster is made.

`gpus` and `team` in the settings change it; `elsewhere` puts a namespace into another cluster, `stray` onto the default
provider; `suspended` holds the job back.
"""

import json

import pulumi
import pulumi_aws as aws
import pulumi_kubernetes as k8s

settings = pulumi.Config("fleet").require_object("settings")
region = settings["region"]
in_aws = pulumi.ResourceOptions(
    provider=aws.Provider("main", region=region, allowed_account_ids=[settings["account_id"]])
)


def role(name: str, service: str) -> aws.iam.Role:
    """A role that a service takes on."""
    trust = {"Effect": "Allow", "Principal": {"Service": service}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    return aws.iam.Role(name, assume_role_policy=document, opts=in_aws)


vpc = aws.ec2.Vpc("main", cidr_block="10.50.0.0/16", opts=in_aws)
subnets = [
    aws.ec2.Subnet(
        f"main-{zone}",
        vpc_id=vpc.id,
        cidr_block=f"10.50.{number}.0/24",
        availability_zone=f"{region}{zone}",
        opts=in_aws,
    )
    for number, zone in enumerate("ab")
]
nodes_role = role("nodes", "ec2.amazonaws.com")


def cluster(name: str) -> aws.eks.Cluster:
    """A cluster in the network."""
    return aws.eks.Cluster(
        name,
        role_arn=role(name, "eks.amazonaws.com").arn,
        version="1.35",
        vpc_config={"subnet_ids": [subnet.id for subnet in subnets]},
        opts=in_aws,
    )


def reached(name: str, made: aws.eks.Cluster) -> pulumi.ResourceOptions:
    """A provider for a cluster, from what AWS says of it."""
    token = {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "aws"}
    arguments = ["eks", "get-token", "--cluster-name", made.name, "--region", region]
    server = {"server": made.endpoint, "certificate-authority-data": made.certificate_authority.data}
    kubeconfig = pulumi.Output.json_dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "eks", "cluster": server}],
            "users": [{"name": "aws", "user": {"exec": {**token, "args": arguments}}}],
            "contexts": [{"name": "aws", "context": {"cluster": "eks", "user": "aws"}}],
            "current-context": "aws",
        }
    )
    return pulumi.ResourceOptions(provider=k8s.Provider(name, kubeconfig=kubeconfig))


main = cluster("main")
aws.eks.NodeGroup(
    "train",
    cluster_name=main.name,
    node_role_arn=nodes_role.arn,
    subnet_ids=[subnets[0].id],
    instance_types=["p5.48xlarge"],
    ami_type="AL2023_x86_64_NVIDIA",
    scaling_config={"desired_size": 0, "min_size": 0, "max_size": 2},
    taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}],
    labels={"gpufleet.io/pool": "train"},
    opts=in_aws,
)
inside = reached("main", main)
team = k8s.core.v1.Namespace("team", metadata={"name": settings.get("team", "vision")}, opts=inside)


def pod(gpus: int) -> dict[str, object]:
    """A pod of one container that wants so many GPUs."""
    wants = {"limits": {"nvidia.com/gpu": gpus}, "requests": {"cpu": "4"}}
    return {"containers": [{"name": "main", "image": "registry.example.com/train:1", "resources": wants}]}


labels = {"app.kubernetes.io/name": "server"}
k8s.apps.v1.Deployment(
    "server",
    metadata={"name": "server", "namespace": team.metadata.name},
    spec={
        "replicas": 2,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod(1)},
    },
    opts=inside,
)
k8s.batch.v1.Job(
    "train",
    metadata={"name": "train", "namespace": team.metadata.name},
    spec={
        "suspend": bool(settings.get("suspended")),
        "template": {"spec": {**pod(settings.get("gpus", 7)), "restartPolicy": "Never"}},
    },
    opts=inside,
)
if settings.get("elsewhere"):
    k8s.core.v1.Namespace("other", metadata={"name": "other"}, opts=reached("other", cluster("other")))
if settings.get("stray"):
    k8s.core.v1.Namespace("stray", metadata={"name": "stray"})
