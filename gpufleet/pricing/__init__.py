"""From the resources of a plan to US dollars per hour and per month: floor and ceiling, and what cannot be priced.

`price` works on the plan document's resources and knows AWS resource types only, so it prices any Pulumi program.
"""

from gpufleet.pricing.cost import Cost, Line, Unpriced
from gpufleet.pricing.estimate import price

__all__ = ["Cost", "Line", "Unpriced", "price"]
