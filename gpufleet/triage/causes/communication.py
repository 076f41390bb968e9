"""Is it the network between GPUs? NCCL over TCP, without GPUDirect, through host memory; time lost in collectives."""

from collections.abc import Iterator, Sequence

from gpufleet.triage import step_times
from gpufleet.triage.findings import Evidence, Finding
from gpufleet.triage.readings import Event, Readings
from gpufleet.triage.thresholds import value

_CATEGORY = "communication"
_EFA = ("ofi", "libfabric", "efa")

_TO_EFA = (
    "use an instance type with EFA, and ask for its interfaces in the pod: vpc.amazonaws.com/efa, hugepages-2Mi",
    "use an image with libfabric and aws-ofi-nccl (p5 needs 1.7.3 and NCCL 2.18.5), and set no FI_PROVIDER",
    "see that fi_info -p efa lists the interfaces in the pod, and the security group lets its own members in and out",
    "the log must then say: NET/OFI Selected provider is efa",
)
"""https://github.com/awslabs/awsome-distributed-ai, EFA cheat sheet of 2026-07-23"""


def find(readings: Readings) -> Iterator[Finding]:
    """The causes in communication."""
    yield from _tcp(readings)
    yield from _no_gpudirect(readings)
    yield from _through_host(readings)
    yield from _exposed(readings)
    yield from _stragglers(readings)
    yield from _timeouts(readings)


def _tcp(readings: Readings) -> Iterator[Finding]:
    """Sockets between nodes. On one node NCCL names a network too and does not use it."""
    channels = [event for event in readings.events("nccl-channel") if event.code.startswith("NET/Socket")]
    networks = [event for event in readings.events("nccl-network") if event.code.lower() == "socket"]
    providers = [event for event in readings.events("nccl-provider") if "efa" not in event.code.lower()]
    between_nodes = _between_nodes(readings)
    if not channels and not (between_nodes and (networks or providers)):
        return
    causes = [*channels[:2], *networks[:2], *providers[:1], *readings.events("nccl-no-plugin")[:1]]
    yield Finding(
        cause="nccl-over-tcp",
        category=_CATEGORY,
        severity="critical",
        title="NCCL talks between nodes over TCP instead of EFA",
        evidence=_told(causes),
        next=_TO_EFA,
    )


def _between_nodes(readings: Readings) -> bool:
    """Whether the job spans nodes, as far as the log says; one rank's log of many names its own host only."""
    nodes = max((int(event.code) for event in readings.events("nccl-nodes")), default=0)
    return nodes > 1 or len(readings.nccl_hosts) > 1


def _no_gpudirect(readings: Readings) -> Iterator[Finding]:
    channels = [e for e in readings.events("nccl-channel") if any(word in e.code.lower() for word in _EFA)]
    direct = [event for event in channels if "GDRDMA" in event.code]
    if channels and not direct:
        yield Finding(
            cause="nccl-without-gpudirect",
            category=_CATEGORY,
            severity="minor",
            title="NCCL uses EFA without GPUDirect RDMA: every byte passes through host memory",
            evidence=_told(channels[:2]),
            next=(
                "normal on g5, g6 and p5.4xlarge: there, take p4d, p5 or p6 for jobs that communicate much",
                "on p4d, p5 and p6: update aws-ofi-nccl and the EFA driver, and unset NCCL_NET_GDR_LEVEL",
            ),
        )


def _through_host(readings: Readings) -> Iterator[Finding]:
    channels = readings.events("nccl-channel")
    shared = [event for event in channels if event.code.startswith("SHM")]
    if shared and not any(event.code.startswith(("P2P", "NVLS")) for event in channels):
        yield Finding(
            cause="nccl-through-host-memory",
            category=_CATEGORY,
            severity="minor",
            title="GPUs of one node talk through host memory, not directly",
            evidence=_told(shared[:2]),
            next=(
                "normal on g5, g6 and g6e, which have no NVLink: keep what talks much on one GPU",
                "elsewhere: unset NCCL_P2P_DISABLE and NCCL_P2P_LEVEL, give the pod all GPUs of the node, and look at "
                "nvidia-smi topo -m",
            ),
        )


def _exposed(readings: Readings) -> Iterator[Finding]:
    found = step_times.share(readings, "comm")
    if found is not None and found.share >= value("comm_share"):
        yield Finding(
            cause="communication-bound",
            category=_CATEGORY,
            severity="critical" if found.share >= 0.5 else "major",
            title="steps wait for communication",
            evidence=(
                Evidence(text=f"{found.share:.0%} of the time of {found.steps} steps, {found.seconds:.3f} s of each"),
                Evidence(text="the longest", place=found.worst),
            ),
            next=(
                "run with NCCL_DEBUG=INFO and give the log to gpufleet triage: is it EFA with GPUDirect?",
                "measure the network alone: all_reduce_perf of nccl-tests on the same nodes",
                "communicate less often: more gradient accumulation, larger buckets, overlap with the backward pass",
                "keep tensor parallelism inside a node, and the nodes in one placement group",
            ),
        )


def _stragglers(readings: Readings) -> Iterator[Finding]:
    slow = list(step_times.stragglers(readings, value("straggler_ratio")))
    if slow:
        yield Finding(
            cause="straggler",
            category=_CATEGORY,
            severity="major",
            title="every rank waits for the slowest",
            evidence=tuple(
                Evidence(
                    text=f"rank {rank} computes {seconds:.3f} s a step, the median rank {usual:.3f} s", place=place
                )
                for rank, seconds, usual, place in slow
            ),
            next=(
                "look at that rank's GPU: clocks, temperature, XIDs, other programs on its node",
                "see that its samples are not longer than the others'",
                "replace the node where the GPU is the reason",
            ),
        )


def _timeouts(readings: Readings) -> Iterator[Finding]:
    events = readings.events("nccl-timeout")
    if events:
        warnings = readings.events("nccl-warning")
        yield Finding(
            cause="collective-timeout",
            category=_CATEGORY,
            severity="critical",
            title="a collective never ended: a rank died, hung or never entered it",
            evidence=_told([*events, *warnings[:3]]),
            next=(
                "find the rank whose log ends first, and why: out of memory, an exception, an XID",
                "set TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1, compare the ranks' dumps",
                "raise the timeout only where a long step (a checkpoint, a compilation) is the reason",
            ),
        )


def _told(events: Sequence[Event]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(text=event.text + (f" ({event.count} such lines)" if event.count > 1 else ""), place=event.place)
        for event in events
    )
