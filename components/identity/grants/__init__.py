"""What each kind of workload or controller may do, one module a grant.

A grant is a function that returns statements and creates nothing; large ones return them in named parts, one for each
managed policy. Vendors' published policies are the source of the actions, and are narrowed to one account, region and
cluster here.
"""
