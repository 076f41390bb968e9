"""tools/generate_instances.py: from DescribeInstanceTypes to the catalogue."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tools import generate_instances

# Six types as EC2 answered (recorded in moto 5.2.5), without the blocks that the tool does not read.
DUMP = Path(__file__).with_name("data") / "describe-instance-types.json"


def catalogue() -> dict[str, Any]:
    return json.loads(generate_instances.CATALOGUE.read_bytes())


def answers() -> list[Mapping[str, Any]]:
    return json.loads(DUMP.read_bytes())["InstanceTypes"]


def row(file: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(row for row in file["instances"] if row["name"] == name)


def test_the_committed_catalogue_is_what_the_tool_writes() -> None:
    assert generate_instances.render(catalogue()) == generate_instances.CATALOGUE.read_text(encoding="utf-8")


def test_the_same_answer_leaves_the_catalogue_as_it_is() -> None:
    assert generate_instances.refresh(catalogue(), answers()) == catalogue()


def test_what_the_api_tells_replaces_and_what_it_does_not_tell_stays() -> None:
    stale = catalogue()
    row(stale, "p6-b300.48xlarge").update(vcpus=1, gpu_memory_mib=None, efa_card_indices=[0], notes=["ours"])
    fresh = row(generate_instances.refresh(stale, answers()), "p6-b300.48xlarge")
    assert (fresh["vcpus"], fresh["gpu_memory_mib"]) == (192, 275040)
    assert fresh["efa_card_indices"] == list(range(1, 17))
    assert fresh["nvlink_gb_s_per_gpu"] == 1800
    assert fresh["quota_on_demand"] == "L-417A185B"
    assert fresh["notes"] == ["ours"]


def test_a_new_accelerator_type_is_added_and_asks_for_what_the_api_does_not_tell() -> None:
    older = catalogue()
    older["instances"] = [found for found in older["instances"] if found["name"] != "g6f.large"]
    fresh = generate_instances.refresh(older, answers())
    added = row(fresh, "g6f.large")
    assert (added["accelerator"], added["gpu_count"], added["gpu_partition_size"]) == ("nvidia", 1, 0.125)
    assert (added["quota_on_demand"], added["notes"]) == (None, [])
    assert "g6f.large: regions, eks_ami_types, quota_on_demand, quota_spot" in generate_instances.incomplete(fresh)


def test_a_type_without_accelerator_is_added_only_when_asked_for() -> None:
    names = {found["name"] for found in generate_instances.refresh(catalogue(), answers())["instances"]}
    assert "c5.large" not in names
    asked = generate_instances.refresh(catalogue(), answers(), include=["c5.large"])
    assert (row(asked, "c5.large")["vcpus"], row(asked, "c5.large")["memory_mib"]) == (2, 4096)


def test_a_type_that_the_answer_lacks_stays() -> None:
    assert row(generate_instances.refresh(catalogue(), []), "p5.48xlarge") == row(catalogue(), "p5.48xlarge")


def test_a_row_of_an_older_recording_gets_the_new_source() -> None:
    stale = catalogue()
    row(stale, "g6.xlarge")["source"] = [generate_instances.OLDER_SOURCE, "service-quotas"]
    fresh = generate_instances.refresh(stale, answers())
    assert row(fresh, "g6.xlarge")["source"] == [generate_instances.SOURCE, "service-quotas"]


def test_the_command_writes_the_file_with_its_source_and_date(tmp_path: Path) -> None:
    target = tmp_path / "instances.json"
    target.write_text(generate_instances.render(catalogue()), encoding="utf-8")
    command = ["--from-file", str(DUMP), "--date", "2026-09-01", "--what", "a dump", "--catalogue", str(target)]
    assert generate_instances.main(command) == 0
    written = json.loads(target.read_bytes())
    assert written["sources"][generate_instances.SOURCE]["date"] == "2026-09-01"
    assert written["sources"][generate_instances.SOURCE]["what"] == "a dump"
    assert written["instances"] == catalogue()["instances"]


def test_a_dump_without_its_date_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        generate_instances.main(["--from-file", str(DUMP)])
    assert stopped.value.code == 2
    assert "--from-file needs --date" in capsys.readouterr().err
