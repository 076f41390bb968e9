"""Pools of GPU nodes and what they are made from."""
