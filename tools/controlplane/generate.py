"""Writes tools/controlplane/MINOR: the Go module from which a Kubernetes control plane of one release is built.

    python tools/controlplane/generate.py 1.35.4

Kubernetes replaces its own libraries (`k8s.io/api` and some thirty more) by folders of its source tree. Such lines of a
dependency are ignored by Go, so they are repeated here, with the releases of the same libraries instead of folders:
v0.35.4 belongs to v1.35.4. etcd is the release that this Kubernetes itself requires. go.sum is Go's own work
(`go mod tidy`), checked against the public checksum database. Run it again for a newer patch release; a folder replaces
the older one of its minor version. Needs Go and the Go module proxy.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent

TOOLS: Final = """//go:build tools

package controlplane

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kube-scheduler"
)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; 0 when the folder is written."""
    parser = argparse.ArgumentParser(description="Write the Go module of one Kubernetes release's control plane.")
    parser.add_argument("version", help="a full release, as 1.35.4")
    version: str = parser.parse_args(arguments).version
    if not re.fullmatch(r"1\.\d+\.\d+", version):
        parser.error(f"{version!r} is not a release of Kubernetes; give all three numbers, as 1.35.4")
    folder = HERE / version.rpartition(".")[0]
    folder.mkdir(exist_ok=True)
    (folder / "tools.go").write_text(TOOLS, encoding="utf-8")
    (folder / "go.mod").write_text(go_mod(version, _kubernetes_go_mod(version, folder)), encoding="utf-8")
    (folder / "go.sum").unlink(missing_ok=True)
    _go(["mod", "tidy"], folder)
    return 0


def go_mod(version: str, upstream: dict[str, Any]) -> str:
    """Write the go.mod that `go mod tidy` completes.

    Args:
        version: the release of Kubernetes, without the v.
        upstream: its own go.mod as `go mod edit -json` gives it.

    Raises:
        LookupError: it does not require etcd's server.
    """
    required = {entry["Path"]: entry["Version"] for entry in upstream["Require"]}
    etcd = required["go.etcd.io/etcd/server/v3"]
    # 1.35.4 -> 0.35.4: how the libraries are numbered.
    library = "v0" + version.removeprefix("1")
    replaced = [entry["Old"]["Path"] for entry in upstream["Replace"] if entry["New"]["Path"].startswith("./staging/")]
    lines = [
        "module gpufleet/tools/controlplane",
        "",
        # Also says which defaults of the Go runtime hold: those that the release was tested with.
        f"go {upstream['Go']}",
        "",
        "require (",
        f"\tgo.etcd.io/etcd/server/v3 {etcd}",
        f"\tk8s.io/kubernetes v{version}",
        ")",
        "",
        "replace (",
        *(f"\t{path} => {path} {library}" for path in sorted(replaced)),
        ")",
        "",
    ]
    return "\n".join(lines)


def _kubernetes_go_mod(version: str, folder: Path) -> dict[str, Any]:
    downloaded = json.loads(_go(["mod", "download", "-json", f"k8s.io/kubernetes@v{version}"], folder.parent))
    return json.loads(_go(["mod", "edit", "-json", downloaded["GoMod"]], folder.parent))


def _go(arguments: Sequence[str], directory: Path) -> str:
    environment = {**os.environ, "GOWORK": "off"}
    return subprocess.run(  # noqa: S603 (fixed arguments; the version was checked)
        ["go", *arguments],  # noqa: S607 (the developer's Go)
        cwd=directory,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


if __name__ == "__main__":
    sys.exit(main())
