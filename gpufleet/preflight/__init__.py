"""Whether AWS would let a stack happen: what can be asked beforehand, by reading alone."""
