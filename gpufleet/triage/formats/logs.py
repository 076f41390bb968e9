"""Logs of jobs and kernels: NCCL's own lines, the driver's XIDs, and the last words of what ran out of memory.

A job's log mixes them freely and under any prefix, so that every line is asked for each.
"""

import re
from collections.abc import Iterable, Sequence

from gpufleet.triage.formats import Tally
from gpufleet.triage.readings import Place, Readings

NAME = "log"

_NCCL = re.compile(r"(?P<host>[\w.-]+):(?P<pid>\d+):\d+ \[(?P<device>-?\d+)\] NCCL (?P<level>\w+) (?P<said>.*)")
_XID = re.compile(r"NVRM: Xid \((?P<gpu>[^)]*)\): (?P<code>\d+),?\s*(?P<said>.*)")
_CHANNEL = re.compile(r"Channel \d+(?:/\d+)? ?: .* via (?P<way>\S+(?: \S+)*)")
_USING = re.compile(r"Using network (?P<network>.+?)\s*$")
_PROVIDER = re.compile(r"NET/OFI.* [Ss]elected provider is (?P<provider>[\w;-]+)")
_RANKS = re.compile(r"nranks (?P<ranks>\d+)")
_NODES = re.compile(r"nNodes (?P<nodes>\d+)")
_PLAIN = (
    ("cuda-oom", re.compile(r"CUDA out of memory|OutOfMemoryError|CUDA error: out of memory")),
    ("host-oom", re.compile(r"Out of memory: Killed process|oom-kill:|Memory cgroup out of memory|OOMKilled")),
    ("shm-full", re.compile(r"DataLoader worker .*killed by signal: Bus error|unable to write to file </torch_")),
    ("nccl-timeout", re.compile(r"[Ww]atchdog caught collective operation timeout")),
)
_PLUGIN_MISSING = re.compile(r"NET/Plugin.*(?:[Nn]o plugin found|Could not find)|Failed to (?:open|load) libnccl-net")
_MARKS = ("NCCL", "NVRM", "emory", "OOMKilled", "oom-kill", "Bus error", "torch_", "atchdog")
"""What any line of interest holds: a cheap look before the dear ones."""


def recognises(head: Sequence[str]) -> bool:
    """Always: a log begins with anything, and what it tells is seen when it has been read."""
    return True


def read(lines: Iterable[str], file: str, readings: Readings) -> Tally:
    """Take every line that tells something; the others are what else a job writes."""
    tally = Tally()
    for number, line in enumerate(lines, start=1):
        tally.lines = number
        if not any(mark in line for mark in _MARKS):
            continue
        place = Place(file, number)
        if found := _NCCL.search(line):
            tally.read += 1
            readings.nccl_hosts.add(found["host"])
            _nccl(found["host"], found["level"], found["said"], place, readings)
        elif found := _XID.search(line):
            tally.read += 1
            readings.event("xid", found["code"], found["gpu"], found[0].strip(), place)
        for kind, pattern in _PLAIN:
            if pattern.search(line):
                tally.read += 1
                readings.event(kind, "", "", line.strip()[:200], place)
    return tally


def _nccl(host: str, level: str, said: str, place: Place, readings: Readings) -> None:
    text = said.strip()[:200]
    if found := _CHANNEL.search(said):
        readings.event("nccl-channel", found["way"].strip(), "", text, place)
    elif found := _USING.search(said):
        readings.event("nccl-network", found["network"], host, text, place)
    elif found := _PROVIDER.search(said):
        readings.event("nccl-provider", found["provider"], host, text, place)
    elif _PLUGIN_MISSING.search(said):
        readings.event("nccl-no-plugin", "", host, text, place)
    elif level == "WARN":
        readings.event("nccl-warning", re.sub(r"0x[0-9a-f]+|\d+", "N", text)[:80], "", text, place)
    for kind, pattern in (("nccl-ranks", _RANKS), ("nccl-nodes", _NODES)):
        if number := pattern.search(said):
            readings.event(kind, number[1], "", text, place)
