"""A real Kubernetes control plane for rehearsals: found or built, started on loopback, and gone with its owner.

`binaries.ensure_binaries` finds or builds etcd, the API server, the controller manager and the scheduler of one version
of Kubernetes; `plane.ControlPlane` runs them; `nodes` gives the cluster the nodes that pools would bring, and
`scheduling` tells where the real scheduler put each pod.
"""
