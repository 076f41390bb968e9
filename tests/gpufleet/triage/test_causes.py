"""Each cause is found in readings as the tools write them, and a healthy job is left alone."""

from collections.abc import Callable

import pytest

from gpufleet.triage.findings import Finding
from tests.gpufleet.triage import samples


def only(findings: list[Finding]) -> Finding:
    assert [finding.cause for finding in findings] != []
    assert len(findings) == 1, [finding.cause for finding in findings]
    return findings[0]


def told(finding: Finding) -> list[str]:
    return [evidence.text + (f" @ {evidence.place}" if evidence.place else "") for evidence in finding.evidence]


@pytest.mark.parametrize(
    "text",
    [
        samples.smi(),
        samples.dmon(),
        samples.dcgm() * 3,
        samples.EFA,
        samples.step_rows(ranks=4),
        samples.nccl("Socket", "", nodes=1),
    ],
    ids=["smi", "dmon", "dcgm", "efa", "steps", "one node"],
)
def test_a_healthy_job_is_left_alone(found: Callable[..., list[Finding]], text: str):
    assert found(text) == []


def test_steps_that_wait_for_data(found: Callable[..., list[Finding]]):
    finding = only(found(samples.step_rows({"data": 0.5})))
    assert (finding.cause, finding.category, finding.severity) == ("data-loader", "utilisation", "major")
    assert told(finding)[0] == "42% of the time of 38 steps is spent waiting for data, 0.500 s of each"
    assert told(finding)[1].startswith("the longest wait @ f0:")


def test_a_gpu_that_pauses_between_bursts(found: Callable[..., list[Finding]]):
    finding = only(found(samples.smi(change=lambda row, gpu: {"util": 95 if row % 3 else 3})))
    assert (finding.cause, finding.severity) == ("starved", "major")
    assert told(finding)[0] == "GPU 0: utilisation 64 % on average, below 20 % in 33% of samples @ f0:2"


@pytest.mark.parametrize(("percent", "severity"), [(40, "major"), (60, "minor")])
def test_a_gpu_that_is_busy_for_a_part_of_every_sample(
    found: Callable[..., list[Finding]], percent: int, severity: str
):
    finding = only(found(samples.smi(gpus=1, change=lambda row, gpu: {"util": percent})))
    assert (finding.cause, finding.severity) == ("starved", severity)
    assert finding.title.startswith("the GPU is busy for a part of the time alone")
    assert told(finding) == [f"GPU 0: utilisation {percent} % on average, below 20 % in 0% of samples @ f0:2"]


def test_the_data_loader_explains_the_pauses(found: Callable[..., list[Finding]]):
    pauses = samples.smi(change=lambda row, gpu: {"util": 95 if row % 3 else 3})
    assert [finding.cause for finding in found(pauses, samples.step_rows({"data": 0.5}))] == ["data-loader"]


def test_a_gpu_that_nobody_uses(found: Callable[..., list[Finding]]):
    findings = found(samples.smi(change=lambda row, gpu: {"util": 0, "used": 4, "power": 70} if gpu else {}))
    finding = only(findings)
    assert (finding.cause, finding.title) == ("gpu-idle", "GPU 1 does nothing")
    assert told(finding) == ["utilisation 0 % on average over 60 samples @ f0:3"]


def test_a_gpu_that_holds_memory_and_stands_still(found: Callable[..., list[Finding]]):
    finding = only(found(samples.smi(gpus=1, change=lambda row, gpu: {"util": 0, "power": 120})))
    assert finding.cause == "gpu-stuck"
    assert told(finding)[1] == "70,312 MiB of memory in use"


def test_a_gpu_that_works_less_than_the_others(found: Callable[..., list[Finding]]):
    finding = only(found(samples.smi(gpus=4, change=lambda row, gpu: {"util": 40} if gpu == 3 else {})))
    assert (finding.cause, finding.title) == ("uneven", "GPU 3 works far less than the others")


def test_a_batch_that_is_too_small(found: Callable[..., list[Finding]]):
    finding = only(found(samples.smi(gpus=1, change=lambda row, gpu: {"power": 210, "used": 9000})))
    assert finding.cause == "small-batch"
    assert told(finding)[1:] == ["draws 210 of 700 W @ f0:2", "9,000 of 81,559 MiB of memory in use"]
    assert finding.next[0].startswith("double the batch size")


def test_kernels_that_leave_tensor_cores_idle(found: Callable[..., list[Finding]]):
    finding = only(found(samples.dcgm(PROF_PIPE_TENSOR_ACTIVE=0.003)))
    assert finding.cause == "small-kernels"
    assert told(finding)[1].startswith("tensor cores active in 0.3% of cycles @ f0:")


