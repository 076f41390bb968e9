"""Serve the stand-in: `python -m gpufleet.rehearsal.kubernetes ENGINE_ADDRESS`.

The kubeconfig of the rehearsal's control plane comes in GPUFLEET_REHEARSAL_KUBECONFIG (text or path, loopback only);
where there are several, GPUFLEET_REHEARSAL_KUBECONFIGS says which provider resource speaks to which.
"""

import sys

from gpufleet.rehearsal.kubernetes.engine_log import silent, warner
from gpufleet.rehearsal.kubernetes.errors import RehearsalError
from gpufleet.rehearsal.kubernetes.planes import Planes
from gpufleet.rehearsal.kubernetes.provider import KubernetesStandIn
from gpufleet.rehearsal.kubernetes.server import serve


def main() -> int:
    """Serve until the engine ends the process; 2 where the environment does not say which control plane to talk to."""
    try:
        planes = Planes()
    except RehearsalError as error:
        print(error, file=sys.stderr)
        return 2
    serve(KubernetesStandIn(planes.api_of, warner(sys.argv[1]) if len(sys.argv) > 1 else silent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
