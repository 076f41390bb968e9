"""A stand-in for the `aws` resource plugin: the real Pulumi engine on one side, an AWS API in memory on the other.

`python -m gpufleet.rehearsal.aws ENGINE_ADDRESS` serves it. Every resource type is an entry of `table.py`; what is not
in the table is an error, never dropped in silence.
"""
