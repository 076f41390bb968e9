"""The first rung of the ladder: run a Pulumi program with nothing but Python; see, judge and price every resource."""
