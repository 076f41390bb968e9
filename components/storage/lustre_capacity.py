"""Which sizes and speeds an FSx for Lustre file system comes in.

PERSISTENT_2 on SSD: the one that takes a key of one's own, links to a bucket by data repository associations, and can
speak EFA.
"""

THROUGHPUTS = (125, 250, 500, 1000)
"""MB/s for each TiB of capacity.
https://docs.aws.amazon.com/fsx/latest/LustreGuide/performance.html"""
SMALLEST_GIB, STEP_GIB = 1200, 2400
EFA_STEP_GIB = {125: 38400, 250: 19200, 500: 9600, 1000: 4800}
"""With EFA, capacity comes in multiples of this, by throughput; the least is one.
https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html"""
METADATA_STEP_IOPS, MOST_METADATA_IOPS = 12_000, 192_000
_SMALL_METADATA_IOPS = (1500, 3000, 6000)
MOST_GIB = 2_400_000
"""Far above the quota of any account; a slip of the finger stops here."""


def check(size_gib: int, throughput: int, *, efa: bool, metadata_iops: int | None = None) -> None:
    """Refuse what FSx would refuse, half an hour later.

    Raises:
        ValueError: names the value, what is allowed, and the nearest that would do.
    """
    if throughput not in THROUGHPUTS:
        raise ValueError(
            f"throughput: {throughput} is not offered; allowed are {', '.join(map(str, THROUGHPUTS))} MB/s for each TiB"
        )
    step = EFA_STEP_GIB[throughput] if efa else STEP_GIB
    fits = size_gib > 0 and size_gib % step == 0
    if not (fits or (size_gib == SMALLEST_GIB and not efa)) or size_gib > MOST_GIB:
        raise ValueError(f"size_gib: {size_gib} is not offered; {_allowed(size_gib, throughput, efa=efa)}")
    if metadata_iops is not None and not _metadata_offered(metadata_iops):
        raise ValueError(
            f"metadata_iops: {metadata_iops} is not offered; allowed are {', '.join(map(str, _SMALL_METADATA_IOPS))} "
            f"and multiples of {METADATA_STEP_IOPS} up to {MOST_METADATA_IOPS}; leave it out to scale with the size"
        )


def _allowed(size_gib: int, throughput: int, *, efa: bool) -> str:
    step = EFA_STEP_GIB[throughput] if efa else STEP_GIB
    nearest = min(max(-(-size_gib // step), 1) * step, MOST_GIB // step * step)
    if efa:
        return (
            f"with EFA at {throughput} MB/s for each TiB, allowed are multiples of {step} GiB: take {nearest}, "
            "a higher throughput (its steps are smaller), or no EFA"
        )
    if size_gib <= SMALLEST_GIB:
        nearest = SMALLEST_GIB
    return f"allowed are {SMALLEST_GIB} and multiples of {step} GiB: take {nearest}"


def _metadata_offered(iops: int) -> bool:
    return iops in _SMALL_METADATA_IOPS or (
        METADATA_STEP_IOPS <= iops <= MOST_METADATA_IOPS and iops % METADATA_STEP_IOPS == 0
    )
