"""Several findings at once: their order, and what each says to try."""

from collections.abc import Callable

from gpufleet.triage.findings import Finding
from tests.gpufleet.triage import samples


def test_mixed_causes_come_in_the_order_in_which_to_look(found: Callable[..., list[Finding]]):
    findings = found(
        samples.DMESG,
        samples.TCP,
        samples.smi(change=lambda row, gpu: {"used": 80900, "temp": 90}),
        samples.step_rows({"data": 0.6, "comm": 0.8}),
    )
    assert [(finding.category, finding.cause) for finding in findings] == [
        ("utilisation", "data-loader"),
        ("memory", "gpu-memory-full"),
        ("communication", "nccl-over-tcp"),
        ("communication", "communication-bound"),
        ("faults", "xid-79"),
        ("faults", "xid-43"),
        ("faults", "thermal"),
    ]


def test_every_finding_says_what_to_try(found: Callable[..., list[Finding]]):
    for text in (samples.DMESG, samples.TCP, samples.step_rows({"data": 0.6})):
        for finding in found(text):
            assert finding.next
            assert all(step and not step.endswith(".") for step in finding.next)
