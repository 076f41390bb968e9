"""An instance type that the catalogue does not know escapes every rule about GPUs and money."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from gpufleet.facts import instances

from ._pools import pools
from ._stack import Report, Stack, for_stack

_CPU_FAMILIES = [
    *("c5", "c5a", "c5ad", "c5d", "c5n", "c6a", "c6g", "c6gd", "c6gn", "c6i", "c6id", "c6in"),
    *("c7a", "c7g", "c7gd", "c7gn", "c7i", "c7i-flex", "c8g", "c8gd", "c8gn", "c8i", "c8i-flex"),
    *("m5", "m5a", "m5ad", "m5d", "m5dn", "m5n", "m5zn", "m6a", "m6g", "m6gd", "m6i", "m6id", "m6idn", "m6in"),
    *("m7a", "m7g", "m7gd", "m7i", "m7i-flex", "m8a", "m8g", "m8gd", "m8i", "m8i-flex"),
    *("r5", "r5a", "r5ad", "r5b", "r5d", "r5dn", "r5n", "r6a", "r6g", "r6gd", "r6i", "r6id", "r6idn", "r6in"),
    *("r7a", "r7g", "r7gd", "r7i", "r7iz", "r8g", "r8gd", "r8i", "r8i-flex"),
    *("i3", "i3en", "i4g", "i4i", "i7i", "i7ie", "i8g", "t3", "t3a", "t4g", "x2idn", "x2iedn"),
]
"""Families without accelerators, whose sizes the catalogue need not know one by one."""


def _check(stack: Stack, report: Report) -> None:
    families = set(stack.config.get("cpu_families", _CPU_FAMILIES))
    for pool in pools(stack):
        for name in pool.type_names:
            if instances.find(name) is None and name.split(".")[0] not in families:
                nearest = ", ".join(instances.nearest(name)) or "none"
                report(f"instance type {name} is not in the catalogue; nearest known: {nearest}.", pool.resource.urn)


RULE = StackValidationPolicy(
    name="eks-node-group-known-instance-type",
    description="An instance type that the catalogue does not know escapes every rule about GPUs and money.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute", "gpu", "money"],
    remediation_steps="Correct the name; for a type newer than the catalogue refresh it (tools/generate_instances.py), "
    "for a CPU family add it to cpu_families in the pack's configuration.",
    url="https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-types.html",
    config_schema=PolicyConfigSchema(
        {"cpu_families": {"type": "array", "items": {"type": "string"}, "default": _CPU_FAMILIES}}
    ),
    validate=for_stack(_check),
)