@pytest.mark.parametrize(
    ("phase", "seconds", "cause"), [("optimizer", 0.3, "optimizer-bound"), ("ckpt", 0.9, "checkpoint-bound")]
)
def test_other_phases_that_take_too_long(found: Callable[..., list[Finding]], phase: str, seconds: float, cause: str):
    assert only(found(samples.step_rows({phase: seconds}))).cause == cause


def test_a_memory_that_is_nearly_full(found: Callable[..., list[Finding]]):
    finding = only(found(samples.smi(change=lambda row, gpu: {"used": 80900})))
    assert (finding.cause, finding.severity) == ("gpu-memory-full", "minor")
    assert told(finding) == [f"GPU {gpu}: 80,900 of 81,559 MiB in use @ f0:{gpu + 2}" for gpu in (0, 1)]


def test_a_bandwidth_that_is_used_up(found: Callable[..., list[Finding]]):
    finding = only(found(samples.dcgm(PROF_DRAM_ACTIVE=0.91, PROF_PIPE_TENSOR_ACTIVE=0.1)))
    assert finding.cause == "memory-bandwidth"
    assert finding.title == "GPU 1 of ip-10-0-1-11 is limited by the bandwidth of its memory"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", "gpu-out-of-memory"),
        ("[ 99.1] Memory cgroup out of memory: Killed process 4021 (python3) total-vm:9", "host-out-of-memory"),
        ("RuntimeError: DataLoader worker (pid 77) is killed by signal: Bus error. It is", "shared-memory-full"),
    ],
)
def test_last_words_of_what_ran_out_of_memory(found: Callable[..., list[Finding]], line: str, cause: str):
    finding = only(found(f"step 12\n{line}\n"))
    assert (finding.cause, finding.category, finding.severity) == (cause, "memory", "critical")
    assert told(finding) == [f"{line} @ f0:2"]


def test_nccl_over_tcp_instead_of_efa(found: Callable[..., list[Finding]]):
    finding = only(found(samples.TCP))
    assert (finding.cause, finding.category, finding.severity) == ("nccl-over-tcp", "communication", "critical")
    assert told(finding) == [
        "Channel 00/0 : 15[7] -> 0[0] [receive] via NET/Socket/0 (8 such lines) @ f0:8",
        "Using network Socket @ f0:4",
        "NET/Plugin: No plugin found (libnccl-net.so), using internal implementation @ f0:3",
    ]


def test_two_hosts_that_name_the_socket_network_are_enough(found: Callable[..., list[Finding]]):
    one = "ip-10-0-1-11:1:1 [0] NCCL INFO Using network Socket\n"
    assert only(found(one, one.replace("1-11", "1-12"))).cause == "nccl-over-tcp"
    assert found(one) == []


def test_a_plugin_that_chose_tcp(found: Callable[..., list[Finding]]):
    chose = samples.nccl("AWS Libfabric", "NET/AWS Libfabric/0", plugin="NET/OFI Selected provider is tcp, fabric is x")
    assert [finding.cause for finding in found(chose)] == ["nccl-over-tcp", "nccl-without-gpudirect"]


def test_efa_without_gpudirect(found: Callable[..., list[Finding]]):
    assert only(found(samples.nccl("AWS Libfabric", "NET/AWS Libfabric/0"))).cause == "nccl-without-gpudirect"


def test_gpus_that_talk_through_host_memory(found: Callable[..., list[Finding]]):
    finding = only(found(samples.nccl("Socket", "", nodes=1, inside="SHM/direct/direct")))
    assert finding.cause == "nccl-through-host-memory"


def test_steps_that_wait_for_communication(found: Callable[..., list[Finding]]):
    finding = only(found(samples.step_rows({"comm": 0.9})))
    assert (finding.cause, finding.severity) == ("communication-bound", "critical")


def test_a_rank_that_all_wait_for(found: Callable[..., list[Finding]]):
    fast, slow = samples.step_rows(ranks=3), samples.step_rows({"backward": 0.8}).replace(",0,", ",7,")
    finding = only(found(fast, slow))
    assert finding.cause == "straggler"
    assert told(finding)[0].startswith("rank 7 computes 1.050 s a step, the median rank 0.650 s @ f1:")


def test_a_collective_that_never_ended(found: Callable[..., list[Finding]]):
    line = (
        "[rank0]:[E1130 10:00:00.123 ProcessGroupNCCL.cpp:632] [Rank 0] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=1234, OpType=ALLREDUCE, NumelIn=1, Timeout(ms)=600000) ran for 600012 milliseconds"
    )
    assert only(found(samples.EFA + line + "\n")).cause == "collective-timeout"


