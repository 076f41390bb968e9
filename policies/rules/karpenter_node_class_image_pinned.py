"""Nodes that come tomorrow under `@latest` boot what nobody has tested, and those of today are replaced by them."""

from pulumi_policy import EnforcementLevel, PolicyConfigSchema, Severity, StackValidationPolicy

from ._environment import protected_stack
from ._karpenter import NODE_CLASS
from ._reading import elements, read
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    if not (stack.config.get("protected", False) or protected_stack(stack)):
        return
    for node_class in stack.of(*NODE_CLASS):
        for index, term in enumerate(elements(read(node_class.props, "spec", "amiSelectorTerms"))):
            alias = read(term, "alias")
            if isinstance(alias, str) and alias.endswith("@latest"):
                report(
                    f"spec.amiSelectorTerms[{index}].alias is {alias}; in a protected environment it must name a "
                    "version.",
                    node_class.urn,
                )


RULE = StackValidationPolicy(
    name="karpenter-node-class-image-pinned",
    description="Nodes that come tomorrow under @latest boot what nobody has tested, and those of today are "
    "replaced by them.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["compute"],
    remediation_steps="Write the alias with a version (al2023@v20260724), and move it on when that was tested.",
    url="https://karpenter.sh/docs/tasks/managing-amis/",
    config_schema=PolicyConfigSchema(
        {
            "protected": {
                "type": "boolean",
                "default": False,
                "description": "whether the environment is protected; the tag gpufleet-protected: true says so too",
            }
        }
    ),
    validate=for_stack(_check),
)
