"""A log group that EKS makes by itself is kept for ever, in the clear to whoever may read logs, and nobody's."""

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._reading import UNKNOWN, elements, read
from ._stack import Report, Stack, for_stack


def _check(stack: Stack, report: Report) -> None:
    groups = [read(group.props, "name") for group in stack.of("aws:cloudwatch/logGroup:LogGroup")]
    for cluster in stack.of("aws:eks/cluster:Cluster"):
        name, logs = read(cluster.props, "name"), read(cluster.props, "enabledClusterLogTypes")
        if logs is UNKNOWN or not elements(logs) or not isinstance(name, str) or UNKNOWN in groups:
            continue
        wanted = f"/aws/eks/{name}/cluster"
        if wanted not in groups:
            report(f"writes logs, and the stack has no log group {wanted}; it must have one, made first.", cluster.urn)


RULE = StackValidationPolicy(
    name="eks-cluster-log-group-of-ones-own",
    description="A log group that EKS makes by itself is kept for ever, in the clear to whoever may read logs, and "
    "nobody's.",
    severity=Severity.LOW,
    # Another stack may hold it.
    enforcement_level=EnforcementLevel.ADVISORY,
    tags=["cluster", "data", "money"],
    remediation_steps="Add aws.cloudwatch.LogGroup of that name with retention and key, and let the cluster depend "
    "on it.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/control-plane-logs.html",
    validate=for_stack(_check),
)
