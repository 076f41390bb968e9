"""Generators of what is generated, and the benchmark."""
