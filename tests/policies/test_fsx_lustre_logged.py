import pulumi_aws as aws

from policies.rules.fsx_lustre_logged import RULE
from tests.policies.judging import later, messages


def test_a_file_system_without_logs_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("fs", subnet_ids="subnet-1")

    assert messages(RULE, build, preview=preview) == [
        "fs: logConfiguration has no level (AWS default DISABLED); it should be WARN_ERROR.",
    ]


def test_one_with_logs_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("fs", subnet_ids="subnet-1", log_configuration={"level": "WARN_ERROR"})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_level_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("fs", subnet_ids="subnet-1", log_configuration={"level": later("DISABLED")})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "fs: logConfiguration has no level (AWS default DISABLED); it should be WARN_ERROR.",
    ]
