"""Wrong networks, clusters and stores are answered with the path, the value, what is allowed and the fix."""

import pytest

from tests.stacks.test_settings import Change, R, refusal, region

WRONG: dict[str, tuple[Change, str]] = {
    "a mistyped key": (
        lambda s: region(s)["network"].update(cidrr="10.0.0.0/16"),
        f"{R}.network.cidrr: no such setting\n"
        "  allowed: cidr, zones, egress, endpoints, pod_cidr, s3_readable_buckets, flow_log_days\n"
        "  fix: rename it to cidr",
    ),
    "a CIDR that is too small": (
        lambda s: region(s)["network"].update(cidr="10.0.0.0/24"),
        f"{R}.network.cidr: '10.0.0.0/24'\n  allowed: a private IPv4 block of /16 to /20, such as 10.20.0.0/16\n",
    ),
    "a public API without CIDRs": (
        lambda s: region(s)["cluster"].update(api={"public_cidrs": []}),
        f"{R}.cluster.api.public_cidrs: []\n  allowed: at least 1 of them\n"
        "  fix: set public_cidrs to the networks that may call the public API endpoint",
    ),
    "a public API by its name alone": (
        lambda s: region(s)["cluster"].update(api="public"),
        f"{R}.cluster.api: 'public'\n  allowed: private, or a mapping with public_cidrs\n",
    ),
    "an API open to the world": (
        lambda s: region(s)["cluster"].update(api={"public_cidrs": ["0.0.0.0/0"]}),
        f"{R}.cluster.api.public_cidrs.0: '0.0.0.0/0'\n"
        "  allowed: a public IPv4 CIDR of /8 or narrower, such as 203.0.113.0/24\n",
    ),
    "zones of another region": (
        lambda s: region(s)["network"].update(zones=["us-east-1a", "us-west-2a"]),
        f"{R}.network.zones.1: 'us-west-2a'\n"
        "  allowed: zones of us-east-1, such as us-east-1a\n"
        "  fix: name a zone of this region",
    ),
    "a number of zones in place of their names": (
        lambda s: region(s)["network"].update(zones=3),
        f"{R}.network.zones: 3\n  allowed: a list\n  fix: set zones to availability zones by name, at least two",
    ),
    "an unsupported Kubernetes version": (
        lambda s: region(s)["cluster"].update(kubernetes="1.29"),
        f"{R}.cluster.kubernetes: '1.29'\n  allowed: 1.34, 1.35, 1.36\n  fix: write kubernetes: \"1.35\"",
    ),
    "a version that YAML read as a number": (
        lambda s: region(s)["cluster"].update(kubernetes=1.35),
        f"{R}.cluster.kubernetes: 1.35\n  allowed: text (quote it in YAML)\n",
    ),
    "a closed network without the endpoints that nodes need": (
        lambda s: region(s)["network"].update(egress="none", endpoints=["ecr.dkr"]),
        f"{R}.network.endpoints: ['ecr.dkr']\n"
        "  allowed: with egress none at least ec2, ecr.api, ecr.dkr, eks, eks-auth, logs, sts\n"
        "  fix: add ec2, ecr.api, eks, eks-auth, logs, sts, or write endpoints: auto",
    ),
    "a bucket for another purpose": (
        lambda s: region(s)["storage"]["buckets"].update(dataset={}),
        f"{R}.storage.buckets.dataset: 'dataset'\n"
        "  allowed: datasets, checkpoints, artifacts or scratch\n"
        "  fix: did you mean datasets?",
    ),
    "an endpoint of a service that has none": (
        lambda s: region(s)["network"].update(endpoints=["ecr.apii"]),
        f"{R}.network.endpoints: 'ecr.apii'\n"
        "  allowed: short names of AWS services with a VPC endpoint\n"
        "  fix: did you mean",
    ),
    "more nodes than the subnets have addresses for": (
        lambda s: (
            region(s)["network"].update(cidr="10.20.0.0/20"),
            region(s)["pools"][0]["nodes"].update(max=40),
            s["budget"].update(max_hourly_usd=500),
        ),
        f"{R}.network.cidr: '10.20.0.0/20'\n  allowed: a block in which every subnet holds what may come to it\n"
        "  fix: the private subnet of us-east-1a, 10.20.0.0/24, has 251 addresses and needs ",
    ),
    "pods in a block that is not for them": (
        lambda s: region(s)["network"].update(pod_cidr="10.99.0.0/16"),
        f"{R}.network.pod_cidr: '10.99.0.0/16'\n  allowed: a block of /16 to /18 inside 100.64.0.0/10\n",
    ),
    "a cache of a bucket that is not there": (
        lambda s: region(s)["storage"].update(lustre={"size_gib": 1200, "zone": "us-east-1a", "from": "artifacts"}),
        f"{R}.storage.lustre.from: 'artifacts'\n  allowed: a bucket of the region: datasets, checkpoints, scratch\n",
    ),
    "a cache of a size that is not sold": (
        lambda s: region(s)["storage"].update(lustre={"size_gib": 1300, "zone": "us-east-1a", "from": "datasets"}),
        f"{R}.storage.lustre.size_gib: 1300\n  allowed: what FSx sells\n",
    ),
    "training in another zone than its data": (
        lambda s: (
            region(s)["storage"].update(lustre={"size_gib": 1200, "zone": "us-east-1a", "from": "datasets"}),
            region(s)["pools"][0].update(use="training", purchase="on-demand", zones=["us-east-1b"]),
        ),
        f"{R}.pools.0.zones: ['us-east-1b']\n  allowed: the zone of the data that training reads: us-east-1a\n",
    ),
    "a copy in a region that the environment lacks": (
        lambda s: region(s)["storage"]["buckets"]["datasets"].update(replicate_to="eu-west-1"),
        f"{R}.storage.buckets.datasets.replicate_to: ['eu-west-1']\n"
        "  allowed: none: no other region of the environment has such a bucket\n",
    ),
    "a registry that ECR does not fetch from": (
        lambda s: region(s).update(image_cache={"registries": ["nvcr.io"]}),
        f"{R}.image_cache.registries: ['nvcr.io']\n"
        "  allowed: registries that ECR fetches from\n"
        "  fix: 'nvcr.io' is not one",
    ),
    "a registry that asks who pulls": (
        lambda s: region(s).update(image_cache={"registries": ["docker.io"]}),
        f"{R}.image_cache.credentials: {{}}\n  allowed: the ARN of a secret for each of docker.io\n",
    ),
    "an API open to addresses that no caller from outside has": (
        lambda s: region(s)["cluster"].update(api={"public_cidrs": ["10.0.0.0/8"]}),
        f"{R}.cluster.api.public_cidrs.0: '10.0.0.0/8'\n  allowed: a public IPv4 CIDR of /8 or narrower",
    ),
    "an administrator of another partition": (
        lambda s: region(s)["cluster"].update(admins=["arn:aws-cn:iam::111122223333:role/a"]),
        f"{R}.cluster.admins.0: 'arn:aws-cn:iam::111122223333:role/a'\n"
        "  allowed: an ARN of this partition, arn:aws:...\n  fix: write role/NAME",
    ),
    "two administrators whose names end alike": (
        lambda s: region(s)["cluster"].update(admins=["role/a", "role/team/a"]),
        f"{R}.cluster.admins.1: 'role/team/a'\n  allowed: principals whose names end differently than that of role/a\n",
    ),
    "an image cache where ECR has none": (
        lambda s: s.update(
            regions={
                "us-gov-west-1": {
                    "network": {"cidr": "10.9.0.0/16", "zones": ["us-gov-west-1a", "us-gov-west-1b"]},
                    "cluster": {"admins": ["role/a"]},
                    "image_cache": {"registries": ["quay.io"]},
                }
            }
        ),
        "gpufleet:settings.regions.us-gov-west-1.image_cache: ['quay.io']\n"
        "  allowed: none in aws-us-gov, where ECR fetches from no other registry\n",
    ),
    "an endpoint for S3 beside its gateway": (
        lambda s: region(s)["network"].update(endpoints=["s3"]),
        f"{R}.network.endpoints: 's3'\n  allowed: services that have no gateway of their own\n  fix: leave it out",
    ),
    "a bucket to read that no bucket can be called": (
        lambda s: region(s)["network"].update(s3_readable_buckets=["A_B"]),
        f"{R}.network.s3_readable_buckets: ['A_B']\n  allowed: names of buckets\n  fix: 'A_B' not a bucket's name",
    ),
    "a repository that ECR does not take": (
        lambda s: region(s).update(registry={"repositories": ["Trainer"]}),
        f"{R}.registry.repositories: ['Trainer']\n  allowed: names of repositories, each once\n",
    ),
    "a login for a registry that takes none": (
        lambda s: region(s).update(
            image_cache={"registries": ["quay.io"], "credentials": {"quay.io": "arn:aws:secretsmanager:x"}}
        ),
        f"{R}.image_cache.credentials: {{'quay.io': 'arn:aws:secretsmanager:x'}}\n  allowed: registries, and for those",
    ),
    "system nodes with GPUs": (
        lambda s: region(s)["cluster"].update(system={"instance_types": ["g6.xlarge"]}),
        f"{R}.cluster.system.instance_types: ['g6.xlarge']\n  allowed: general types of one architecture\n",
    ),
    "a cluster without system nodes": (
        lambda s: region(s)["cluster"].update(system={"nodes": {"min": 0, "max": 2}}),
        f"{R}.cluster.system.nodes.min: 0\n  allowed: 1 to max (2)\n",
    ),
    "the id of a zone in another region": (
        lambda s: region(s)["storage"].update(express={"zone": "us-east-1a", "zone_id": "usw2-az4"}),
        f"{R}.storage.express.zone_id: 'usw2-az4'\n  allowed: the id of a zone in us-east-1: use1-az1\n",
    ),
    "a copy beside the bucket itself": (
        lambda s: region(s)["storage"]["buckets"]["datasets"].update(replicate_to="us-east-1"),
        f"{R}.storage.buckets.datasets.replicate_to: ['us-east-1']\n"
        "  allowed: none: no other region of the environment has such a bucket\n  fix: leave it out: a copy beside",
    ),
    "a cluster that nobody may enter": (
        lambda s: (region(s)["cluster"].update(admins=[]), s.update(workspaces=[])),
        f"{R}.cluster.admins: []\n  allowed: somebody who may enter the cluster\n",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_answered_with_path_value_allowed_and_fix(name: str):
    change, expected = WRONG[name]
    message = refusal(change)
    assert message.startswith(expected)
    assert message.count("allowed:") == 1
