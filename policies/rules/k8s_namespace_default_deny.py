"""Where no network policy denies, every pod talks to every other team's, and out to everywhere."""

from typing import Any, Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._reading import UNKNOWN, elements, entries, read
from ._stack import Report, Stack, for_stack
from ._workloads import NAMESPACES, is_left_alone, namespace, pods

_POLICY: Final = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
_BOTH: Final = ("Ingress", "Egress")


def _check(stack: Stack, report: Report) -> None:
    busy = {
        namespace(resource.props): resource.urn
        for resource in sorted(stack.kind("kubernetes:"), key=lambda one: one.urn, reverse=True)
        if not is_left_alone(resource.props, stack.config) and next(pods(resource.resource_type, resource.props), None)
    }
    denied: dict[Any, set[str]] = {}
    for policy in stack.of(_POLICY):
        denied.setdefault(namespace(policy.props), set()).update(_denies(policy.props))
    if UNKNOWN in denied:
        return
    for name, urn in sorted(busy.items()):
        if missing := [way for way in _BOTH if way not in denied.get(name, ())]:
            report(
                f"runs in namespace {name}, which has no network policy that denies all {' and '.join(missing)}; there "
                "must be one with an empty podSelector and no rules.",
                urn,
            )


def _denies(policy: Any) -> set[str]:
    spec = read(policy, "spec")
    if spec is UNKNOWN or entries(read(spec, "podSelector")):
        return {*_BOTH} if spec is UNKNOWN else set()
    kinds = {kind for kind in elements(read(spec, "policyTypes")) if isinstance(kind, str)}
    return {kind for kind in kinds if not elements(read(spec, kind.lower()))}


RULE = StackValidationPolicy(
    name="k8s-namespace-default-deny",
    description="Where no network policy denies, every pod talks to every other team's, and out to everywhere.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes", "network"],
    remediation_steps="Add a NetworkPolicy {podSelector: {}, policyTypes: [Ingress, Egress]} to the namespace, and "
    "policies that allow what is needed (DNS, the API, EFA among a job's pods).",
    url="https://kubernetes.io/docs/concepts/services-networking/network-policies/",
    config_schema=NAMESPACES,
    validate=for_stack(_check),
)
