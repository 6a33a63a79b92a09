"""The sandbox's certificates."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import stat
import threading
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from mirrorstack.sandbox.certificates import ensure, keystore
from mirrorstack.sandbox.layout import Layout

NODE = "east-1"


@pytest.fixture
def made(layout: Layout) -> Layout:
    ensure(layout, [NODE])
    return layout


def node_certificate(layout: Layout) -> x509.Certificate:
    return x509.load_pem_x509_certificates(keystore(layout, NODE).read_bytes())[0]


def contents(layout: Layout) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in layout.tls.iterdir()}


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1"])
def test_a_client_that_trusts_the_ca_accepts_a_node_on_loopback(made: Layout, address: str) -> None:
    server_side = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server_side.load_cert_chain(keystore(made, NODE))
    client_side = ssl.create_default_context(cafile=str(made.ca))
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connection, _ = listener.accept()
            with server_side.wrap_socket(connection, server_side=True) as tls:
                tls.sendall(b"hello")

        server = threading.Thread(target=serve)
        server.start()
        port = listener.getsockname()[1]
        with (
            socket.create_connection(("127.0.0.1", port)) as raw,
            client_side.wrap_socket(raw, server_hostname=address) as tls,
        ):
            assert tls.recv(5) == b"hello"
        server.join()


def test_the_certificate_of_a_node_names_every_loopback_address(made: Layout) -> None:
    names = node_certificate(made).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    assert names.value.get_values_for_type(x509.DNSName) == ["localhost"]
    assert names.value.get_values_for_type(x509.IPAddress) == [
        ipaddress.ip_address("127.0.0.1"),
        ipaddress.ip_address("::1"),
    ]


def test_the_certificate_of_a_node_allows_server_and_client_authentication(made: Layout) -> None:
    uses = node_certificate(made).extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    assert set(uses.value) == {ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH}


def test_only_the_owner_may_read_the_files(made: Layout) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in made.tls.iterdir()}
    assert modes == {"ca.key": 0o600, "ca.pem": 0o600, "east-1.pem": 0o600}
    assert stat.S_IMODE(made.tls.stat().st_mode) == 0o700


def test_valid_files_are_not_changed(made: Layout) -> None:
    before = contents(made)
    ensure(made, [NODE])
    assert contents(made) == before


def test_an_added_node_is_signed_by_the_same_ca(made: Layout) -> None:
    before = contents(made)
    ensure(made, [NODE, "east-2"])
    after = contents(made)
    assert after.pop("east-2.pem")
    assert after == before


@pytest.mark.parametrize("lost", ["ca.key", "ca.pem", "east-1.pem"])
def test_missing_files_are_recreated_after_an_interruption(made: Layout, lost: str) -> None:
    (made.tls / lost).unlink()
    ensure(made, [NODE])
    ca = x509.load_pem_x509_certificate(made.ca.read_bytes())
    node_certificate(made).verify_directly_issued_by(ca)


def test_a_certificate_of_another_ca_is_recreated(made: Layout, tmp_path: Path) -> None:
    other = Layout(tmp_path.resolve(), "other")
    ensure(other, [NODE])
    keystore(made, NODE).write_bytes(keystore(other, NODE).read_bytes())
    ensure(made, [NODE])
    ca = x509.load_pem_x509_certificate(made.ca.read_bytes())
    node_certificate(made).verify_directly_issued_by(ca)
