"""How data ends: what a stack's lifecycle rules will remove and when, and the destruction of a workspace's key."""
