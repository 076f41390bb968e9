"""`gpufleet lint`: whether a workload asks for what it needs on the pool that it goes to."""
