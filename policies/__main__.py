"""Serve the pack; the constructor blocks for as long as the engine runs, so nothing else may import this module."""

from pulumi_policy import PolicyPack
from rules import RULES

PolicyPack("gpufleet-guardrails", policies=RULES)
