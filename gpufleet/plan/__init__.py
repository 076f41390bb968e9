"""The first rung of the ladder: run a Pulumi program with nothing but Python, see every resource, judge and price it."""
