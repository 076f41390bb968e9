"""References to the compliance catalogues that a rule answers."""

from pulumi_policy import PolicyComplianceFramework

_CONTROLS = "https://docs.aws.amazon.com/securityhub/latest/userguide/"


def security_hub(control: str) -> PolicyComplianceFramework:
    """Return a control of AWS Security Hub, such as `EC2.15`; its page says which of FSBP, CIS and NIST ask for it."""
    page = f"{_CONTROLS}{control.split('.')[0].lower()}-controls.html"
    return PolicyComplianceFramework("AWS Security Hub", "CSPM", control, page)
