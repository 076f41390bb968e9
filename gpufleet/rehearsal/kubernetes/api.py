"""Requests to the API server and the kinds it serves. Safe to be used from several threads."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

import urllib3

from gpufleet.rehearsal.kubernetes.connection import Connection
from gpufleet.rehearsal.kubernetes.errors import KubernetesError, RehearsalError

JSON = "application/json"
APPLY = "application/apply-patch+yaml"  # JSON is YAML

# On loopback an answer takes milliseconds; a request beyond this has met a server that is gone or stuck.
_SECONDS = 60.0
_CONNECTIONS = 32


class Api:
    """The API server behind a connection; nothing is sent before the first request."""

    def __init__(self, connection: Connection) -> None:
        headers = {"Authorization": f"Bearer {connection.token}"} if connection.token else {}
        self._server = connection.server
        self._pool = urllib3.PoolManager(
            maxsize=_CONNECTIONS, ssl_context=connection.tls, headers=headers, retries=False, timeout=_SECONDS
        )

    @property
    def server(self) -> str:
        """Its address: `https://127.0.0.1:PORT`."""
        return self._server

    def call(
        self,
        method: str,
        path: str,
        doing: str,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
        content_type: str = JSON,
    ) -> dict[str, Any]:
        """Send a request and return the answer.

        Args:
            method: as in HTTP.
            path: with its leading slash.
            doing: what is being done to what, for the error: `create v1 Namespace ml`.
            query: options of the request.
            body: sent as JSON.
            content_type: of the body.

        Raises:
            KubernetesError: the API server refused.
            RehearsalError: it does not answer.
        """
        url = self._server + path + (f"?{urlencode(query)}" if query else "")
        headers = {**self._pool.headers, "Accept": JSON}
        if body is not None:
            headers["Content-Type"] = content_type
        try:
            answer = self._pool.request(method, url, body=None if body is None else json.dumps(body), headers=headers)
        except urllib3.exceptions.HTTPError as error:
            raise RehearsalError(f"{doing}: the control plane at {self._server} does not answer: {error}") from error
        document = _decoded(answer.data)
        if answer.status >= 300:
            raise KubernetesError(
                doing, {"message": answer.data.decode(errors="replace"), **document} | {"code": answer.status}
            )
        return document

    def find(self, path: str, doing: str) -> dict[str, Any] | None:
        """Return what is at the path, None where nothing is."""
        try:
            return self.call("GET", path, doing)
        except KubernetesError as error:
            if error.code == 404:
                return None
            raise


def _decoded(data: bytes) -> dict[str, Any]:
    try:
        document: Any = json.loads(data)
    except ValueError:
        return {}
    return cast(dict[str, Any], document) if isinstance(document, dict) else {}


@dataclass(frozen=True)
class Kind:
    """One kind that the API server serves."""

    api_version: str
    kind: str
    plural: str
    namespaced: bool

    def path(self, namespace: str | None, name: str | None = None) -> str:
        """Return the path of an object, or without a name of all of them."""
        base = "/apis" if "/" in self.api_version else "/api"
        scope = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        return f"{base}/{self.api_version}{scope}/{self.plural}" + (f"/{name}" if name else "")


class Kinds:
    """The kinds that the API server serves, asked for once; a kind that is missing is asked for again."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[tuple[str, str], Kind] = {}
        self._lock = threading.Lock()

    def find(self, api_version: str, kind: str) -> Kind | None:
        """Return the kind, None where the API server does not serve it (now)."""
        with self._lock:
            if (api_version, kind) not in self._known:
                self._ask(api_version)
            return self._known.get((api_version, kind))

    def forget(self, api_version: str) -> None:
        """Ask again for a group's kinds: its definition has changed or is gone."""
        with self._lock:
            self._known = {key: kind for key, kind in self._known.items() if key[0] != api_version}

    def _ask(self, api_version: str) -> None:
        base = "/apis" if "/" in api_version else "/api"
        served = self._api.find(f"{base}/{api_version}", f"look up the kinds of {api_version}") or {}
        for resource in served.get("resources") or ():
            # `pods/status` and the like are parts of a resource.
            if "/" not in resource["name"]:
                entry = Kind(api_version, resource["kind"], resource["name"], bool(resource["namespaced"]))
                self._known[(api_version, entry.kind)] = entry
