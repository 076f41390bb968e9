"""What runs on the pools."""
