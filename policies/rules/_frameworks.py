"""References to the compliance catalogues that a rule answers."""

from pulumi_policy import PolicyComplianceFramework

_CONTROLS = "https://docs.aws.amazon.com/securityhub/latest/userguide/"


def fsbp(control: str) -> PolicyComplianceFramework:
    """Return a control of AWS Foundational Security Best Practices, such as `EC2.15`."""
    return PolicyComplianceFramework(
        "AWS Foundational Security Best Practices",
        "1.0.0",
        control,
        f"{_CONTROLS}{control.split('.')[0].lower()}-controls.html",
    )


def cis(recommendation: str) -> PolicyComplianceFramework:
    """Return a recommendation of the CIS Amazon Web Services Foundations Benchmark, such as `2.8`."""
    return PolicyComplianceFramework(
        "CIS Amazon Web Services Foundations Benchmark",
        "3.0.0",
        recommendation,
        "https://www.cisecurity.org/benchmark/amazon_web_services",
    )


def cis_eks(recommendation: str) -> PolicyComplianceFramework:
    """Return a recommendation of the CIS Amazon EKS Benchmark, such as `5.4.2`."""
    return PolicyComplianceFramework(
        "CIS Amazon Elastic Kubernetes Service Benchmark",
        "1.5.0",
        recommendation,
        "https://www.cisecurity.org/benchmark/kubernetes",
    )
