"""Kubernetes secrets under AWS's own key can be read by whoever gets at the control plane's storage."""

from pulumi_policy import EnforcementLevel, ResourceValidationArgs, ResourceValidationPolicy, Severity

from ._for_type import Report, for_type
from ._frameworks import security_hub
from ._reading import UNKNOWN, elements, read


def _check(args: ResourceValidationArgs, report: Report) -> None:
    encryption = read(args.props, "encryptionConfig")
    if read(encryption, "provider", "keyArn") is None:
        report("encryptionConfig.provider.keyArn is not set; it must name a KMS key of your own.")
    covered = elements(read(encryption, "resources"))
    if encryption is not None and "secrets" not in covered and UNKNOWN not in covered:
        report(f"encryptionConfig.resources is {', '.join(map(str, covered)) or 'empty'}; it must hold secrets.")


RULE = ResourceValidationPolicy(
    name="eks-cluster-secrets-encrypted",
    description="Secrets that are not under a key of your own cannot be cut off: its use is neither seen, limited nor "
    "revoked.",
    severity=Severity.HIGH,
    enforcement_level=EnforcementLevel.MANDATORY,
    framework=security_hub("EKS.3"),
    tags=["cluster", "encryption"],
    remediation_steps="Set encryptionConfig to {provider: {keyArn: YOUR KEY}, resources: [secrets]}; it can be added "
    "later but not taken away.",
    url="https://docs.aws.amazon.com/eks/latest/userguide/enable-kms.html",
    validate=for_type(_check, "aws:eks/cluster:Cluster"),
)
