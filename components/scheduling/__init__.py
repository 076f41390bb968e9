"""Who brings nodes when pods wait for them, and takes them away again."""
