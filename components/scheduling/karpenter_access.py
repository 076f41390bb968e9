"""What Karpenter needs of AWS: a role for its controller, word of what EC2 takes back, and entry for its nodes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_aws as aws

from ..arguments import typed
from ..identity import exact_names
from ..identity.grants import karpenter_controller
from ..identity.grants.place import Place
from ..identity.pod_role import PodRole, PodRoleArgs
from ..identity.statements import Statement, document, managed
from ..ordering import after

NAMESPACE, SERVICE_ACCOUNT = "kube-system", "karpenter"
"""Where the chart puts the controller. In kube-system the API server serves it before all others.
https://karpenter.sh/docs/getting-started/getting-started-with-karpenter/#preventing-apiserver-request-throttling"""

RETENTION_SECONDS = 300
"""A notice that is older concerns an instance that is gone."""

NOTICES = {
    "health": ("aws.health", "AWS Health Event"),
    "spot": ("aws.ec2", "EC2 Spot Instance Interruption Warning"),
    "rebalance": ("aws.ec2", "EC2 Instance Rebalance Recommendation"),
    "state": ("aws.ec2", "EC2 Instance State-change Notification"),
    "reservation": ("aws.ec2", "EC2 Capacity Reservation Instance Interruption Warning"),
}
"""What the controller hears of: a short name -> source and kind of event.
https://github.com/aws/karpenter-provider-aws/blob/v1.14.1/website/content/en/v1.14/getting-started/getting-started-with-karpenter/cloudformation.yaml"""


TARGET = "karpenter-queue"
"""The queue's name within each rule."""


@dataclass(frozen=True, kw_only=True)
class KarpenterAccessArgs:
    """What a `KarpenterAccess` is made from."""

    account_id: str
    region: str
    partition: str
    cluster_name: str
    """A plain string: the controller's policies hold it in the names of tags."""
    cluster: pulumi.Input[str]
    """The same name as the cluster hands it out (`GpuCluster.cluster_name`), so that all here comes after it."""
    node_role_arn: pulumi.Input[str]
    """Of a `NodeRole` that no managed node group has: EKS makes the entry of a group's role by itself, and takes one
    entry a role."""
    node_role_name: pulumi.Input[str]
    """Of the same role."""
    volume_key_arns: Sequence[pulumi.Input[str]] = ()
    """Keys of the nodes' volumes. The account's IAM policies must govern them, as they do an `EncryptionKey`."""
    isolated: bool = False
    """Whether the network has no way out. IAM has no endpoint in a VPC, so the instance profile of the nodes is made
    here and the controller may make none."""
    path: str = "/"
    """Before the names of the role and the profile, where the organisation asks for one: `/gpufleet/`."""
    permissions_boundary_arn: pulumi.Input[str] | None = None

    def __post_init__(self) -> None:
        exact_names.arn("node_role_arn", self.node_role_arn)
        exact_names.path("path", self.path)
        if isinstance(self.cluster, str) and self.cluster != self.cluster_name:
            raise ValueError(f"cluster: {self.cluster!r} is another cluster than cluster_name, {self.cluster_name!r}")


