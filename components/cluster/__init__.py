"""The EKS control plane, who may enter it, and the nodes of its own services."""
