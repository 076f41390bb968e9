"""Serve the stand-in: `python -m gpufleet.rehearsal.aws ENGINE_ADDRESS`.

The address of the AWS API in memory comes in GPUFLEET_REHEARSAL_ENDPOINT (loopback only) and, where the rehearsal is
of an account of its own, the account in GPUFLEET_REHEARSAL_ACCOUNT. GPUFLEET_REHEARSAL_CLEAR_THE_WAY, set to
anything, has deletion protection taken off and buckets emptied before they are deleted.
"""

import os
import sys

from gpufleet.rehearsal.aws.calls import Api
from gpufleet.rehearsal.aws.errors import RehearsalError
from gpufleet.rehearsal.aws.provider import AwsStandIn
from gpufleet.rehearsal.aws.server import serve

ENDPOINT = "GPUFLEET_REHEARSAL_ENDPOINT"
ACCOUNT = "GPUFLEET_REHEARSAL_ACCOUNT"
CLEAR_THE_WAY = "GPUFLEET_REHEARSAL_CLEAR_THE_WAY"


def main() -> int:
    """Serve until the engine ends the process; 2 where the environment does not say which API to talk to."""
    endpoint = os.environ.get(ENDPOINT)
    if not endpoint:
        print(
            f"{ENDPOINT} is not set: the stand-in for the aws plugin is started by `gpufleet rehearse`", file=sys.stderr
        )
        return 2
    try:
        api = Api(endpoint, os.environ.get(ACCOUNT) or None)
    except RehearsalError as error:
        print(error, file=sys.stderr)
        return 2
    serve(AwsStandIn(api, clears_the_way=bool(os.environ.get(CLEAR_THE_WAY))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
