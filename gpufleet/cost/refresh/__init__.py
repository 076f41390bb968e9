"""Newer prices, asked of AWS: on-demand from the price list, spot from its history; written to a file of one's own."""
