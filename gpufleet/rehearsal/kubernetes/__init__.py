"""A stand-in for the `kubernetes` resource plugin: the real Pulumi engine on one side, a real API server on the other.

`python -m gpufleet.rehearsal.kubernetes ENGINE_ADDRESS` serves it. Objects are applied server-side and judged by the
API server itself; only what needs Helm is recorded (`recorded.py`), and said to be.

Where it differs from the official plugin: no kubelet runs in a rehearsal, so it waits for what the control plane does
and never for a pod to be ready; a change that the API server forbids is always a replacement, with a warning where the
official plugin would try and fail; and nothing renders files into objects.
"""
