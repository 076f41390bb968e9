"""A difference in the engine's terms."""

from collections.abc import Mapping

from pulumi.provider.experimental.provider import DiffResponse, PropertyDiff, PropertyDiffKind

from gpufleet.rehearsal.kubernetes.differences import Change
from gpufleet.rehearsal.kubernetes.paths import Path, spelled

_KINDS = {
    Change.ADDED: (PropertyDiffKind.ADD, PropertyDiffKind.ADD_REPLACE),
    Change.DELETED: (PropertyDiffKind.DELETE, PropertyDiffKind.DELETE_REPLACE),
    Change.UPDATED: (PropertyDiffKind.UPDATE, PropertyDiffKind.UPDATE_REPLACE),
}


def answer(
    changes: Mapping[Path, Change], replaces: tuple[Path, ...], *, delete_before_replace: bool = False
) -> DiffResponse:
    """Return the answer to the engine's question for a difference.

    Args:
        changes: what changes, path by path.
        replaces: the paths that need another object, whether or not they are among the changes.
        delete_before_replace: the two cannot stand at the same time.
    """
    all_changes = {**dict.fromkeys(replaces, Change.UPDATED), **changes}
    return DiffResponse(
        changes=bool(all_changes),
        replaces=[spelled(path) for path in replaces],
        delete_before_replace=delete_before_replace,
        diffs=sorted({str(path[0]) for path in all_changes if path}),
        # A side of the diff that is not an input is shown from the state.
        detailed_diff={
            spelled(path): PropertyDiff(_KINDS[change][path in replaces], input_diff=False)
            for path, change in all_changes.items()
            if path
        },
    )
