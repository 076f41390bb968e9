"""Readings as the tools write them: nvidia-smi, dmon, the DCGM exporter, NCCL, the kernel, a training loop."""

from collections.abc import Callable, Mapping

SMI_HEADER = (
    "timestamp, index, utilization.gpu [%], utilization.memory [%], memory.used [MiB], memory.total [MiB], "
    "temperature.gpu, power.draw [W], enforced.power.limit [W], clocks.current.sm [MHz], clocks.max.sm [MHz], "
    "clocks_event_reasons.active"
)
HEALTHY = {"util": 97, "mem": 45, "used": 70312, "temp": 62, "power": 640.0, "clock": 1755, "reasons": 0}


def smi(rows: int = 60, gpus: int = 2, change: Callable[[int, int], Mapping[str, float]] | None = None) -> str:
    """One sample a second of H100s; `change` gives what differs from a healthy one at a row of a GPU."""
    lines = [SMI_HEADER]
    for row in range(rows):
        for gpu in range(gpus):
            s = {**HEALTHY, **(change(row, gpu) if change else {})}
            lines.append(
                f"2026/11/30 10:{row // 60:02}:{row % 60:02}.123, {gpu}, {s['util']:.0f} %, {s['mem']:.0f} %, "
                f"{s['used']:.0f} MiB, 81559 MiB, {s['temp']:.0f}, {s['power']:.2f} W, 700.00 W, {s['clock']:.0f} MHz, "
                f"1980 MHz, 0x{int(s['reasons']):016x}"
            )
    return "\n".join(lines) + "\n"


DMON_HEADER = (
    "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk  pviol  tviol\n"
    "# Idx      W      C      C      %      %      %      %      %      %    MHz    MHz      %   bool\n"
)


def dmon(rows: int = 30, *, sm: int = 96, gtemp: int = 60, tviol: int = 0, pclk: int = 1755) -> str:
    """`nvidia-smi dmon -s puv` of two H100s, its header again and again."""
    text = ""
    for row in range(rows):
        if row % 10 == 0:
            text += DMON_HEADER
        for gpu in (0, 1):
            text += f"    {gpu}    640     {gtemp}     71     {sm}     41      0      0      0      0   2619"
            text += f"   {pclk}      0      {tviol}\n"
    return text


def dcgm(**changed: float) -> str:
    """One scrape of dcgm-exporter on a node with two H100s."""
    values = {
        "DEV_SM_CLOCK": 1755,
        "DEV_MEMORY_TEMP": 71,
        "DEV_GPU_TEMP": 60,
        "DEV_POWER_USAGE": 640.5,
        "DEV_GPU_UTIL": 97,
        "DEV_MEM_COPY_UTIL": 45,
        "DEV_XID_ERRORS": 0,
        "DEV_FB_FREE": 10700,
        "DEV_FB_USED": 70300,
        "DEV_UNCORRECTABLE_REMAPPED_ROWS": 0,
        "DEV_ROW_REMAP_FAILURE": 0,
        "PROF_PIPE_TENSOR_ACTIVE": 0.42,
        "PROF_DRAM_ACTIVE": 0.38,
        **changed,
    }
    text = ""
    for name, value in values.items():
        text += f"# HELP DCGM_FI_{name} as the counters file says\n# TYPE DCGM_FI_{name} gauge\n"
        for gpu in (0, 1):
            shown = value if gpu == 1 or name not in changed else HEALTHY_DCGM.get(name, 0)
            text += (
                f'DCGM_FI_{name}{{gpu="{gpu}",UUID="GPU-7f1{gpu}",pci_bus_id="00000000:5{gpu}:00.0",device="nvidia{gpu}",'
                f'modelName="NVIDIA H100 80GB HBM3",Hostname="ip-10-0-1-11",DCGM_FI_DRIVER_VERSION="570.133.20",'
                f'container="trainer",namespace="vision",pod="train-0"}} {shown}\n'
            )
    return text


HEALTHY_DCGM: dict[str, float] = {
    "DEV_GPU_UTIL": 97,
    "DEV_FB_FREE": 10700,
    "DEV_FB_USED": 70300,
    "PROF_PIPE_TENSOR_ACTIVE": 0.42,
    "PROF_DRAM_ACTIVE": 0.38,
}


def nccl(network: str, channel: str, *, nodes: int = 2, inside: str = "P2P/CUMEM/read", plugin: str = "") -> str:
    """The start of a job as NCCL_DEBUG=INFO shows it, among the job's own lines."""
    host = "ip-10-0-1-11:4021"
    lines = ["Epoch 0: loading checkpoint", f"{host}:4021 [0] NCCL INFO Bootstrap: Using eth0:10.0.1.11<0>"]
    if plugin:
        lines.append(f"{host}:4021 [0] NCCL INFO {plugin}")
    lines += [
        f"{host}:4120 [0] NCCL INFO Using network {network}",
        f"{host}:4120 [0] NCCL INFO comm 0x5566 rank 0 nRanks {8 * nodes} nNodes {nodes} localRanks 8 MNNVL 0",
        f"{host}:4140 [0] NCCL INFO Channel 00/16 :    0   1   2   3   4   5   6   7",
        f"{host}:4140 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via {inside}",
    ]
    if nodes > 1:
        lines += [
            f"{host}:4140 [0] NCCL INFO Channel {number:02}/0 : 15[7] -> 0[0] [receive] via {channel}"
            for number in range(8)
        ]
    lines.append(
        f"{host}:4120 [0] NCCL INFO comm 0x5566 rank 0 nranks {8 * nodes} cudaDev 0 busId 53000 - Init COMPLETE"
    )
    return "\n".join(lines) + "\n"


TCP = nccl(
    "Socket", "NET/Socket/0", plugin="NET/Plugin: No plugin found (libnccl-net.so), using internal implementation"
)
EFA = nccl(
    "AWS Libfabric",
    "NET/AWS Libfabric/0/GDRDMA",
    plugin="NET/OFI Selected provider is efa, fabric is efa-direct (found 32 nics)",
)


def step_rows(changed: Mapping[str, float] | None = None, *, rows: int = 40, ranks: int = 1) -> str:
    """A training loop's step times in seconds."""
    times = {"data": 0.01, "forward": 0.2, "backward": 0.4, "comm": 0.05, "optimizer": 0.04, **(changed or {})}
    lines = ["step,rank," + ",".join(times)]
    for row in range(rows):
        lines += [f"{row},{rank}," + ",".join(f"{t:.4f}" for t in times.values()) for rank in range(ranks)]
    return "\n".join(lines) + "\n"


DMESG = """\
[    4.912345] nvidia-nvlink: Nvlink Core is being initialized, major device number 240
[ 8123.451234] NVRM: GPU at PCI:0000:53:00: GPU-7f10
[ 8123.451299] NVRM: Xid (PCI:0000:53:00): 79, pid=4021, name=python3, GPU has fallen off the bus.
[ 8123.462001] NVRM: Xid (PCI:0000:53:00): 79, pid=4021, name=python3, GPU has fallen off the bus.
[ 8130.000123] NVRM: Xid (PCI:0000:64:00): 43, pid=4022, name=python3, Ch 00000008
"""
