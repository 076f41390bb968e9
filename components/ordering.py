"""Ordering between components that do not know each other."""

from collections.abc import Awaitable
from typing import TypeVar, cast

import pulumi

T = TypeVar("T")


def after(value: pulumi.Input[T], *resources: pulumi.Resource) -> pulumi.Output[T]:
    """`value`, depending on `resources` too.

    What a component hands out is usable only once all of it stands: a subnet needs its route, a role its policies.
    Whoever takes the output then waits for them on the way up and goes before them on the way down, without being
    told. The value itself stays known: adding a policy to a role must not make the role's ARN unknown, or a preview
    would announce the replacement of every node group.
    """
    output = pulumi.Output.from_input(value)

    async def dependencies() -> set[pulumi.Resource]:
        return {*await output.resources(), *resources}

    future = cast(Awaitable[T], output.future())  # None only where unknown, which is_known() says
    return pulumi.Output(dependencies(), future, output.is_known(), output.is_secret())
