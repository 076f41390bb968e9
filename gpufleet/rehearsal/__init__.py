"""The second rung of the ladder: the real Pulumi engine runs the program against an AWS API in memory."""
