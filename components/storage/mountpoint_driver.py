"""The driver that mounts buckets into pods, as an EKS add-on."""

import json
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from . import mountpoint


@dataclass(frozen=True, kw_only=True)
class MountpointDriverArgs:
    """What a `MountpointDriver` is made from."""

    cluster_name: pulumi.Input[str]
    """Take it from what waits for nodes: EKS waits until the add-on runs."""
    role_arn: pulumi.Input[str] | None = None
    """A role for volumes that are mounted as the driver. Left out, volumes are mounted as their pods, each with its
    own role, or not at all."""
    addon_version: str | None = None
    """Left out, the one that EKS holds right for the cluster's version."""


class MountpointDriver(pulumi.ComponentResource):
    """The `aws-mountpoint-s3-csi-driver` add-on, on every node that may have a GPU.

    Deliberately not: volumes and claims (see `mountpoint.manifests`), the role.
    """

    addon_arn: pulumi.Output[str]

    def __init__(self, name: str, args: MountpointDriverArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:MountpointDriver", name, None, opts)
        args = typed(args, MountpointDriverArgs)

        identities = None
        if args.role_arn is not None:
            identities = [
                aws.eks.AddonPodIdentityAssociationArgs(
                    role_arn=args.role_arn, service_account=mountpoint.SERVICE_ACCOUNT
                )
            ]
        addon = aws.eks.Addon(
            name,
            cluster_name=args.cluster_name,
            addon_name=mountpoint.ADDON,
            addon_version=args.addon_version,
            configuration_values=json.dumps(mountpoint.DRIVER_VALUES),
            resolve_conflicts_on_create="OVERWRITE",
            resolve_conflicts_on_update="OVERWRITE",
            pod_identity_associations=identities,
            opts=pulumi.ResourceOptions(parent=self),
        )

        self.addon_arn = addon.arn
        self.register_outputs({"addonArn": self.addon_arn})
