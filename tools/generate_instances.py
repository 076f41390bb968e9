"""Refreshes gpufleet/facts/data/instances.json from EC2's own DescribeInstanceTypes.

    python tools/generate_instances.py --region us-east-1
    aws ec2 describe-instance-types > dump.json
    python tools/generate_instances.py --from-file dump.json --date 2026-08-02

What the API tells replaces what the file holds; what it does not tell (NVLink, compute capability, images, quota codes,
regions, notes) stays. A type that the answer lacks stays too: no region offers all of them. Accelerator types that the
file lacks are added, with gaps to fill by hand, which are named on stderr; other types only when `--include` asks.
The same input gives the same file, byte for byte.
"""

import argparse
import importlib
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, cast

CATALOGUE: Final = Path(__file__).parents[1] / "gpufleet" / "facts" / "data" / "instances.json"
SOURCE: Final = "ec2-describe-instance-types"
OLDER_SOURCE: Final = "ec2-describe-instance-types-older"

Row = dict[str, Any]
Answer = Mapping[str, Any]
"""One entry of DescribeInstanceTypes' `InstanceTypes`."""

_MAKERS: Final = {"NVIDIA": "nvidia", "AMD": "amd", "Habana": "habana", "Qualcomm": "qualcomm", "Xilinx": "xilinx"}
_BLANK: Final[Row] = {
    "name": "",
    "family": "",
    "accelerator": None,
    "gpu_model": None,
    "gpu_count": 0,
    "gpu_partition_size": None,
    "gpu_memory_mib": None,
    "gpu_architecture": None,
    "compute_capability": None,
    "nvlink_gb_s_per_gpu": None,
    "gpudirect_rdma": None,
    "vcpus": None,
    "memory_mib": None,
    "cpu_arch": "x86_64",
    "bare_metal": False,
    "nvme_gb": 0,
    "network_gbps": None,
    "network_cards": 1,
    "efa_card_indices": [],
    "on_demand": None,
    "spot": None,
    "capacity_block": None,
    "placement_strategies": [],
    "regions": [],
    "eks_ami_types": [],
    "quota_on_demand": None,
    "quota_spot": None,
    "source": [],
    "notes": [],
}
"""A type of which nothing is known yet, with the fields in the order of the file."""
_BY_HAND: Final = ("regions", "eks_ami_types", "quota_on_demand", "quota_spot")


def refresh(catalogue: Mapping[str, Any], answers: Iterable[Answer], include: Sequence[str] = ()) -> dict[str, Any]:
    """The catalogue with every row brought up to date, and with the rows that are new."""
    rows: dict[str, Row] = {row["name"]: row for row in catalogue["instances"]}
    for answer in answers:
        name = answer["InstanceType"]
        if name in rows or name in include or _accelerator(answer):
            rows[name] = _refreshed(rows.get(name, _BLANK), answer)
    return {**catalogue, "instances": sorted(rows.values(), key=_order)}


