"""Why a job on GPUs is slow: readings of what the machine and the job say of themselves, and the causes in them.

`formats` recognise a file by its content and read it; `causes` look for what is wrong in the order in which a person
should: is the GPU kept busy, is its memory the limit, is it the network, is the hardware throttled or broken. Numbers
to compare with and the table of XIDs are data, with their source.
"""
