"""Tests of the components, laid out as they are."""
