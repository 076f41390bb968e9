"""A rehearsal that was left standing (`--keep`): what it says of itself, and its end."""

import contextlib
import json
import shutil
from pathlib import Path
from typing import Any

from gpufleet.errors import UsageError
from gpufleet.rehearsal.cloud import Cloud, CloudError
from gpufleet.rehearsal.controlplane import plane
from gpufleet.rehearsal.workspace import Workspace


def read(folder: Path) -> dict[str, Any]:
    """Return the record of a kept rehearsal (see `Session.keep`).

    Raises:
        UsageError: the folder is not one of a kept rehearsal.
    """
    path = Workspace(folder).record
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{folder}: not the folder of a rehearsal that was kept; `gpufleet rehearse STACK --keep` prints it"
        ) from error
    return record


def stop(folder: Path) -> None:
    """End the servers of a kept rehearsal and remove its folder; one that is gone already is no error.

    Raises:
        UsageError: the folder is not one of a kept rehearsal.
    """
    record = read(folder)
    with contextlib.suppress(CloudError):
        Cloud.attach(record["endpoint"], record["account_id"]).end()
    for kubernetes in record["kubernetes"]:
        with contextlib.suppress(UsageError):
            plane.end(Path(kubernetes["folder"]))
    shutil.rmtree(folder, ignore_errors=True)
