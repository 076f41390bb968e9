"""Facts about AWS and Kubernetes that drift: each lies in a data file with its source and its date.

Readers: :mod:`instances` (EC2 types), :mod:`prices`, :mod:`kubernetes` (the EKS version calendar), :mod:`regions`.
They import the standard library only, so that a policy pack or a component pays a few milliseconds for them.
"""
