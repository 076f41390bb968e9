"""A plan as one self-contained HTML page: drawing, policies, money, permissions, network, resources, what to do.

Everything is read from the plan's resources, so a page can be made of any Pulumi program; types that the drawing does
not know are counted, never left out silently. The page loads nothing, and says everything without JavaScript.
"""
