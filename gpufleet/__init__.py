"""gpufleet: private GPU clusters on AWS, planned, policed and rehearsed before anything is created."""

from pathlib import Path

__version__ = "0.1.0"

_CHECKOUT = Path(__file__).resolve().parent.parent
if (_CHECKOUT / "components").is_dir() and not (_CHECKOUT / "gpufleet/components").exists():
    # The wheel carries `components/` as `gpufleet.components`. In a checkout it lies beside this package; with this, a
    # program that imports it by the wheel's name runs in both.
    __path__.append(str(_CHECKOUT))
