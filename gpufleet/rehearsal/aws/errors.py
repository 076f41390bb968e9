"""What goes wrong in a rehearsal and is told to the user in one message, without a traceback."""


class RehearsalError(Exception):
    """A mistake or a refusal whose message is meant for the user as it stands."""


class AwsError(RehearsalError):
    """The AWS API, or its service model, refused a request.

    `code` is AWS's own error code (`DependencyViolation`, `EntityAlreadyExists`), or `ParamValidation` where the
    request never left because the service model does not allow it.
    """

    def __init__(self, service: str, operation: str, code: str, message: str) -> None:
        super().__init__(f"operation error {service}: {operation}, api error {code}: {message}")
        self.code = code
        self.operation = operation


class UnknownInput(RehearsalError):
    """An input that the table, or the service model under it, has no place for."""

    def __init__(self, path: str, where: str, allowed: list[str]) -> None:
        super().__init__(f"{path}: {where} has no such input; it has {', '.join(sorted(allowed))}")
        self.path = path
