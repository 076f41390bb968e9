"""One resource of every type in the table, in the order in which a program would declare them."""

from typing import Any

from tests.rehearsal.aws import (
    inputs_capacity,
    inputs_data,
    inputs_defaults,
    inputs_events,
    inputs_network,
    inputs_platform,
)
from tests.rehearsal.aws.program import Program, Standing

INPUTS = {
    **inputs_capacity.INPUTS,
    **inputs_data.INPUTS,
    **inputs_defaults.INPUTS,
    **inputs_events.INPUTS,
    **inputs_network.INPUTS,
    **inputs_platform.INPUTS,
}


class Stack:
    """Creates on demand, remembers in order, and takes down in the opposite order."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.standing: list[Standing] = []
        self.declared: dict[str, dict[str, Any]] = {}
        self._made: dict[str, Standing] = {}

    def add(self, token: str, inputs: dict[str, Any]) -> Standing:
        standing = self.program.create(token, inputs)
        self.standing.append(standing)
        return standing

    def get(self, token: str) -> Standing:
        """Return the stack's resource of the type, created now with what it needs where it is not there yet."""
        if token not in self._made:
            self.declared[token] = self.inputs(token)
            self._made[token] = self.add(token, self.declared[token])
        return self._made[token]

    def id(self, token: str) -> str:
        return self.get(token).id

    def down(self) -> None:
        while self.standing:
            self.program.delete(self.standing.pop())

    def inputs(self, token: str) -> dict[str, Any]:
        """Return inputs for the type, with references to others of the stack."""
        return INPUTS[token](self)
