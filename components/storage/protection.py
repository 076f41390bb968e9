"""What a destroy may take with it."""

import pulumi

KINDS = ("protect", "retain", "none")
"""`protect`: the engine refuses to delete or replace it; `retain`: it leaves the stack and stays in the account;
`none`: it goes."""


def kind(asked: str | None, usual: str) -> str:
    """The kind that was asked for, else the usual one.

    Raises:
        ValueError: there is no such kind.
    """
    if asked is not None and asked not in KINDS:
        raise ValueError(f"protection: {asked!r} is not known; allowed are {', '.join(KINDS)}")
    return asked or usual


def options(kind: str) -> pulumi.ResourceOptions:
    """The resource options of a kind. `none` sets nothing, so that what the component was given holds."""
    return pulumi.ResourceOptions(
        protect=True if kind == "protect" else None, retain_on_delete=True if kind == "retain" else None
    )