def render(catalogue: Mapping[str, Any]) -> str:
    """The file's text: one line a row and one a source, so that a diff shows which type changed."""
    parts: list[str] = []
    for key, content in catalogue.items():
        opening, closing, lines = "", "", [_json(content)]
        if isinstance(content, dict):
            named = cast("dict[str, object]", content)
            opening, closing = "{", "}"
            lines = [f"{_json(name)}: {_json(value)}" for name, value in named.items()]
        elif isinstance(content, list):
            opening, closing = "[", "]"
            lines = [_json(row) for row in cast("list[object]", content)]
        body = lines[0] if not opening else f"{opening}\n    " + ",\n    ".join(lines) + f"\n  {closing}"
        parts.append(f"  {_json(key)}: {body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def incomplete(catalogue: Mapping[str, Any]) -> list[str]:
    """Rows that still need what the API does not tell, each with the names of the empty fields."""
    found: list[str] = []
    for row in catalogue["instances"]:
        empty = [field for field in _BY_HAND if not row[field]]
        if empty and not row["notes"]:
            found.append(f"{row['name']}: {', '.join(empty)}")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; 0 when the file is written."""
    options = _options(arguments)
    catalogue: dict[str, Any] = json.loads(options.catalogue.read_bytes())
    if options.from_file is None:
        what, answers = f"EC2 DescribeInstanceTypes, {options.region}", _ask(options.region)
    else:
        what, answers = options.what, json.loads(options.from_file.read_bytes())["InstanceTypes"]
    catalogue = refresh(catalogue, answers, options.include)
    catalogue["sources"][SOURCE].update(what=what, date=options.date)
    options.catalogue.write_text(render(catalogue), encoding="utf-8")
    for line in incomplete(catalogue):
        print(f"to fill by hand: {line}", file=sys.stderr)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Refresh the instance catalogue from EC2 DescribeInstanceTypes.")
    parser.add_argument("--from-file", type=Path, help="what `aws ec2 describe-instance-types` printed")
    parser.add_argument("--what", default="EC2 DescribeInstanceTypes", help="how the file's source is named")
    parser.add_argument("--date", help="day of the answer, YYYY-MM-DD; today for a live one")
    parser.add_argument("--region", default="us-east-1", help="region to ask")
    parser.add_argument("--include", action="append", default=[], metavar="TYPE", help="add a type without accelerator")
    parser.add_argument("--catalogue", type=Path, default=CATALOGUE)
    options = parser.parse_args(arguments)
    if options.from_file is not None and options.date is None:
        parser.error("--from-file needs --date: the dump does not say of which day it is")
    options.date = options.date or date.today().isoformat()
    return options


def _ask(region: str) -> list[Answer]:
    # Needed for a live answer alone, and untyped: everything it returns is checked by what is made of it.
    client = importlib.import_module("boto3").client("ec2", region_name=region)
    pages = client.get_paginator("describe_instance_types").paginate()
    return [found for page in pages for found in page["InstanceTypes"]]


def _refreshed(row: Row, answer: Answer) -> Row:
    network, usages = answer["NetworkInfo"], answer["SupportedUsageClasses"]
    cards: list[dict[str, Any]] = network.get("NetworkCards", [])
    told: Row = {
        "name": answer["InstanceType"],
        "family": answer["InstanceType"].partition(".")[0],
        **_accelerator(answer),
        "vcpus": answer["VCpuInfo"]["DefaultVCpus"],
        "memory_mib": answer["MemoryInfo"]["SizeInMiB"],
        "cpu_arch": "arm64" if "arm64" in answer["ProcessorInfo"]["SupportedArchitectures"] else "x86_64",
        "bare_metal": answer["BareMetal"],
        "nvme_gb": answer.get("InstanceStorageInfo", {}).get("TotalSizeInGB", 0),
        "network_cards": network["MaximumNetworkCards"],
        "on_demand": "on-demand" in usages,
        "spot": "spot" in usages,
        "capacity_block": "capacity-block" in usages,
        "placement_strategies": answer["PlacementGroupInfo"]["SupportedStrategies"],
    }
    speed = re.fullmatch(r"(?:Up to )?(?:(\d+)x )?([\d.]+) Gigabit", network.get("NetworkPerformance", ""))
    if speed is not None:
        told["network_gbps"] = int(speed[1] or 1) * float(speed[2])
    if any("InterfaceTypes" in card for card in cards):  # Older recordings do not tell which card carries EFA.
        told["efa_card_indices"] = [
            card["NetworkCardIndex"] for card in cards if "efa" in card.get("InterfaceTypes", [])
        ]
    sources = [source for source in row["source"] if source not in (SOURCE, OLDER_SOURCE)]
    return {**row, **told, "source": [SOURCE, *sources]}


def _accelerator(answer: Answer) -> Row:
    """What the API tells of GPUs, Neuron devices and other accelerators; empty where it tells nothing."""
    if devices := answer.get("GpuInfo", {}).get("Gpus"):
        device = devices[0]
        return {
            "accelerator": _MAKERS[device["Manufacturer"]],
            "gpu_model": device["Name"],
            # A fractional type has a Count of 0 and a logical GPU or more.
            "gpu_count": device.get("LogicalGpuCount", device["Count"]),
            "gpu_partition_size": device.get("GpuPartitionSize", 1.0),
            "gpu_memory_mib": device["MemoryInfo"]["SizeInMiB"],
        }
    for block, key in (
        ("NeuronInfo", "NeuronDevices"),
        ("InferenceAcceleratorInfo", "Accelerators"),
        ("MediaAcceleratorInfo", "Accelerators"),
    ):
        if devices := answer.get(block, {}).get(key):
            device = devices[0]
            return {
                "accelerator": "neuron" if block == "NeuronInfo" else _MAKERS[device["Manufacturer"]],
                "gpu_model": device["Name"],
                "gpu_count": device["Count"],
                "gpu_memory_mib": device["MemoryInfo"]["SizeInMiB"],
            }
    return {}


def _order(row: Row) -> tuple[bool, str, float, str]:
    return (row["accelerator"] is None, row["family"], row["vcpus"] or float("inf"), row["name"])


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
