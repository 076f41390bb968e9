"""From a plan's resources to US dollars per hour and month: floor, expected, ceiling, and what cannot be priced.

`price` works on the plan document's resources and knows AWS resource types only, so it prices any Pulumi program.
"""

from gpufleet.pricing.assumptions import Assumptions
from gpufleet.pricing.cost import Cost, Line, Unpriced
from gpufleet.pricing.estimate import price

__all__ = ["Assumptions", "Cost", "Line", "Unpriced", "price"]
