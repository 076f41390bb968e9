"""The environments: what may be set (settings), what it becomes (platform) and the values of each stack."""
