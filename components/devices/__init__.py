"""What makes accelerators and EFA interfaces visible to pods, and says when one has failed."""
