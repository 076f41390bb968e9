"""The errors a command answers with one message and an exit status instead of a traceback."""


class UsageError(Exception):
    """The settings, the program or the arguments are wrong (exit status 2).

    The message says where, which value, what is allowed and how to mend it; it is printed as it is.
    """

    exit_status = 2


class MissingError(Exception):
    """Something the command needs is not on this machine (exit status 3); the message names the ways to get it."""

    exit_status = 3
