"""Access by config map, or by having made the cluster, is seen by no review and survives its reason."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._reading import differs, read, shown


def _check(args: ResourceValidationArgs, report: Report) -> None:
    access = read(args.props, "accessConfig")
    mode = read(access, "authenticationMode")
    if differs(mode, "API", absent="CONFIG_MAP"):  # AWS: CONFIG_MAP
        report(f"accessConfig.authenticationMode is {shown(mode)} (AWS default CONFIG_MAP); it must be API.")
    creator = read(access, "bootstrapClusterCreatorAdminPermissions")
    if differs(creator, False, absent=True):  # AWS: on
        report(
            f"accessConfig.bootstrapClusterCreatorAdminPermissions is {shown(creator)} (AWS default true); it "
            "must be false."
        )


RULE = ResourceValidationPolicy(
    name="eks-cluster-access-entries-only",
    description="Access by config map, or by having made the cluster, is seen by no review and outlives its reason.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    tags=["cluster", "identity"],
    remediation_steps="Set accessConfig to {authenticationMode: API, bootstrapClusterCreatorAdminPermissions: false} "
    "and give each principal an aws.eks.AccessEntry.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html",
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)
