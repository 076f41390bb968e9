"""An endpoint that lets everybody through carries data out to an intruder's own account, past every firewall.

Reading for everyone is let through: image layers lie in buckets that are not ours. So is taking on a role by a token,
which nobody has signed.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any, Final

from pulumi_policy import EnforcementLevel, Severity, StackValidationPolicy

from ._documents import Statement, is_everything, narrows_callers, statements
from ._endpoints import ENDPOINT, is_interface, kind, service
from ._reading import UNKNOWN, read
from ._stack import Report, Stack, for_stack

_APART: Final = "aws:ec2/vpcEndpointPolicy:VpcEndpointPolicy"
_HARMLESS: Final = (
    *("*:get*", "*:batchget*", "*:batchcheck*", "*:describe*", "*:head*", "*:list*"),
    *("sts:assumerolewithwebidentity", "sts:decodeauthorizationmessage"),
)


def _check(stack: Stack, report: Report) -> None:
    served: set[str] = set()
    for policy in stack.of(_APART):
        served.update(
            found.urn
            for found in stack.links(policy, "vpcEndpointId", read(policy.props, "vpcEndpointId"), ENDPOINT).all
        )
        _report_open(policy.urn, read(policy.props, "policy"), report)
    for endpoint in stack.of(ENDPOINT):
        if not (is_interface(endpoint) or kind(endpoint) == "Gateway") or service(endpoint) is None:
            continue
        policy = read(endpoint.props, "policy")
        if policy is not None:
            _report_open(endpoint.urn, policy, report)
        elif endpoint.urn not in served:
            report(
                "policy is not set (AWS default: everybody may do everything); it must name who may pass.", endpoint.urn
            )


def _report_open(urn: str, policy: Any, report: Report) -> None:
    for statement in (None if policy is UNKNOWN else statements(policy)) or ():
        if actions := list(_open_actions(statement)):
            where = "every resource" if _is_for_every_resource(statement) else "what others publish"
            report(
                f"policy, {statement.label}: lets everyone through with {', '.join(actions)} on {where}; it "
                "must name its own principals (aws:PrincipalAccount or aws:PrincipalOrgID) or its resources.",
                urn,
            )


def _is_for_every_resource(statement: Statement) -> bool:
    return "NotResource" in statement.excludes or any(map(is_everything, statement.known_resources))


def _open_actions(statement: Statement) -> Iterator[str]:
    if not statement.allows or statement.anyone is not True or narrows_callers(statement):
        return
    if not _is_for_every_resource(statement):
        # What others publish by name may be read, and not written.
        yield from (
            action for action in statement.actions if isinstance(action, str) and action.rsplit(":", 1)[-1] == "*"
        )
        return
    if "NotAction" in statement.excludes:
        yield "all but a few actions"
    for action in statement.actions:
        if isinstance(action, str) and not any(fnmatchcase(action.lower(), harmless) for harmless in _HARMLESS):
            yield action


RULE = StackValidationPolicy(
    name="ec2-vpc-endpoint-policy-limited",
    description="An endpoint that lets everybody through carries data to an intruder's own account, past every "
    "firewall.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["network", "data"],
    remediation_steps="Give the endpoint a policy that allows everything only on {StringEquals: "
    "{aws:PrincipalAccount: YOUR ACCOUNT}}, and reading of what others publish by name.",
    url="https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html",
    validate=for_stack(_check),
)