class KarpenterAccess(pulumi.ComponentResource):
    """The AWS half of Karpenter, for one cluster.

    Creates: a queue, the rules that put EC2's notices into it; the controller's role, by Pod Identity; the entry by
    which its nodes join the cluster; their instance profile where the controller cannot make one. Deliberately not:
    the nodes' role, the controller itself (see `Karpenter`), the service-linked role of spot (`ServiceLinkedRoles`).
    """

    queue_name: pulumi.Output[str]
    """Whoever takes it waits until notices arrive."""
    controller_service_account: pulumi.Output[str]
    """Whoever takes it waits for the role with its policies, its association, and the entry of the nodes."""
    node_role_name: pulumi.Output[str]
    """For node classes outside a closed network; nodes that have it can join."""
    instance_profile_name: pulumi.Output[str]
    """For node classes in a closed network; empty elsewhere."""

    def __init__(self, name: str, args: KarpenterAccessArgs, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("gpufleet:index:KarpenterAccess", name, None, opts)
        args = typed(args, KarpenterAccessArgs)
        child = pulumi.ResourceOptions(parent=self)

        queue = aws.sqs.Queue(
            name, sqs_managed_sse_enabled=True, message_retention_seconds=RETENTION_SECONDS, opts=child
        )
        delivery = _deliver(name, queue, child)

        place = Place(account_id=args.account_id, region=args.region, partition=args.partition)
        controller = PodRole(
            f"{name}-controller",
            PodRoleArgs(
                account_id=args.account_id,
                cluster_name=args.cluster,
                cluster_arn=place.arn("eks", f"cluster/{args.cluster_name}"),
                namespace=NAMESPACE,
                service_account=SERVICE_ACCOUNT,
                policies=managed(
                    karpenter_controller.parts(
                        place,
                        args.cluster_name,
                        args.node_role_arn,
                        queue.arn,
                        args.volume_key_arns,
                        isolated=args.isolated,
                    )
                ),
                path=args.path,
                permissions_boundary_arn=args.permissions_boundary_arn,
            ),
            child,
        )
        entry = aws.eks.AccessEntry(
            f"{name}-nodes", cluster_name=args.cluster, principal_arn=args.node_role_arn, type="EC2_LINUX", opts=child
        )

        self.queue_name = after(queue.name, *delivery)
        self.controller_service_account = after(controller.service_account, controller, entry)
        self.node_role_name = after(args.node_role_name, entry)
        self.instance_profile_name = pulumi.Output.from_input("")
        if args.isolated:
            profile = aws.iam.InstanceProfile(f"{name}-nodes", role=args.node_role_name, path=args.path, opts=child)
            self.instance_profile_name = after(profile.name, entry)
        self.register_outputs(
            {
                "queueName": self.queue_name,
                "controllerServiceAccount": self.controller_service_account,
                "nodeRoleName": self.node_role_name,
                "instanceProfileName": self.instance_profile_name,
            }
        )


def _deliver(name: str, queue: aws.sqs.Queue, child: pulumi.ResourceOptions) -> list[pulumi.Resource]:
    """A rule for each kind of notice, the queue's policy that lets exactly those rules in, and then their targets."""
    rules = {
        notice: aws.cloudwatch.EventRule(
            f"{name}-{notice}",
            description=kind,
            event_pattern=json.dumps({"source": [source], "detail-type": [kind]}),
            opts=child,
        )
        for notice, (source, kind) in NOTICES.items()
    }
    admission = aws.sqs.QueuePolicy(
        name,
        queue_url=queue.id,
        policy=document(*queue_statements(queue.arn, [rule.arn for rule in rules.values()])),
        opts=child,
    )
    admitted = pulumi.ResourceOptions.merge(child, pulumi.ResourceOptions(depends_on=[admission]))
    targets = [
        aws.cloudwatch.EventTarget(
            f"{name}-{notice}",
            rule=rule.name,
            arn=queue.arn,
            target_id=TARGET,
            opts=admitted,
        )
        for notice, rule in rules.items()
    ]
    return [admission, *targets]


def queue_statements(queue_arn: pulumi.Input[str], rule_arns: Sequence[pulumi.Input[str]]) -> list[Statement]:
    """Who may send to the queue: EventBridge for these rules, and nobody in the clear.

    https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-sqs-permissions
    """
    return [
        Statement(
            sid="RulesSendNotices",
            principals={"Service": "events.amazonaws.com"},
            actions=["sqs:SendMessage"],
            resources=[queue_arn],
            conditions={"ArnEquals": {"aws:SourceArn": rule_arns}},
        ),
        Statement(
            sid="RefusePlainText",
            effect="Deny",
            principals={"AWS": "*"},
            actions=["sqs:*"],
            resources=[queue_arn],
            conditions={"Bool": {"aws:SecureTransport": "false"}},
            because="whatever is asked of the queue in the clear is refused",
        ),
    ]
