"""`gpufleet diff`: what is compared with what, what is refused, and what is printed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpufleet.diff import command, guarded, markdown
from gpufleet.errors import UsageError
from gpufleet.plan import planning
from tests.gpufleet.cost import shop

BUCKET = "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::data"


@pytest.fixture
def kept(program: Path) -> Path:
    """A plan of the program as it is, kept in a file."""
    path = program.parent / "before.json"
    document = planning.plan(shop.load(program), policy_pack=None).as_document()
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def diff(program: Path, other: object, *overrides: str, **options: Any) -> bool:
    return command.run(shop.load(program, *overrides), other=str(other), policies=False, **options)


def document(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    return json.loads(capsys.readouterr().out)


def test_a_plan_that_was_kept_is_one_side(program: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(program, kept, "pools.train.max=8", format_="json")
    found = document(capsys)
    assert (found["schema"], found["before"], found["after"]) == (1, str(kept), "the working tree")
    assert found["counts"] == {"delete": 0, "replace": 0, "update-or-replace": 0, "update": 1, "create": 0}
    (resource,) = found["resources"]
    assert resource["properties"] == [{"path": "scalingConfig.maxSize", "before": "4", "after": "8", "replaces": False}]
    assert found["cost"]["change"]["hourly_maximum"] == pytest.approx(4 * (55.04 + 100 * 0.08 / 730), abs=1e-5)
    assert [row["component"] for row in found["cost"]["by_component"]] == ["train"]


def test_a_revision_is_one_side_and_the_repository_is_left_as_it_was(
    program: Path, git: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    git("init", "--quiet", "--initial-branch=main")
    git("add", ".")
    git("commit", "--quiet", "--message=before")
    before = git("status", "--porcelain", "--ignored"), git("worktree", "list")
    settings = program / "Pulumi.dev.yaml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("max: 4", "max: 6"), encoding="utf-8")
    assert diff(program, "main", format_="json")
    found = document(capsys)
    assert found["before"] == f"main ({git('rev-parse', 'main')[:7]})"
    assert found["resources"][0]["properties"][0]["path"] == "scalingConfig.maxSize"
    git("checkout", "--quiet", "--", ".")
    assert (git("status", "--porcelain", "--ignored"), git("worktree", "list")) == before


def test_another_settings_file_is_one_side(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = program.parent / "other.yaml"
    other.write_text("pools: [{name: train, types: [p5.48xlarge], min: 0, max: 4}]\n", encoding="utf-8")
    assert diff(program, other, format_="json")
    assert document(capsys)["counts"]["create"] == 1


def test_another_stack_of_the_program_is_one_side(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    big = shop.SETTINGS.replace("max: 4", "max: 16")
    (program / "Pulumi.big.yaml").write_text(big, encoding="utf-8")
    assert diff(program, program / "Pulumi.big.yaml", format_="json")
    assert document(capsys)["resources"][0]["properties"][0]["before"] == "16"


def test_a_bucket_that_would_go_is_refused_and_printed_first(
    program: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not diff(program, kept, "buckets=[other]")
    printed = capsys.readouterr().out
    assert printed.index("What would be lost") < printed.index("Resources")
    assert f"to agree: --allow-data-loss '{BUCKET}'" in printed
    assert printed.rstrip().endswith("refused: 1 loss of data or of a cluster that nobody agreed to")


def test_a_bucket_that_would_be_replaced_says_what_forces_it(
    program: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not diff(program, kept, "named=true")
    assert "forced by bucket: (not set) -> shop-data" in capsys.readouterr().out


def test_a_loss_that_is_named_is_agreed_to(program: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(program, kept, "buckets=[other]", allow_data_loss=[BUCKET])
    assert "agreed to" in capsys.readouterr().out


_CLUSTER = """
role = "arn:aws:iam::111122223333:role/cluster"
aws.eks.Cluster("main", name="fixed", role_arn=role, vpc_config={"subnet_ids": [subnet.id]}, opts=opts)
"""


def test_a_cluster_that_cannot_follow_its_network_is_refused_though_the_provider_says_update(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = program / "__main__.py"
    main.write_text(main.read_text(encoding="utf-8") + _CLUSTER, encoding="utf-8")
    path = program.parent / "before.json"
    path.write_text(json.dumps(planning.plan(shop.load(program), policy_pack=None).as_document()), encoding="utf-8")
    assert not diff(program, path, "cidr=10.1.0.0/16", format_="json")
    (loss,) = document(capsys)["losses"]
    assert (loss["urn"].rsplit("::", 1)[-1], loss["action"]) == ("main", "update")
    assert "EKS moves no cluster to another VPC" in loss["lost"]
    assert diff(program, path, "cidr=10.1.0.0/16", allow_data_loss=[loss["urn"]])
    assert "vpcConfig.subnetIds[0]: " in capsys.readouterr().out


def test_to_agree_to_what_is_not_lost_is_a_mistake(program: Path, kept: Path) -> None:
    with pytest.raises(UsageError, match="is not what would be lost\n  allowed: none: nothing would be lost"):
        diff(program, kept, allow_data_loss=[BUCKET])


def test_a_mandatory_rule_that_held_before_is_refused(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = program.parent / "before.json"
    held = planning.plan(shop.load(program), policy_pack=None).as_document()
    kept.write_text(json.dumps({**held, "violations": []}), encoding="utf-8")
    assert not command.run(shop.load(program), other=str(kept), format_="json")
    found = document(capsys)
    assert found["losses"] == []
    assert found["resources"] == []
    assert any(violation["level"] == "mandatory" for violation in found["policies"]["new"])


def test_the_table_folds_what_only_follows(program: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    diff(program, kept, "cidr=10.1.0.0/16")
    printed = capsys.readouterr().out
    assert "cidrBlock: 10.0.0.0/16 -> 10.1.0.0/16  forces the replacement" in printed
    assert "-/+ replace nat  NatGateway  follows by subnetId" in printed


def test_nothing_that_changes_is_said_so(program: Path, kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert diff(program, kept)
    printed = capsys.readouterr().out
    assert "none changes" in printed
    assert printed.rstrip().endswith("no resource changes")


def test_markdown_has_the_verdict_the_money_and_folded_details(
    program: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not diff(program, kept, "buckets=[other]", "pools.train.max=8", format_="markdown")
    printed = capsys.readouterr().out
    assert printed.startswith("### :x: shop/dev: refused: 1 loss of data")
    assert f"- :warning: delete `{BUCKET}` loses the objects in it (**not agreed to**)" in printed
    assert "| **change** | **+0.00** | **+220.20** |" in printed
    assert "<details><summary>1 changed in place</summary>" in printed
    assert printed.count("<details>") == printed.count("</details>")


def test_markdown_of_thousands_of_resources_fits_a_comment(program: Path, kept: Path) -> None:
    resource: dict[str, Any] = {
        "urn": "u" * 90,
        "type": "aws:x/y:Z",
        "name": "n" * 60,
        "action": "update",
        "was": None,
        "because": None,
        "follows": False,
        "loss": None,
        "protected": False,
        "properties": [{"path": "p", "before": "b" * 200, "after": "a" * 200, "replaces": False}] * 5,
    }
    sums = dict.fromkeys(("hourly_minimum", "hourly_maximum", "monthly_minimum", "monthly_maximum"), 1.0)
    large: dict[str, Any] = {
        "project": "shop",
        "stack": "dev",
        "before": "a",
        "after": "b",
        "ok": True,
        "counts": {"update": 4000},
        "unchanged": 0,
        "losses": [],
        "resources": [resource] * 4000,
        "policies": {"new": [], "gone": []},
        "cost": {"before": sums, "after": sums, "change": sums, "by_component": []},
    }
    text = markdown.written(large)
    assert 50_000 < len(text) <= markdown.LIMIT
    assert "which have no room here" in text
    assert text.rstrip().endswith("</details>")


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ("no-such-branch", "--against no-such-branch: no such file, and git knows no such revision"),
        ("--output=x", "--against --output=x: no such file, and git knows no such revision"),
    ],
)
def test_a_side_that_is_nowhere_is_refused(program: Path, git: Callable[..., str], other: str, message: str) -> None:
    git("init", "--quiet")
    with pytest.raises(UsageError) as refusal:
        diff(program, other)
    assert message in str(refusal.value)


def test_a_plan_of_another_stack_is_refused(program: Path, kept: Path) -> None:
    held = json.loads(kept.read_bytes())
    kept.write_text(json.dumps({**held, "stack": "prod"}), encoding="utf-8")
    with pytest.raises(UsageError, match="is a plan of shop/prod\n  allowed: one of shop/dev"):
        diff(program, kept)


def test_json_that_is_no_plan_is_refused_with_the_way_to_one(program: Path) -> None:
    other = program.parent / "x.json"
    other.write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match="is not a plan\n.*\n  fix: gpufleet plan dev --json > "):
        diff(program, other)


def test_a_format_that_is_none_is_refused(program: Path, kept: Path) -> None:
    with pytest.raises(UsageError, match="--format html: allowed are table, json, markdown"):
        diff(program, kept, format_="html")


def test_every_kind_of_data_that_the_stacks_have_is_guarded() -> None:
    assert {
        "aws:eks/cluster:Cluster",
        "aws:s3/bucket:Bucket",
        "aws:s3/directoryBucket:DirectoryBucket",
        "aws:kms/key:Key",
        "aws:fsx/lustreFileSystem:LustreFileSystem",
        "aws:ecr/repository:Repository",
        "aws:cloudwatch/logGroup:LogGroup",
    } <= set(guarded.types())
