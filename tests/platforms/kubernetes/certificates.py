"""The certificates of a cluster, and the kubeconfig files that hold them."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

CONTEXT, AUTHORITY = "test", "mirrorstack-test"
LIFETIME = timedelta(days=30)
NAMES = ("kubernetes", "kubernetes.default", "kubernetes.default.svc", "localhost")


@dataclass(frozen=True)
class Certificates:
    """An authority, and what it signs, as PEM files in a directory."""

    directory: Path
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: _new_key())

    def write_authority(self) -> Path:
        builder = self._builder(_name(AUTHORITY), self.key.public_key())
        # Python 3.13 and newer reject an authority without these two.
        builder = builder.add_extension(x509.BasicConstraints(True, None), critical=True)
        builder = builder.add_extension(_usage_of_authority(), critical=True)
        return self._write("ca.crt", _pem(builder.sign(self.key, hashes.SHA256())))

    def write_server(self, addresses: Sequence[IPv4Address]) -> tuple[Path, Path]:
        """The certificate and the key of the API server."""
        names = x509.SubjectAlternativeName(
            [*map(x509.DNSName, NAMES), *map(x509.IPAddress, addresses)]
        )
        return self._write_signed("apiserver", _name("kube-apiserver"), names)

    def write_client(self, user: str, group: str = "") -> tuple[Path, Path]:
        return self._write_signed(user.rpartition(":")[2], _name(user, group))

    def write_signing_key(self) -> Path:
        """For the tokens of service accounts."""
        return self._write("service-accounts.key", _encoded(_new_key()))

    def write_kubeconfig(self, server: str, user: str, group: str = "") -> Path:
        certificate, key = self.write_client(user, group)
        account = {
            "client-certificate-data": _base64(certificate),
            "client-key-data": _base64(key),
        }
        cluster = {
            "server": server,
            "certificate-authority-data": _base64(self.directory / "ca.crt"),
        }
        context = {"cluster": CONTEXT, "user": user}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": CONTEXT, "cluster": cluster}],
            "users": [{"name": user, "user": account}],
            "contexts": [{"name": CONTEXT, "context": context}],
            "current-context": CONTEXT,
        }
        return self._write(f"{certificate.stem}.kubeconfig", json.dumps(content).encode())

    def _write_signed(
        self, file: str, subject: x509.Name, *extensions: x509.ExtensionType
    ) -> tuple[Path, Path]:
        key = _new_key()
        usage = x509.ExtendedKeyUsage(
            [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        )
        builder = self._builder(subject, key.public_key(), usage, *extensions)
        signed = builder.sign(self.key, hashes.SHA256())
        written = self._write(f"{file}.crt", _pem(signed))
        return written, self._write(f"{file}.key", _encoded(key))

    def _builder(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, *extensions: x509.ExtensionType
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(_name(AUTHORITY))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + LIFETIME)
        )
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        for extension in (authority, x509.SubjectKeyIdentifier.from_public_key(key), *extensions):
            builder = builder.add_extension(extension, critical=False)
        return builder

    def _write(self, name: str, content: bytes) -> Path:
        file = self.directory / name
        file.touch(0o600)
        file.write_bytes(content)
        return file


def _new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _usage_of_authority() -> x509.KeyUsage:
    others = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    unused = dict.fromkeys((*others, "encipher_only", "decipher_only"), False)
    return x509.KeyUsage(digital_signature=True, key_cert_sign=True, crl_sign=True, **unused)


def _name(common_name: str, organization: str = "") -> x509.Name:
    attributes = [x509.NameAttribute(NameOID.COMMON_NAME, common_name)]
    if organization:
        attributes.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, organization))
    return x509.Name(attributes)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _encoded(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )


def _base64(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode()
