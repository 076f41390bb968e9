"""What a change does to a stack: to its resources, to the rules it keeps, and to its money."""
