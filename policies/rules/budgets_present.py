"""GPUs without a budget are noticed when the invoice comes."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._node_sets import node_sets
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    pools = sorted(nodes.resource.urn for nodes in node_sets(stack) if nodes.is_gpu)
    if pools and not stack.of("aws:budgets/budget:Budget"):
        report(
            f"the stack has {len(pools)} GPU pool{'s' * (len(pools) > 1)} and no aws.budgets.Budget; it must have one.",
            pools[0],
        )


RULE = StackValidationPolicy(
    name="budgets-present",
    description="GPUs without a budget are noticed when the invoice comes.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["money"],
    remediation_steps="Add aws.budgets.Budget with notifications on actual and forecast spend to people who will act.",
    url="https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html",
    validate=for_stack(_check),
)
