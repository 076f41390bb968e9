import pulumi_aws as aws

from policies.rules.ecr_registry_scans import RULE
from tests.policies.judging import later, messages


def test_basic_and_manual_scanning_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ecr.RegistryScanningConfiguration(
            "scan",
            scan_type="BASIC",
            rules=[{"scan_frequency": "MANUAL", "repository_filters": [{"filter": "*", "filter_type": "WILDCARD"}]}],
        )

    assert messages(RULE, build, preview=preview) == [
        "scan: rules[0].scanFrequency is MANUAL; it must be CONTINUOUS_SCAN or SCAN_ON_PUSH.",
        "scan: scanType is BASIC; it must be ENHANCED, which looks again when a new hole is known.",
    ]


def test_enhanced_scanning_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.ecr.RegistryScanningConfiguration(
            "scan",
            scan_type="ENHANCED",
            rules=[
                {
                    "scan_frequency": "CONTINUOUS_SCAN",
                    "repository_filters": [{"filter": "*", "filter_type": "WILDCARD"}],
                }
            ],
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_type_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.ecr.RegistryScanningConfiguration("scan", scan_type=later("BASIC"))

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "scan: scanType is BASIC; it must be ENHANCED, which looks again when a new hole is known.",
    ]
