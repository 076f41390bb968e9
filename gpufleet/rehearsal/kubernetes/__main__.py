"""Serve the stand-in: `python -m gpufleet.rehearsal.kubernetes ENGINE_ADDRESS`.

The kubeconfig of the rehearsal's control plane comes in GPUFLEET_REHEARSAL_KUBECONFIG (text or path, loopback only).
"""

import sys

from gpufleet.rehearsal.kubernetes import connection
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.engine_log import silent, warner
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.provider import KubernetesStandIn
from gpufleet.rehearsal.kubernetes.server import serve


def main() -> int:
    """Serve until the engine ends the process; 2 where the environment does not say which control plane to talk to."""
    try:
        api = Api(connection.of_rehearsal())
    except RehearsalError as error:
        print(error, file=sys.stderr)
        return 2
    serve(KubernetesStandIn(api, warner(sys.argv[1]) if len(sys.argv) > 1 else silent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
