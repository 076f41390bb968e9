"""The one decision of a GPU pool: what is asked for in, a typed design with its reasons out. No Pulumi here.

Purchase option, EFA, reservation, placement, zone, image and drain hang together: a choice that is right alone is wrong
beside another. `decide` makes them all at once, or refuses with the reason and the nearest that is possible.
"""

from .decide import decide as decide
from .document import as_document as as_document
from .refusal import Refused as Refused
