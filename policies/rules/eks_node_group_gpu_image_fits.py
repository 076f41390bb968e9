"""An image without the NVIDIA driver boots, joins, is paid for, and offers no GPU."""

from typing import Any

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from gpufleet.facts import node_images
from gpufleet.facts.instances import InstanceType

from ._pools import Pool, gpu_pools
from ._reading import UNKNOWN, read, shown
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    for pool in gpu_pools(stack):
        image = read(pool.resource.props, "amiType")
        if image is UNKNOWN or image == "CUSTOM" or (image is None and _may_bring_an_image(pool)):
            continue
        for type_ in pool.gpu_types:
            fit = _fitting(type_)
            if image not in fit:
                fitting = " or ".join(fit) or "CUSTOM, with an image of your own in the launch template"
                report(f"amiType is {shown(image)}; {type_.name} needs {fitting}.", pool.resource.urn)


def _fitting(type_: InstanceType) -> tuple[str, ...]:
    """The AMI types that have the type's driver: AL2023's, and Bottlerocket's where it runs on the family."""
    others = (
        family.ami_type(str(type_.accelerator), type_.cpu_arch)
        for family in node_images.families().values()
        if type_.eks_ami_types and type_.family not in family.untold
    )
    return tuple(dict.fromkeys([*type_.eks_ami_types, *(name for name in others if name is not None)]))


def _may_bring_an_image(pool: Pool) -> bool:
    """With an image in the launch template EKS wants no AMI type; a template that cannot be seen may have one."""
    if read(pool.resource.props, "launchTemplate") is None:
        return False
    templates = pool.template.all
    return not templates or any(_is_image(read(template.props, "imageId")) for template in templates)


def _is_image(value: Any) -> bool:
    return value is UNKNOWN or (isinstance(value, str) and value.startswith(("ami-", "resolve:ssm:")))


RULE = StackValidationPolicy(
    name="eks-node-group-gpu-image-fits",
    description="An image without the NVIDIA driver boots, joins the cluster, is paid for, and offers no GPU.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu"],
    remediation_steps="Set amiType to the NVIDIA image of the type's architecture (AL2023_x86_64_NVIDIA, "
    "AL2023_ARM_64_NVIDIA or Bottlerocket's) and keep types of one kind in a pool.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-optimized-ami.html",
    validate=for_stack(_check),
)
