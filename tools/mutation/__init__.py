"""Mutation test of the policy pack: what of a plan can be made weaker, and does a rule see it?"""
