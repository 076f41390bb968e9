"""A NodePool without a limit on GPUs buys as many as pods ask for."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._karpenter import ElasticPool, gpu_node_pools
from ._reading import UNKNOWN, entries, number, read, shown
from ._stack import Report, Stack, for_stack

_MAX_GPUS = 64
_SHARING = ("nvidia.com/device-plugin.config", "nvidia.com/mig.config")


def _check(stack: Stack, report: Report) -> None:
    most = float(stack.config.get("max_gpus", _MAX_GPUS))
    for pool in gpu_node_pools(stack):
        if (fault := _fault(pool, most)) is not None:
            report(fault, pool.resource.urn)


def _fault(pool: ElasticPool, most: float) -> str | None:
    name = pool.resource_name
    limit = read(pool.spec, "limits", name)
    if limit is UNKNOWN or pool.spec is UNKNOWN:
        return None
    gpus = number(limit)
    if gpus is None:
        return f"spec.limits.{name} is {shown(limit)}; a pool of GPUs must have a number as its ceiling."
    gpus = min(gpus, _by_nodes(pool, gpus))
    return f"spec.limits.{name} is {shown(limit)}; the ceiling of a pool is {shown(most)}." if gpus > most else None


def _by_nodes(pool: ElasticPool, otherwise: float) -> float:
    """The GPUs of as many nodes as there may be: where GPUs are shared, the limit counts their parts."""
    nodes, labels = (
        number(read(pool.spec, "limits", "nodes")),
        entries(read(pool.spec, "template", "metadata", "labels")),
    )
    if (
        nodes is None
        or not any(key in labels for key in _SHARING)
        or not pool.types
        or len(pool.types) != len(pool.type_names)
    ):
        return otherwise
    return nodes * max(type_.gpu_count for type_ in pool.types)


RULE = StackValidationPolicy(
    name="karpenter-node-pool-ceiling",
    description="A NodePool without a limit on GPUs buys as many as pods ask for.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "money", "gpu"],
    remediation_steps="Set spec.limits of nvidia.com/gpu; raise max_gpus of this rule in the pack's configuration, "
    "where it is reviewed.",
    url="https://karpenter.sh/docs/concepts/nodepools/#speclimits",
    config_schema=PolicyConfigSchema({"max_gpus": {"type": "integer", "minimum": 0, "default": _MAX_GPUS}}),
    validate=for_stack(_check),
)
