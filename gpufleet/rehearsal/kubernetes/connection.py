"""Where the API server is: read from a kubeconfig, and held to this machine."""

import base64
import os
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, cast
from urllib.parse import urlsplit

import yaml

from gpufleet.rehearsal.kubernetes.errors import RehearsalError

KUBECONFIG = "GPUFLEET_REHEARSAL_KUBECONFIG"
"""Variable with the kubeconfig, text or path, of the rehearsal's control plane."""
KUBECONFIGS = "GPUFLEET_REHEARSAL_KUBECONFIGS"
"""Variable with a JSON object, set where there are several control planes: the URN of each provider resource to the
kubeconfig of the one that it speaks to."""


@dataclass(frozen=True)
class Connection:
    """One cluster as one user sees it."""

    server: str
    """https://127.0.0.1:PORT"""
    tls: ssl.SSLContext
    token: str | None
    """Bearer token, None where a client certificate speaks."""


def of_rehearsal(environment: Mapping[str, str] = os.environ) -> Connection:
    """Return the connection to the rehearsal's control plane.

    Raises:
        RehearsalError: there is no rehearsal, or its control plane is not on this machine.
    """
    kubeconfig = environment.get(KUBECONFIG)
    if not kubeconfig:
        raise RehearsalError(
            f"{KUBECONFIG} is not set: the stand-in for the kubernetes plugin is started by `gpufleet rehearse` only; "
            "for anything else install the official plugin (pulumi plugin install resource kubernetes)"
        )
    cluster, user = _chosen(_document(kubeconfig, KUBECONFIG), None, KUBECONFIG)
    server = str(cluster.get("server") or "")
    host = urlsplit(server).hostname or ""
    if not (host == "localhost" or (host.replace(".", "").isdigit() and ip_address(host).is_loopback)):
        raise RehearsalError(
            f"{KUBECONFIG}: {server!r} is not a loopback address: a rehearsal only talks to a control plane on this "
            "machine"
        )
    return Connection(server.rstrip("/"), _tls(cluster, user), cast(str | None, user.get("token")))


def validate(kubeconfig: str, context: str | None = None) -> None:
    """Refuse a program's kubeconfig that no client could use; the cluster it names is not asked.

    Args:
        kubeconfig: text or path, as the provider takes it.
        context: the context to be used instead of the current one.

    Raises:
        RehearsalError: it is not YAML, or names a context, cluster or user that it does not have.
    """
    _chosen(_document(kubeconfig, "kubeconfig"), context, "kubeconfig")


def _document(text_or_path: str, what: str) -> Mapping[str, Any]:
    text, where = text_or_path, what
    if "\n" not in text_or_path and not text_or_path.lstrip().startswith("{"):
        where = f"{what} ({text_or_path})"
        try:
            text = Path(text_or_path).expanduser().read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise RehearsalError(f"{where}: neither the text of a kubeconfig nor the path of one: {error}") from None
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise RehearsalError(f"{where}: not YAML: {error}") from None
    if not isinstance(document, dict):
        raise RehearsalError(f"{where}: a kubeconfig is a mapping with clusters, users and contexts, not {document!r}")
    return cast(dict[str, Any], document)


def _chosen(document: Mapping[str, Any], context: str | None, what: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the cluster and the user of the context."""
    name = context or document.get("current-context")
    if not name:
        raise RehearsalError(f"{what}: current-context is not set")
    chosen = _named(document, "contexts", "context", name, what)
    cluster = _named(document, "clusters", "cluster", chosen.get("cluster"), f"{what}: context {name!r}")
    if not cluster.get("server"):
        raise RehearsalError(f"{what}: cluster {chosen.get('cluster')!r}: server is not set")
    user = _named(document, "users", "user", chosen.get("user"), f"{what}: context {name!r}")
    return cluster, user


def _named(document: Mapping[str, Any], plural: str, singular: str, name: Any, what: str) -> Mapping[str, Any]:
    entries: Sequence[Mapping[str, Any]] = document.get(plural) or ()
    for entry in entries:
        if entry.get("name") == name:
            return cast(Mapping[str, Any], entry.get(singular) or {})
    known = ", ".join(str(entry.get("name")) for entry in entries) or "none"
    raise RehearsalError(f"{what}: {singular} {name!r} is not in {plural}, which has {known}")


def _tls(cluster: Mapping[str, Any], user: Mapping[str, Any]) -> ssl.SSLContext:
    authority = _material(cluster, "certificate-authority")
    context = ssl.create_default_context(cadata=authority.decode() if authority else None)
    certificate, key = _material(user, "client-certificate"), _material(user, "client-key")
    if certificate and key:
        # The ssl module takes a client's certificate from a file only.
        with NamedTemporaryFile(suffix=".pem") as file:
            file.write(certificate + b"\n" + key)
            file.flush()
            context.load_cert_chain(file.name)
    return context


def _material(entry: Mapping[str, Any], name: str) -> bytes | None:
    if data := entry.get(f"{name}-data"):
        return base64.b64decode(str(data))
    return Path(str(entry[name])).read_bytes() if entry.get(name) else None
