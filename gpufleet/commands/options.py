"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Stack = Annotated[
    str | None, typer.Argument(help="The stack: dev stands for stacks/Pulumi.dev.yaml.", show_default=False)
]
Program = Annotated[Path, typer.Option("--program", metavar="DIR", help="A folder with Pulumi.yaml, or one below it.")]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings", metavar="FILE.yaml", help="One settings object in place of the stack's own.", show_default=False
    ),
]
Overrides = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="PATH=VALUE",
        help="Change one setting: pools.train.nodes.max=8, or a whole key: aws:region=eu-west-1. May be repeated.",
        show_default=False,
    ),
]
Pack = Annotated[
    Path | None,
    typer.Option(
        "--policy-pack", metavar="DIR", help="Another policy pack than the program's own.", show_default=False
    ),
]
PackConfig = Annotated[
    Path | None,
    typer.Option("--policy-config", metavar="FILE.json", help="As pulumi's --policy-pack-config.", show_default=False),
]
NoPolicies = Annotated[bool, typer.Option("--no-policies", help="Judge nothing.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout instead of tables.")]
