"""gpufleet: private GPU clusters on AWS, planned, policed and rehearsed before anything is created."""

__version__ = "0.1.0"
