"""The sandbox's CA, and a key and certificate for each node.

A node uses the same certificate as a server for clients and as a client of the other controllers
(mutual TLS), so it allows both uses.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from mirrorstack.local.files import private_directory, write_private
from mirrorstack.sandbox.layout import Layout

LIFETIME = timedelta(days=3650)
RENEW_BEFORE = timedelta(days=30)
LOOPBACK = (
    x509.DNSName("localhost"),
    x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    x509.IPAddress(ipaddress.ip_address("::1")),
)


def ensure(layout: Layout, node_names: Iterable[str]) -> None:
    """Create certificates that are missing, about to expire, or not signed by the current CA.

    The CA's key is written before its certificate. After an interruption, the next call
    completes the files.
    """
    private_directory(layout.tls)
    key, certificate = _ensure_ca(layout)
    for name in node_names:
        path = keystore(layout, name)
        if not _is_good_node(path, certificate):
            write_private(path, _node_pem(name, key, certificate))


def keystore(layout: Layout, node_name: str) -> Path:
    """The node's private key and certificates in one file: a PEM keystore for Kafka."""
    return layout.tls / f"{node_name}.pem"


def distinguished_name(node_name: str) -> str:
    """The principal of a node that authenticates by its certificate."""
    return f"CN={node_name}"


def _ensure_ca(layout: Layout) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key_path = layout.tls / "ca.key"
    stored = _read_key(key_path)
    if stored:
        certificate = _read_certificate(layout.ca)
        if certificate and _is_current(certificate) and _signed(certificate, certificate):
            same = certificate.public_key() == stored.public_key()
            if same:
                return stored, certificate
    key = stored or ec.generate_private_key(ec.SECP256R1())
    if not stored:
        write_private(key_path, _private_pem(key))
    certificate = _ca_certificate(layout.name, key)
    write_private(layout.ca, _public_pem(certificate))
    return key, certificate


def _ca_certificate(name: str, key: ec.EllipticCurvePrivateKey) -> x509.Certificate:
    subject = _name(f"mirrorstack sandbox {name}")
    return (
        _builder(subject, subject, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )


def _node_pem(name: str, ca_key: ec.EllipticCurvePrivateKey, ca: x509.Certificate) -> str:
    key = ec.generate_private_key(ec.SECP256R1())
    issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())
    uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    certificate = (
        _builder(_name(name), ca.subject, key.public_key())
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        .add_extension(x509.SubjectAlternativeName(LOOPBACK), critical=False)
        .add_extension(issuer_key, critical=False)
        .sign(ca_key, hashes.SHA256())
    )
    return _private_pem(key) + _public_pem(certificate) + _public_pem(ca)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))  # clocks of containers and hosts differ
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _is_good_node(path: Path, ca: x509.Certificate) -> bool:
    certificate = _read_certificate(path)
    return certificate is not None and _is_current(certificate) and _signed(certificate, ca)


def _is_current(certificate: x509.Certificate) -> bool:
    return datetime.now(UTC) + RENEW_BEFORE < certificate.not_valid_after_utc


def _signed(certificate: x509.Certificate, by: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(by)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _read_certificate(path: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())[0]
    except (FileNotFoundError, ValueError):
        return None


def _read_key(path: Path) -> ec.EllipticCurvePrivateKey | None:
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (FileNotFoundError, ValueError):
        return None
    return key if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _private_pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def _public_pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()
