"""What a workload may do to its node."""

from collections.abc import Iterator

from gpufleet.lint.case import Case
from gpufleet.lint.findings import ERROR, Finding, Rule
from gpufleet.lint.workloads import entries

PRIVILEGED = Rule(
    name="privileged",
    severity=ERROR,
    why="it sees every device of the node, GPUs of other pods included, and whoever gets into it has the node; neither "
    "GPUs nor EFA need it",
)
HOST = Rule(
    name="host-namespaces",
    severity=ERROR,
    why="it takes part in the node's own network, processes or memory; device plugins bring what a pod needs",
)
RULES = (PRIVILEGED, HOST)


def check(case: Case) -> Iterator[Finding]:
    """More rights than accelerators need."""
    if not case.workload.computing:
        return
    for container in case.workload.containers:
        if entries(container.body.get("securityContext")).get("privileged") is True:
            yield case.finding(
                PRIVILEGED,
                (*container.location, "securityContext", "privileged"),
                found="privileged: true",
                needed="neither that nor more capabilities",
                fix="securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}",
            )
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if case.workload.spec.get(key) is True:
            yield case.finding(
                HOST,
                (*case.workload.at_spec, key),
                found=f"{key}: true",
                needed="false",
                fix=f"take {key} out",
            )
