"""Buckets for data sets, checkpoints, artifacts and scratch."""
