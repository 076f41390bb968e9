"""Which policy pack judges a program: the one named, else the program's own, else the one that ships with gpufleet."""

from pathlib import Path

from gpufleet.errors import UsageError

_PACKAGE = Path(__file__).resolve().parent.parent
_SHIPPED = (_PACKAGE / "policies", _PACKAGE.parent / "policies")
"""Inside the package in the wheel, beside it in a checkout."""


def find(program: Path, named: Path | None) -> Path:
    """Return the folder of the pack.

    Raises:
        UsageError: the named folder is not a pack, or there is none at all.
    """
    for candidate in (named,) if named else (program / "policies", *_SHIPPED):
        if (candidate / "PulumiPolicy.yaml").is_file():
            return candidate.resolve()
    if named:
        raise UsageError(f"--policy-pack {named}: no PulumiPolicy.yaml there; name the folder of a Pulumi policy pack")
    raise UsageError(f"{program / 'policies'}: no policy pack; name one with --policy-pack DIR, or pass --no-policies")
