"""The keys, certificates and token of one control plane: made for it, and gone with its folder."""

import base64
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LOOPBACK: Final = "127.0.0.1"

# Nobody keeps a rehearsal for longer; a day back, for clocks that differ.
VALID_FOR = timedelta(days=30)
BACKDATED = timedelta(days=1)

# What kubeconfig files and in-cluster clients call the API server.
SERVER_NAMES: Final = ("localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc")


@dataclass(frozen=True, kw_only=True)
class Credentials:
    """Where the files of one control plane lie, and the token that opens it."""

    token: str
    """Bearer token of a member of `system:masters`."""
    authority: Path
    """Certificate that signed the server's, PEM."""
    server_certificate: Path
    server_key: Path
    service_account_key: Path
    """Private key that signs the tokens of service accounts, PEM."""
    token_file: Path
    """For `--token-auth-file`."""

    @classmethod
    def write(cls, folder: Path) -> "Credentials":
        """Make everything anew and write it into a folder that only this user can read."""
        authority_key = ec.generate_private_key(ec.SECP256R1())
        server_key = ec.generate_private_key(ec.SECP256R1())
        authority = _authority(authority_key)
        server = _server(server_key, authority, authority_key)
        made = cls(
            token=secrets.token_urlsafe(32),
            authority=folder / "ca.crt",
            server_certificate=folder / "server.crt",
            server_key=folder / "server.key",
            service_account_key=folder / "service-accounts.key",
            token_file=folder / "tokens.csv",
        )
        made.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
        made.server_certificate.write_bytes(server.public_bytes(serialization.Encoding.PEM))
        _write_private(made.server_key, _private_pem(server_key))
        _write_private(made.service_account_key, _private_pem(ec.generate_private_key(ec.SECP256R1())))
        _write_private(made.token_file, f"{made.token},rehearsal,rehearsal,system:masters\n".encode())
        return made

    def kubeconfig(self, endpoint: str) -> str:
        """A kubeconfig for the API server, with everything in it.

        Args:
            endpoint: `https://127.0.0.1:PORT`.
        """
        authority = base64.b64encode(self.authority.read_bytes()).decode()
        return f"""\
apiVersion: v1
kind: Config
clusters:
- name: rehearsal
  cluster:
    server: {endpoint}
    certificate-authority-data: {authority}
users:
- name: rehearsal
  user:
    token: {self.token}
contexts:
- name: rehearsal
  context:
    cluster: rehearsal
    user: rehearsal
current-context: rehearsal
"""


def _authority(key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    name = _name("gpufleet rehearsal")
    usage = x509.KeyUsage(
        digital_signature=True,
        key_cert_sign=True,
        crl_sign=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    return (
        _certificate(name, key.public_key())
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .sign(key, hashes.SHA256())
    )


def _server(
    key: ec.EllipticCurvePrivateKey, authority: x509.Certificate, authority_key: ec.EllipticCurvePrivateKey
) -> x509.Certificate:
    names = [*(x509.DNSName(name) for name in SERVER_NAMES), x509.IPAddress(ip_address(LOOPBACK))]
    # Newer Pythons verify strictly and want to see whose signature it is.
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    return (
        _certificate(_name("kube-apiserver"), key.public_key())
        .issuer_name(authority.subject)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(signer, critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def _certificate(subject: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + VALID_FOR)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    # The older form: the API server derives the public key from it too, which it does not from PKCS 8.
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )


def _write_private(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)
