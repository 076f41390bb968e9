"""Which of a rehearsal's control planes a provider of the program speaks to."""

import json
import os
from collections.abc import Mapping
from typing import cast

from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, KUBECONFIGS, Connection, of_rehearsal
from gpufleet.rehearsal.kubernetes.errors import RehearsalError


class Planes:
    """The control planes that the environment names."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        """Read the environment; nothing is asked of a control plane.

        Raises:
            RehearsalError: there is no rehearsal, or its control plane is not on this machine.
        """
        self._only: Connection = of_rehearsal(environment)
        self._several = cast("dict[str, str]", json.loads(environment.get(KUBECONFIGS) or "{}"))

    def api_of(self, provider: str) -> Api:
        """Return the API server that a provider speaks to; where there is only one, every provider does.

        Args:
            provider: the URN of the resource, as the engine tells it with the configuration.

        Raises:
            RehearsalError: there are several, and none is for this provider.
        """
        if not self._several:
            return Api(self._only)
        if provider not in self._several:
            named = f"provider {provider}" if provider else "a provider that the engine does not name"
            raise RehearsalError(
                f"{named}: the rehearsal has a control plane for each of {', '.join(sorted(self._several))}, and none "
                "for this one: give the objects one of those providers (and use an engine of 3.150 or later)"
            )
        return Api(of_rehearsal({KUBECONFIG: self._several[provider]}))
