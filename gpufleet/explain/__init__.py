"""`gpufleet explain`: why a pool is as it is."""
