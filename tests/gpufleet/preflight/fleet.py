"""A small program to ask about: one region, a network, a cluster, and whatever pools a test wants."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pulumi
import pulumi_aws as aws

from gpufleet.plan import offline
from gpufleet.plan.project import Project
from gpufleet.preflight import places, pools
from gpufleet.preflight.asking import Aws, Deadline
from gpufleet.preflight.results import CouldNotAsk, Result
from gpufleet.preflight.site import Site
from tests.gpufleet.preflight.recorded import ACCOUNT, REGION

TAGS = {"owner": "vision", "stack": "trial"}
ZONES = ("a", "b", "c")
PROJECT = Project(
    directory=Path("/nowhere"), name="trial", main=".", stack="dev", config={}, secret_keys=(), source="Pulumi.dev.yaml"
)


class Network:
    """What the pools of a test stand on."""

    def __init__(self, region: str = REGION, accounts: Sequence[str] = (ACCOUNT,), **cluster: Any) -> None:
        self.region = region
        self.provider = aws.Provider(
            "aws", region=region, allowed_account_ids=list(accounts), default_tags={"tags": TAGS}
        )
        self.opts = pulumi.ResourceOptions(provider=self.provider)
        self.vpc = aws.ec2.Vpc("network", cidr_block="10.0.0.0/16", opts=self.opts)
        self.subnets = {
            letter: aws.ec2.Subnet(
                letter,
                vpc_id=self.vpc.id,
                cidr_block=f"10.0.{number}.0/24",
                availability_zone=f"{region}{letter}",
                tags={"zone": letter, "discover": "yes"},
                opts=self.opts,
            )
            for number, letter in enumerate(ZONES)
        }
        self.cluster = aws.eks.Cluster(
            "cluster",
            name="trial",
            role_arn=f"arn:aws:iam::{ACCOUNT}:role/cluster",
            version=cluster.pop("version", "1.35"),
            vpc_config={"subnet_ids": [subnet.id for subnet in self.subnets.values()]},
            opts=self.opts,
            **cluster,
        )

    def pool(
        self,
        name: str,
        types: Sequence[str],
        *,
        zones: str = "abc",
        most: int = 2,
        least: int = 0,
        capacity: str = "ON_DEMAND",
        template: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> aws.eks.NodeGroup:
        """A managed node group."""
        made = aws.ec2.LaunchTemplate(f"{name}-template", opts=self.opts, **dict(template or {}))
        return aws.eks.NodeGroup(
            name,
            cluster_name=self.cluster.name,
            node_role_arn=f"arn:aws:iam::{ACCOUNT}:role/node",
            instance_types=list(types) or None,
            capacity_type=capacity,
            ami_type=more.pop("ami_type", "AL2023_x86_64_NVIDIA"),
            subnet_ids=[self.subnets[letter].id for letter in zones],
            scaling_config={"min_size": least, "max_size": most, "desired_size": least},
            launch_template={"id": made.id, "version": "1"},
            opts=self.opts,
            **more,
        )

    def karpenter(
        self, name: str, requirements: Sequence[Mapping[str, Any]], *, limits: Mapping[str, str], **node_class: Any
    ) -> None:
        """A NodePool and its EC2NodeClass."""
        opts = pulumi.ResourceOptions(depends_on=[self.cluster])
        spec = {"subnetSelectorTerms": [{"tags": {"discover": "yes"}}], **node_class}
        pulumi.CustomResource(
            "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass", name, {"metadata": {"name": name}, "spec": spec}, opts
        )
        asked = {"nodeClassRef": {"name": name}, "requirements": list(requirements)}
        pulumi.CustomResource(
            "kubernetes:karpenter.sh/v1:NodePool",
            name,
            {"metadata": {"name": name}, "spec": {"limits": dict(limits), "template": {"spec": asked}}},
            opts,
        )


def at_least(key: str, *values: str) -> dict[str, Any]:
    """A requirement of Karpenter's."""
    return {"key": key, "operator": "In", "values": list(values)}


def planned(entry: Callable[[], object]) -> list[places.Place]:
    return places.read(offline.run(entry, project="trial", stack="dev", preview=False), PROJECT)


def sites(entry: Callable[[], object], session: Any) -> list[Site]:
    found = [(place, tuple(pools.read(place))) for place in planned(entry)]
    return [
        Site(
            place=place,
            pools=there,
            account_pools=tuple(pool for _, others in found for pool in others),
            aws=Aws(session, place.region, Deadline(60)),
            account_id=ACCOUNT,
        )
        for place, there in found
    ]


def asked(check: Callable[[Site], Any], entry: Callable[[], object], session: Any) -> list[Result]:
    """The results of a check at every place of a program."""
    found: list[Result] = []
    for site in sites(entry, session):
        try:
            found += check(site)
        except CouldNotAsk as error:
            found.append(error.result("everything"))
    return found


def said(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Status and sentence."""
    return [(one.status, one.what) for one in results]
