"""From a model to the GPUs that hold it: memory, layouts, instance types, time, money, storage and a pool to paste.

The estimate is arithmetic on published formulas; each module names the paper or the page it follows.
"""
