"""An add-on without a role of its own takes the node's, which pods are kept from, or works with nothing at all."""

from typing import Final

from pulumi_policy import EnforcementLevel, PolicyResource, Severity, StackValidationPolicy

from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack

_ASSOCIATION: Final = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
_ACCOUNTS: Final = {
    "amazon-cloudwatch-observability": "cloudwatch-agent",
    "aws-ebs-csi-driver": "ebs-csi-controller-sa",
    "aws-efs-csi-driver": "efs-csi-controller-sa",
    "aws-fsx-csi-driver": "fsx-csi-controller-sa",
    "vpc-cni": "aws-node",
}
"""Add-ons that call AWS, and their service accounts; from each add-on's page in the EKS user guide, read 2026-11-30."""


def _check(stack: Stack, report: Report) -> None:
    associated = [read(one.props, "serviceAccount") for one in stack.of(_ASSOCIATION)]
    for addon in stack.of("aws:eks/addon:Addon"):
        name = read(addon.props, "addonName")
        account = _ACCOUNTS.get(name) if isinstance(name, str) else None
        if account is None or account in associated or UNKNOWN in associated or _has_one(addon):
            continue
        report(f"{name} calls AWS as {account} and has no role; podIdentityAssociations must give it one.", addon.urn)


def _has_one(addon: PolicyResource) -> bool:
    return (
        bool(elements(read(addon.props, "podIdentityAssociations")))
        or read(addon.props, "serviceAccountRoleArn") is not None
    )


RULE = StackValidationPolicy(
    name="eks-addon-has-its-role",
    description="An add-on without a role of its own takes the node's, which pods are kept from, or works with nothing "
    "at all.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["cluster", "identity"],
    remediation_steps="Set podIdentityAssociations [{serviceAccount, roleArn}] on the add-on, with the policy that its "
    "page in the EKS guide names.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/add-ons-iam.html",
    validate=for_stack(_check),
)
