import pulumi_aws as aws

from policies.rules.fsx_lustre_root_squashed import RULE
from tests.policies.judging import later, messages


def test_a_file_system_where_root_is_root_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("default", subnet_ids="subnet-1")
        aws.fsx.LustreFileSystem("none", subnet_ids="subnet-1", root_squash_configuration={"root_squash": "0:0"})

    assert messages(RULE, build, preview=preview) == [
        "default: rootSquashConfiguration.rootSquash is not set (AWS default 0:0, which is none); it "
        "should be the id of somebody without rights, such as 65534:65534.",
        "none: rootSquashConfiguration.rootSquash is 0:0 (AWS default 0:0, which is none); it should be "
        "the id of somebody without rights, such as 65534:65534.",
    ]


def test_one_with_root_squash_is_quiet(preview: bool) -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("fs", subnet_ids="subnet-1", root_squash_configuration={"root_squash": "65534:65534"})

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_id_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.fsx.LustreFileSystem("fs", subnet_ids="subnet-1", root_squash_configuration={"root_squash": later("0:0")})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "fs: rootSquashConfiguration.rootSquash is 0:0 (AWS default 0:0, which is none); it should be "
        "the id of somebody without rights, such as 65534:65534.",
    ]
