"""A GPU pool without a ceiling turns one bad loop into a bill of thousands an hour."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._pools import gpu_pools
from ._reading import UNKNOWN, number, shown
from ._stack import Report, Stack, for_stack

_MAX_GPUS = 64


def _check(stack: Stack, report: Report) -> None:
    most = stack.config.get("max_gpus", _MAX_GPUS)
    for pool in gpu_pools(stack):
        if pool.maximum is UNKNOWN:
            continue
        nodes = number(pool.maximum)
        if nodes is None:
            report(
                f"scalingConfig.maxSize is {shown(pool.maximum)}; a GPU pool must have a number as its ceiling.",
                pool.resource.urn,
            )
            continue
        largest = max(pool.gpu_types, key=lambda type_: type_.gpu_count)
        gpus = nodes * largest.gpu_count
        if gpus > most:
            report(
                f"maxSize {shown(nodes)} x {largest.gpu_count} GPUs of {largest.name} is {shown(gpus)} GPUs; the "
                f"ceiling of a pool is {shown(most)}.",
                pool.resource.urn,
            )


RULE = StackValidationPolicy(
    name="eks-node-group-gpu-ceiling",
    description="A GPU pool without a ceiling turns one bad loop into a bill of thousands an hour.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "gpu"],
    remediation_steps="Lower scalingConfig.maxSize, or raise max_gpus of this rule in the pack's configuration, where "
    "it is reviewed.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html",
    config_schema=PolicyConfigSchema({"max_gpus": {"type": "integer", "minimum": 0, "default": _MAX_GPUS}}),
    validate=for_stack(_check),
)
