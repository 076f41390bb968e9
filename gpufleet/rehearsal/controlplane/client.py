"""Speak to an API server: plain HTTPS and JSON, and the server's own words where it refuses."""

import contextlib
import http.client
import json
import ssl
from collections.abc import Generator, Mapping
from typing import Any, Final, cast
from urllib.parse import quote, urlencode, urlsplit

from gpufleet.rehearsal.controlplane.credentials import Credentials

Object = dict[str, Any]
"""A Kubernetes object as JSON."""

JSON: Final = "application/json"
MERGE_PATCH: Final = "application/merge-patch+json"
APPLY_PATCH: Final = "application/apply-patch+yaml"

# A busy machine, not a slow network.
ANSWER_SECONDS = 30.0


class KubernetesError(Exception):
    """The API server refused; `str()` is its own message."""

    def __init__(self, status: int, reason: str, message: str, details: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status = status
        """HTTP status: 404, 409, 422."""
        self.reason = reason
        """Kubernetes' word for it: `NotFound`, `Conflict`, `Invalid`, `Forbidden`."""
        self.details = details
        """The Status object's `details`: kind, name, and causes with the field of each."""


class Unreachable(ConnectionError):
    """Nothing answers at the API server's address."""


def part(obj: Object, name: str) -> Object:
    """A part of an object that is an object: `status`, `labels`. Empty where it is missing or null."""
    value: Object = obj.get(name) or {}
    return value


def parts(obj: Object, name: str) -> list[Object]:
    """A part of an object that is a list of objects: `conditions`, `ownerReferences`. Empty where it is missing."""
    value: list[Object] = obj.get(name) or []
    return value


class Client:
    """One connection for each call: a client may be used from any thread."""

    def __init__(self, endpoint: str, credentials: Credentials) -> None:
        """Prepare to speak.

        Args:
            endpoint: `https://127.0.0.1:PORT`.
            credentials: the token and the authority to trust; the system's own are not.
        """
        self.endpoint = endpoint
        self._address = urlsplit(endpoint).netloc
        self._headers = {"Authorization": f"Bearer {credentials.token}", "Accept": JSON}
        self._tls = ssl.create_default_context(cafile=str(credentials.authority))
        # By group and version: plural name, and whether it lives in a namespace, of each kind.
        self._kinds: dict[str, dict[str, tuple[str, bool]]] = {}

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        content_type: str = JSON,
        query: Mapping[str, str] | None = None,
    ) -> Object:
        """Send one request.

        Args:
            method: as `GET`.
            path: as `/api/v1/nodes`.
            body: made JSON of.
            content_type: which kind of patch a PATCH is.
            query: as `{"dryRun": "All"}`.

        Returns:
            The answer, `{"text": ...}` where it is not JSON.

        Raises:
            KubernetesError: the server refused.
            Unreachable: nothing answers.
        """
        connection, answer = self._send(method, path, body, content_type, query, ANSWER_SECONDS)
        try:
            text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{self.endpoint}: {error}") from error
        finally:
            connection.close()
        content = _parsed(text)
        if answer.status >= http.client.BAD_REQUEST:
            raise _refusal(answer.status, content)
        return content

    def items(self, path: str, query: Mapping[str, str] | None = None) -> list[Object]:
        """Return the items of a collection."""
        return list(self.request("GET", path, query=query).get("items") or [])

    def watch(self, path: str) -> Generator[tuple[str, Object]]:
        """Yield what is in a collection, then every change, as (`ADDED` | `MODIFIED` | `DELETED`, object).

        Ends when the server ends the stream, as it does every half hour or so, and when it ends itself.
        """
        try:
            connection, answer = self._send("GET", path, None, JSON, {"watch": "true"}, None)
            with contextlib.closing(connection):
                for line in answer:
                    event: Object = json.loads(line)
                    yield str(event["type"]), cast("Object", event["object"])
        except (OSError, http.client.HTTPException):
            return

    def create(self, obj: Object) -> Object:
        """Create an object; returns it as the server has it."""
        return self.request("POST", self.collection(obj), obj)

    def apply(self, obj: Object, manager: str) -> Object:
        """Apply an object server-side; returns it as the server has it."""
        query = {"fieldManager": manager, "force": "true"}
        return self.request("PATCH", self.path(obj), obj, content_type=APPLY_PATCH, query=query)

    def delete(self, obj: Object, *, grace_seconds: int | None = None) -> None:
        """Delete an object, and what it owns in the background. One that is gone already is fine.

        An object that carries the server's `uid` is only deleted while it is that one, and no successor of its name.
        """
        options: Object = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background"}
        if uid := obj["metadata"].get("uid"):
            options["preconditions"] = {"uid": uid}
        if grace_seconds is not None:
            options["gracePeriodSeconds"] = grace_seconds
        try:
            self.request("DELETE", self.path(obj), options)
        except KubernetesError as error:
            if error.status != http.client.NOT_FOUND:
                raise

    def path(self, obj: Object) -> str:
        """The path of an object: its collection's and its name."""
        return f"{self.collection(obj)}/{quote(obj['metadata']['name'])}"

    def collection(self, obj: Object) -> str:
        """The path of the collection that an object belongs to, as the server's discovery tells it.

        Raises:
            KubernetesError: the server has no such group, version or kind (status 404).
        """
        version, kind = str(obj["apiVersion"]), str(obj["kind"])
        prefix = f"/apis/{version}" if "/" in version else f"/api/{version}"
        known = self._kinds.get(prefix) or {}
        if kind not in known:
            # A definition may have been registered since.
            known = self._discover(prefix)
        if kind not in known:
            raise KubernetesError(http.client.NOT_FOUND, "NotFound", f'no matches for kind "{kind}" in "{version}"', {})
        plural, namespaced = known[kind]
        if not namespaced:
            return f"{prefix}/{plural}"
        return f"{prefix}/namespaces/{quote(obj['metadata'].get('namespace') or 'default')}/{plural}"

    def _discover(self, prefix: str) -> dict[str, tuple[str, bool]]:
        resources = self.request("GET", prefix)["resources"]
        found = {
            entry["kind"]: (entry["name"], bool(entry["namespaced"])) for entry in resources if "/" not in entry["name"]
        }
        self._kinds[prefix] = found
        return found

    def _send(
        self,
        method: str,
        path: str,
        body: object,
        content_type: str,
        query: Mapping[str, str] | None,
        seconds: float | None,
    ) -> tuple[http.client.HTTPSConnection, http.client.HTTPResponse]:
        connection = http.client.HTTPSConnection(self._address, timeout=seconds, context=self._tls)
        target = f"{path}?{urlencode(query)}" if query else path
        payload = None if body is None else json.dumps(body).encode()
        headers = self._headers if body is None else {**self._headers, "Content-Type": content_type}
        try:
            connection.request(method, target, payload, headers)
            return connection, connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Unreachable(f"{self.endpoint}: {error}") from error


def _parsed(text: str) -> Object:
    try:
        content = json.loads(text)
    except ValueError:
        return {"text": text}
    return cast("Object", content) if isinstance(content, dict) else {"text": text}


def _refusal(status: int, content: Object) -> KubernetesError:
    message = content.get("message") or content.get("text") or http.client.responses.get(status, "refused")
    return KubernetesError(status, str(content.get("reason", "")), str(message), content.get("details") or {})
