"""Formats: what is recognised, what is read, and what a line that is not whole does."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpufleet.errors import UsageError
from gpufleet.triage import causes, inputs
from gpufleet.triage.formats import METRICS, dcgm, dmon, smi, throttles
from gpufleet.triage.inputs import Input
from gpufleet.triage.readings import Device, Readings
from tests.gpufleet.triage import samples


def taken(path: Path, text: str | bytes) -> tuple[Readings, Input]:
    readings = Readings()
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return readings, inputs.take(str(path), readings, lambda _: None)


def values(readings: Readings, metric: str) -> list[list[float]]:
    return [list(series.values) for _, series in readings.all(metric)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "readings"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (samples.smi(), "nvidia-smi CSV"),
        (samples.dmon(), "nvidia-smi dmon"),
        (samples.dcgm(), "DCGM exporter"),
        (samples.step_rows(), "step times"),
        ('{"step": 1, "data": 0.1, "forward": 0.2}\n', "step times"),
        (samples.TCP, "log"),
        (samples.DMESG, "log"),
        ("\n" * 5 + samples.smi(), "nvidia-smi CSV"),
        (samples.smi().replace("\n", "\r\n"), "nvidia-smi CSV"),
    ],
)
def test_a_file_is_recognised_by_its_content(path: Path, text: str, name: str):
    assert taken(path, text)[1].format == name


def test_nvidia_smi_names_are_read_with_and_without_units(path: Path):
    readings, _ = taken(path, "index, utilization.gpu [%], memory.used [MiB]\n0, 97 %, 70312 MiB\n0, 96, 70313\n")
    assert values(readings, "gpu_util") == [[97, 96]]
    assert values(readings, "memory_used") == [[70312, 70313]]


def test_what_nvidia_smi_does_not_know_is_no_value(path: Path):
    readings, one = taken(path, "index, utilization.gpu [%], temperature.memory\n0, 97 %, N/A\n0, [N/A], 71\n")
    assert values(readings, "gpu_util") == [[97]]
    assert values(readings, "memory_temp") == [[71]]
    assert one.notes == ()


@pytest.mark.parametrize("prefix", ["clocks_event_reasons", "clocks_throttle_reasons"])
def test_reasons_are_read_as_flags_under_their_old_and_new_name(path: Path, prefix: str):
    header = f"index, {prefix}.hw_thermal_slowdown, {prefix}.sw_thermal_slowdown, {prefix}.sw_power_cap\n"
    readings, _ = taken(path, f"{header}0, Not Active, Active, Not Active\n0, Not Active, Not Active, Active\n")
    assert values(readings, "throttle_thermal") == [[1, 0]]
    assert values(readings, "throttle_power_cap") == [[0, 1]]


def test_a_mask_of_reasons_is_nvmls():
    assert throttles(0x20 | 0x4) == {
        "throttle_power_cap": 1,
        "throttle_hardware": 0,
        "throttle_thermal": 1,
        "throttle_power_brake": 0,
    }
    assert set(throttles(0x1 | 0x2 | 0x10).values()) == {0}


def test_dmon_finds_its_columns_by_their_names_also_with_dates(path: Path):
    text = (
        "#Date       Time        gpu    pwr   temp     sm    mem     fb\n"
        "#YYYYMMDD   HH:MM:SS    Idx      W      C      %      %     MB\n"
        " 20261130   10:00:00      3    640     62     97     41  70312\n"
        " 20261130   10:00:01      3      -     62      -     41  70312\n"
    )
    readings, one = taken(path, text)
    assert readings.devices == [Device(str(path), "", "3")]
    assert values(readings, "gpu_util") == [[97]]
    assert values(readings, "memory_used") == [[70312, 70312]]
    assert one.notes == ()


def test_scrapes_of_the_exporter_follow_each_other(path: Path):
    readings, _ = taken(path, samples.dcgm(DEV_GPU_UTIL=10) + samples.dcgm(DEV_GPU_UTIL=20))
    device = Device(str(path), "ip-10-0-1-11", "1")
    assert [row for _, row in readings.joined(device, "gpu_util", "memory_total")] == [(10, 81000), (20, 81000)]


def test_labels_of_the_exporter_may_hold_anything(path: Path):
    line = 'DCGM_FI_DEV_GPU_UTIL{gpu="0",pod="a}\\"b,c=\\"d",hostname="h"} 97 1700000000000\n'
    readings, _ = taken(path, line)
    assert [(str(device), list(s.values)) for device, s in readings.all("gpu_util")] == [("GPU 0 of h", [97])]


def test_a_slice_of_a_gpu_is_a_device_of_its_own(path: Path):
    line = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{{gpu="0",GPU_I_ID="{}"}} 0.5\n'
    readings, _ = taken(path, line.format(1) + line.format(2))
    assert [str(device) for device in readings.devices] == ["GPU 0/1", "GPU 0/2"]


def test_blank_values_of_dcgm_are_no_values(path: Path):
    readings, one = taken(
        path, "DCGM_FI_DEV_GPU_UTIL 9223372036854775794\nDCGM_FI_DEV_GPU_UTIL NaN!\nDCGM_FI_DEV_GPU_TEMP 60\n"
    )
    assert values(readings, "gpu_util") == []
    assert one.notes == ("2 lines could not be read, the first of them line 1",)


@pytest.mark.parametrize(
    ("text", "phases", "total"),
    [
        ("step,data_time_ms,fwd_ms,total_ms\n1,100,200,400\n", {"data": 0.1, "forward": 0.2}, 0.4),
        (
            "iteration,dataloader,allreduce,optimizer_step\n1,0.1,0.2,0.3\n",
            {"data": 0.1, "comm": 0.2, "optimizer": 0.3},
            0.6,
        ),
        ('{"step": 1, "data": 0.1, "backward": 0.2, "step_time": 1}\n', {"data": 0.1, "backward": 0.2}, 1.0),
        ('{"step": 1, "data": 0.1, "load": 0.2, "loss": 3.1}\n', {"data": 0.3}, 0.3),
    ],
)
def test_step_times_are_read_by_many_names_in_seconds(path: Path, text: str, phases: dict[str, float], total: float):
    (step,) = taken(path, text)[0].steps
    assert step.phases == pytest.approx(phases)
    assert step.total == pytest.approx(total)


def test_a_step_with_a_time_that_is_none_is_not_counted(path: Path):
    readings, one = taken(path, "step,data,forward\n1,0.1,0.2\n2,-1,0.2\n3,nan,0.2\n4,oops,0.2\n")
    assert len(readings.steps) == 1
    assert one.notes == ("3 lines could not be read, the first of them line 3",)


@pytest.mark.parametrize("text", [samples.smi(), samples.dmon(), samples.dcgm(), samples.step_rows()])
def test_a_last_line_that_is_cut_off_is_left_out_and_said(path: Path, text: str):
    lines = text.splitlines()
    cut = "\n".join(lines)[: -len(lines[-1]) // 2 - 1]
    _, one = taken(path, cut)
    assert one.notes == (f"line {len(lines)}, the last one, is cut off and was left out",)


def test_a_last_line_that_only_lacks_its_end_is_read(path: Path):
    readings, one = taken(path, samples.smi(rows=3, gpus=1).rstrip("\n"))
    assert len(values(readings, "gpu_util")[0]) == 3
    assert one.notes == ()


def test_logs_are_read_under_any_prefix(path: Path):
    text = (
        "2026-11-30T10:00:00Z stdout F ip-10-0-1-11:1:2 [0] NCCL INFO Using network Socket\n"
        "Nov 30 10:00:00 ip-10-0-1-11 kernel: NVRM: Xid (PCI:0000:53:00): 94, pid='<unknown>', Contained\n"
    )
    readings, _ = taken(path, text)
    assert [event.code for event in readings.events("nccl-network")] == ["Socket"]
    assert [(event.code, event.about) for event in readings.events("xid")] == [("94", "PCI:0000:53:00")]


def test_every_metric_that_a_format_gives_has_a_unit():
    given = {*smi.METRICS_READ, *dmon.METRICS_READ, *dcgm.METRICS_READ, *throttles(0)}
    assert given | {"memory_total"} == METRICS.keys()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"\x7fELF\x00\x01\n", "is not text"),
        (b"\x1f\x8b\x08\x00\n", "is compressed\n  fix: gunzip"),
        (b"the quick brown fox\n", "nothing in it is a reading: 'the quick brown fox'"),
        (b"0, 97 %, 70312 MiB\n", "fix: a CSV needs its header: leave noheader out"),
        (b"index, utilization.gpu [%]\n", "has the header of nvidia-smi CSV and no row below it"),
        (b"index, utilization.gpu [%]\na,b,c\n", ":2: no line can be read as nvidia-smi CSV: 'a,b,c'"),
    ],
)
def test_what_is_no_reading_is_refused_with_one_message(path: Path, content: bytes, message: str):
    with pytest.raises(UsageError) as refused:
        taken(path, content)
    assert message in str(refused.value)
    assert str(refused.value).startswith(str(path))


def test_a_file_that_is_too_long_says_how_to_shorten_it(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inputs, "LIMIT_BYTES", 1024 * 1024)
    with pytest.raises(UsageError, match="is longer than 1 MiB\n  fix: .*tail --bytes=100M"):
        taken(path, samples.smi(rows=9000))


def test_a_line_that_never_ends_is_too_long_too(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inputs, "LIMIT_BYTES", 1024 * 1024)
    with pytest.raises(UsageError, match="is longer than 1 MiB"):
        taken(path, b"x" * (1024 * 1024 + 1))


SAMPLES = [
    samples.smi(rows=3),
    samples.dmon(rows=3),
    samples.dcgm(),
    samples.step_rows(rows=3),
    '{"step": 1, "data": 0.1, "forward": 0.2}\n' * 3,
    samples.TCP,
    samples.DMESG,
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(SAMPLES), st.integers(0, 2000), st.integers(0, 2000), st.text(max_size=20))
def test_no_damage_to_a_file_ends_in_anything_but_an_answer(path: Path, text: str, start: int, end: int, junk: str):
    damaged = text[: start % len(text)] + junk + text[end % len(text) :]
    try:
        readings, _ = taken(path, damaged)
    except UsageError:
        return
    causes.find(readings)


def test_a_file_that_is_not_there_says_so():
    with pytest.raises(UsageError, match="nowhere: cannot be read: No such file or directory"):
        inputs.take("nowhere", Readings(), lambda _: None)


def test_a_folder_is_no_file(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        inputs.take(str(tmp_path), Readings(), lambda _: None)
