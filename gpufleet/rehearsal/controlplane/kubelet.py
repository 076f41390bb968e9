"""What the plane's nodes lack and deletion needs: somebody who lets go of a pod.

A pod that has a node is only gone when the node's kubelet says that its containers ended. Here none ever ran, and
without this a namespace, a Deployment or a Job with pods could not be deleted.
"""

import threading

from gpufleet.rehearsal.controlplane.client import Client, KubernetesError, Object, Unreachable, part

RETRY_SECONDS = 0.1


class Kubelet:
    """Lets go of every pod that is being deleted, in a thread of its own."""

    def __init__(self, client: Client) -> None:
        """Begin at once."""
        self._client = client
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, name="kubelet", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Have it end with the stream it reads, which ends with the API server; does not wait for that."""
        self._stopped.set()

    def _work(self) -> None:
        while not self._stopped.is_set():
            for _, pod in self._client.watch("/api/v1/pods"):
                # Not `metadata` where the server reports that the stream cannot go on.
                metadata = part(pod, "metadata")
                if metadata.get("deletionTimestamp") and pod["spec"].get("nodeName"):
                    self._let_go(pod)
            # The server ends each stream after a while; then the next one begins.
            self._stopped.wait(RETRY_SECONDS)

    def _let_go(self, pod: Object) -> None:
        try:
            self._client.delete(pod, grace_seconds=0)
        except (KubernetesError, Unreachable):
            # Somebody else did, or it will be seen again in the next stream.
            return
