"""Who may run pods in every namespace may run them beside the cluster's own, and rules it in all but name."""

from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, elements, read, shown

_ASSOCIATION: Final = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
_ENTRY: Final = "aws:eks/accessEntry:AccessEntry"
_OF_NAMESPACES: Final = ("AmazonEKSAdminPolicy", "AmazonEKSEditPolicy", "AmazonEKSSecretReaderPolicy")
_OF_CLUSTER: Final = "AmazonEKSClusterAdminPolicy"


def _check_association(args: ResourceValidationArgs, report: Report) -> None:
    policy, scope = read(args.props, "policyArn"), read(args.props, "accessScope", "type")
    name = str(policy).rsplit("/", 1)[-1]
    if policy is UNKNOWN or scope is UNKNOWN:
        return
    if name in _OF_NAMESPACES and scope == "cluster":
        report(f"{name} in the whole cluster; accessScope must be {{type: namespace, namespaces: [...]}}.")
    if name == _OF_CLUSTER and scope != "cluster":
        report(f"{name} in a {shown(scope)}; for a team's namespaces it must be AmazonEKSAdminPolicy.")
    if scope == "namespace" and "kube-system" in elements(read(args.props, "accessScope", "namespaces")):
        report(f"{name} in kube-system, where the cluster's own pods run; it must be a team's namespace.")


def _check_entry(args: ResourceValidationArgs, report: Report) -> None:
    groups = [group for group in elements(read(args.props, "kubernetesGroups")) if isinstance(group, str)]
    if system := [group for group in groups if group.startswith("system:")]:
        report(f"kubernetesGroups has {', '.join(system)}, which passes every check; it must be a group of your own.")


RULE = ResourceValidationPolicy(
    name="eks-access-policy-scoped",
    description="Who may run pods in every namespace may run them beside the cluster's own, and is its "
    "administrator in all but name.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["cluster", "identity"],
    remediation_steps="Associate AmazonEKSAdminPolicy or AmazonEKSEditPolicy with the team's namespaces, and "
    "AmazonEKSClusterAdminPolicy with the few who run the cluster.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/access-policies.html",
    validate=[for_type(_check_association, _ASSOCIATION), for_type(_check_entry, _ENTRY)],
)
