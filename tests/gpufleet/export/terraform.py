"""Terraform and its AWS provider, where a machine has them."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Terraform:
    """Runs terraform in a folder of its own, with the newest AWS provider there is."""

    folder: Path
    plugins: Path
    version: tuple[int, ...]
    """Of the provider."""

    @property
    def major(self) -> int:
        return self.version[0]

    @classmethod
    def here(cls, folder: Path) -> "Terraform":
        """The one of this machine; without one the test is skipped."""
        roots = [Path(given)] if (given := os.environ.get("TF_PLUGIN_DIR")) else []
        roots += [Path.home() / ".terraform.d/plugins", Path("/usr/share/terraform/plugins"), *Path("/opt").glob("*")]
        found = [
            (tuple(int(part) for part in version.name.split(".")), root)
            for root in roots
            for version in root.glob("*/hashicorp/aws/*")
            if version.name.replace(".", "").isdigit()
        ]
        if shutil.which("terraform") is None or not found:
            pytest.skip("terraform, or a folder with its AWS provider (TF_PLUGIN_DIR), is not on this machine")
        version, plugins = max(found)
        return cls(folder, plugins, version)

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("TF_")}
        return subprocess.run(
            ["terraform", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
