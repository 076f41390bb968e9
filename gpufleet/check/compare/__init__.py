"""Compare two environments: where is the one that matters weaker than the one that does not?"""
