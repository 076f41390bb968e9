"""What is inside a region's cluster: device plugins, Karpenter and the pools that it scales."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kubernetes as k8s

from components import (
    ClusterDns,
    DevicePlugins,
    DevicePluginsArgs,
    EfaGroup,
    EncryptionKey,
    GpuCluster,
    Karpenter,
    KarpenterAccess,
    KarpenterAccessArgs,
    KarpenterArgs,
    KarpenterPool,
    KarpenterPoolArgs,
    NodeHealth,
    NodeHealthArgs,
    NodeRole,
    NodeRoleArgs,
    PrivateNetwork,
)
from components.compute.design import as_document
from components.compute.design.shapes import Design
from components.devices import images, provision
from stacks.platform import data, pools
from stacks.platform.place import Place
from stacks.settings import Pool, Region, Settings


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What stands already, and what is inside hangs on."""

    network: PrivateNetwork
    cluster: GpuCluster
    dns: ClusterDns
    volumes: EncryptionKey
    efa: EfaGroup | None
    image_cache: pulumi.Output[str] | None
    pushed_images: Mapping[str, pulumi.Output[str]]
    """The stack's own repositories, by name."""


def build(place: Place, region: Region, settings: Settings, around: Surroundings) -> Mapping[str, KarpenterPool]:
    """The elastic pools by name; without a pool nothing goes into the cluster."""
    decided = pools.decided(place, region, settings)
    if not decided:
        return {}
    opts = _with_kubernetes(place, around.cluster)
    _devices(place, region, list(decided.values()), around, opts)
    elastic = [pool for pool in region.pools if decided[pool.name].scaler == "karpenter"]
    return _elastic(place, region, settings, elastic, around, opts) if elastic else {}


def _devices(
    place: Place, region: Region, decided: Sequence[Design], around: Surroundings, opts: pulumi.ResourceOptions
) -> None:
    """What tells Kubernetes of GPUs and EFA interfaces, and EKS of those that are ill."""
    closed = region.network.egress == "none"
    NodeHealth(place.named("node-health"), NodeHealthArgs(cluster_name=around.dns.cluster_name), place.opts)
    pushed, documents = around.pushed_images, [as_document(design) for design in decided]
    providers = set(provision.providers(provision.pools(documents)).values())
    charts = sorted(providers & {provision.PLUGIN, provision.OPERATOR})
    needed = [image.partition(":")[0] for image in images.to_push(charts)]
    if closed and (missing := sorted(set(needed) - pushed.keys())):
        pulumi.log.warn(
            f"{place.region}: without a way out the nodes cannot pull {', '.join(missing)}, so no device plugin is "
            "installed and no pod gets a GPU; add them to registry.repositories and push the images there"
        )
        return
    DevicePlugins(
        place.named("devices"),
        DevicePluginsArgs(
            cluster_name=around.dns.cluster_name,
            region=place.region,
            designs=documents,
            closed=closed,
            image_registry=around.image_cache,
            nvidia_registry=next((_registry(url, name) for name, url in pushed.items() if name in needed), None),
        ),
        opts,
    )


def _registry(url: pulumi.Output[str], name: str) -> pulumi.Output[str]:
    """HOST/PREFIX before a repository's own name."""
    return url.apply(lambda known: known.removesuffix(f"/{name}"))


def _elastic(
    place: Place,
    region: Region,
    settings: Settings,
    elastic: Sequence[Pool],
    around: Surroundings,
    opts: pulumi.ResourceOptions,
) -> Mapping[str, KarpenterPool]:
    closed = region.network.egress == "none"
    access = _access(place, region, around, isolated=closed)
    controller = Karpenter(
        place.named("karpenter"),
        KarpenterArgs(
            cluster_name=around.dns.cluster_name,
            queue_name=access.queue_name,
            service_account=access.controller_service_account,
            isolated=closed,
            image_registry=around.image_cache,
            replicas=min(2, region.cluster.system.nodes.min),
        ),
        opts,
    )
    return {
        pool.name: KarpenterPool(
            place.named(f"pool-{pool.name}"),
            KarpenterPoolArgs(
                **pools.wish(place, region, settings, pool),
                cluster_name=controller.cluster_name,
                node_role_name=None if closed else access.node_role_name,
                instance_profile_name=access.instance_profile_name if closed else None,
                subnet_ids=around.network.private_subnet_ids,
                security_group_ids=[around.cluster.node_security_group_id],
                efa_security_group_id=around.efa.security_group_id if around.efa is not None else None,
                volume_key_arn=around.volumes.key_arn,
            ),
            opts,
        )
        for pool in sorted(elastic, key=lambda pool: pool.name)
    }


def _access(place: Place, region: Region, around: Surroundings, *, isolated: bool) -> KarpenterAccess:
    role = NodeRole(
        # Not the role of the node groups: EKS makes the entry of theirs by itself.
        place.named("karpenter-node"),
        NodeRoleArgs(
            partition=place.partition,
            permissions_boundary_arn=place.boundary_arn,
            policies=data.pull_policies(place, region),
        ),
        place.opts,
    )
    return KarpenterAccess(
        place.named("karpenter-access"),
        KarpenterAccessArgs(
            account_id=place.account_id,
            region=place.region,
            partition=place.partition,
            cluster_name=place.cluster_name,
            cluster=around.cluster.cluster_name,
            node_role_arn=role.role_arn,
            node_role_name=role.role_name,
            volume_key_arns=[around.volumes.key_arn],
            isolated=isolated,
            permissions_boundary_arn=place.boundary_arn,
        ),
        place.opts,
    )


def _with_kubernetes(place: Place, cluster: GpuCluster) -> pulumi.ResourceOptions:
    """The region's providers, one for the cluster's API among them: whoever runs `pulumi up` must reach it."""
    provider = k8s.Provider(
        place.named("kubernetes"),
        kubeconfig=pulumi.Output.all(cluster.cluster_name, cluster.endpoint, cluster.certificate_authority).apply(
            lambda known: _kubeconfig(place.region, *known)
        ),
        enable_server_side_apply=True,
        delete_unreachable=False,
    )
    return pulumi.ResourceOptions.merge(place.opts, pulumi.ResourceOptions(providers=[provider]))


def _kubeconfig(region: str, name: str, endpoint: str, authority: str) -> str:
    """Without a credential in it: the AWS command line gives a token, good for a quarter of an hour, to who may."""
    token = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": "aws",
        "args": ["eks", "get-token", "--cluster-name", name, "--region", region, "--output", "json"],
        "interactiveMode": "Never",
    }
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": endpoint, "certificate-authority-data": authority}}],
        "users": [{"name": name, "user": {"exec": token}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
    return json.dumps(config, sort_keys=True)