def test_xids_in_the_kernels_log(found: Callable[..., list[Finding]]):
    first, second = found(samples.DMESG)
    assert (first.cause, first.severity) == ("xid-79", "critical")
    assert first.title == "XID 79, GPU has fallen off the bus: the GPU does not answer over PCIe any more"
    assert told(first) == [
        "PCI:0000:53:00, 2 times: NVRM: Xid (PCI:0000:53:00): 79, pid=4021, name=python3, "
        "GPU has fallen off the bus. @ f0:3"
    ]
    assert (second.cause, second.severity) == ("xid-43", "minor")


def test_an_xid_in_the_exporters_gauge(found: Callable[..., list[Finding]]):
    finding = only(found(samples.dcgm(DEV_XID_ERRORS=94)))
    assert finding.cause == "xid-94"
    assert told(finding)[0].startswith("GPU 1 of ip-10-0-1-11: DCGM_FI_DEV_XID_ERRORS is 94 @ f0:")


def test_an_xid_that_nobody_listed(found: Callable[..., list[Finding]]):
    finding = only(found("NVRM: Xid (PCI:0000:53:00): 999, what is this\n"))
    assert finding.cause == "xid-999"
    assert "not in the table" in finding.title


@pytest.mark.parametrize(
    ("field", "cause"),
    [
        ("DEV_ROW_REMAP_FAILURE", "row-remap-failed"),
        ("DEV_ECC_DBE_VOL_TOTAL", "ecc-uncorrected"),
        ("DEV_ROW_REMAP_PENDING", "row-remap-pending"),
        ("DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL", "nvlink-errors"),
    ],
)
def test_counters_of_errors(found: Callable[..., list[Finding]], field: str, cause: str):
    finding = only(found(samples.dcgm(**{field: 2})))
    assert finding.cause == cause
    assert told(finding)[0].startswith("GPU 1 of ip-10-0-1-11: 2")


def test_heat_that_slows_down(found: Callable[..., list[Finding]]):
    hot = {"temp": 88, "clock": 1200, "reasons": 0x40}
    finding = only(found(samples.smi(change=lambda row, gpu: hot if gpu and row > 20 else {})))
    assert (finding.cause, finding.severity) == ("thermal", "major")
    assert told(finding) == [
        "GPU 1: slowed down by heat in 65% of samples @ f0:45",
        "GPU 1: GPU at 85 C or more in 65% of samples, at most 88 C @ f0:45",
    ]


def test_heat_before_it_slows_down(found: Callable[..., list[Finding]]):
    finding = only(found(samples.dmon(gtemp=87)))
    assert (finding.cause, finding.severity) == ("thermal", "minor")


def test_a_power_brake(found: Callable[..., list[Finding]]):
    finding = only(found(samples.smi(change=lambda row, gpu: {"reasons": 0x80} if row == 30 and gpu == 0 else {})))
    assert (finding.cause, finding.severity) == ("power-brake", "critical")
    assert told(finding) == ["GPU 0: in 2% of samples @ f0:62"]


@pytest.mark.parametrize(("clock", "causes_"), [(1700, []), (1200, ["power-cap"])])
def test_a_power_cap_counts_only_where_it_costs(found: Callable[..., list[Finding]], clock: int, causes_: list[str]):
    text = samples.smi(change=lambda row, gpu: {"reasons": 0x4, "power": 699, "clock": clock})
    assert [finding.cause for finding in found(text)] == causes_


def test_low_clocks_without_a_reason(found: Callable[..., list[Finding]]):
    findings = found(samples.smi(gpus=1, change=lambda row, gpu: {"clock": 900}))
    assert only(findings).cause == "low-clocks"
    assert told(findings[0]) == ["below 70% of the best clock in 100% of busy samples, at least 900 of 1980 MHz @ f0:2"]


def test_low_clocks_of_an_idle_gpu_are_no_fault(found: Callable[..., list[Finding]]):
    findings = found(samples.smi(gpus=1, change=lambda row, gpu: {"clock": 345, "util": 0, "used": 4, "reasons": 1}))
    assert [finding.cause for finding in findings] == ["gpu-idle"]


def test_a_link_with_too_few_lanes(found: Callable[..., list[Finding]]):
    header = "index, utilization.gpu [%], pcie.link.width.current, pcie.link.width.max, pcie.link.gen.current, "
    rows = "".join(f"0, 96 %, 8, 16, 5, 5\n1, 96 %, 16, 16, {gen}, 5\n" for gen in (5, 5, 5))
    finding = only(found(header + "pcie.link.gen.max\n" + rows))
    assert finding.cause == "pcie-degraded"
    assert told(finding) == ["GPU 0: PCIe 8 of 16 lanes @ f0:2"]
