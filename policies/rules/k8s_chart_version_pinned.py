"""A chart without a version is whatever its project released last, also when a node is lost at night."""

import re
from typing import Final

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import UNKNOWN, read, shown

_RELEASES: Final = ("kubernetes:helm.sh/v3:Release", "kubernetes:helm.sh/v3:Chart", "kubernetes:helm.sh/v4:Chart")
_EXACT: Final = re.compile(r"v?\d+\.\d+\.\d+([-+][\w.+-]+)?")


def _check(args: ResourceValidationArgs, report: Report) -> None:
    chart, version = read(args.props, "chart"), read(args.props, "version")
    # A chart in a folder or an archive of the program is the one that lies there.
    if version is UNKNOWN or (isinstance(chart, str) and chart.startswith((".", "/")) or str(chart).endswith(".tgz")):
        return
    if not isinstance(version, str) or not _EXACT.fullmatch(version):
        report(f"version is {shown(version)}; it must be one version, such as 1.14.1.")


RULE = ResourceValidationPolicy(
    name="k8s-chart-version-pinned",
    description="A chart without a version is whatever its project released last, also when a node is lost at night.",
    severity=Severity.MEDIUM,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["kubernetes"],
    remediation_steps="Set version to the exact one that was tested.",
    url="https://www.pulumi.com/registry/packages/kubernetes/api-docs/helm/v3/release/",
    validate=for_type(_check, *_RELEASES),
)
