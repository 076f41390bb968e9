"""`gpufleet export`: the AWS part of a plan in a form that other tools read."""
