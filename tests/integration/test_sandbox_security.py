"""The sandbox denies by default, and requires TLS and a password of every client."""

from __future__ import annotations

import socket
import ssl
import subprocess
import uuid
from dataclasses import replace
from typing import Any

import psutil
import pytest
from confluent_kafka import KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient

from mirrorstack.kafka.connection import Connection
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.processes import node_processes
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import create_topic, eventually, read

QUIET = {"log_level": 0}


def topic_with_a_record(app: Connection) -> str:
    """A new topic with one record, created and written by an application."""
    topic = f"test-{uuid.uuid4().hex[:8]}"
    create_topic(app, topic)
    produce(app, topic)
    return topic


def produce(connection: Connection, topic: str) -> None:
    errors: list[KafkaError] = []
    producer = Producer(connection.client_config() | QUIET | {"message.timeout.ms": 15_000})
    producer.produce(
        topic, b"value", on_delivery=lambda error, _: errors.append(error) if error else None
    )
    producer.flush(20)
    if errors:
        raise KafkaException(errors[0])


def tool(
    runtime: KafkaInstallation, name: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run one of Kafka's own tools, with a quiet log."""
    classpath = f"{runtime.jars}/*"
    return subprocess.run(
        [str(runtime.java), "-XX:TieredStopAtLevel=1", "-cp", classpath, name, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def console_consumer(
    sandbox: Sandbox, principal: Principal, topic: str, runtime: KafkaInstallation
) -> str:
    """The first record of a topic as Kafka's console consumer prints it, or its error.

    librdkafka reports no error for a topic that the principal may not describe."""
    ended = tool(
        runtime,
        "org.apache.kafka.tools.consumer.ConsoleConsumer",
        *("--bootstrap-server", sandbox.connection(Cluster.EAST, principal).bootstrap_servers),
        *("--command-config", str(sandbox.layout.client_properties(Cluster.EAST, principal))),
        *("--topic", topic, "--partition", "0", "--offset", "earliest", "--max-messages", "1"),
        *("--timeout-ms", "15000"),
    )
    return ended.stdout + ended.stderr


def is_refused(config: dict[str, Any], reason: int) -> None:
    """Fails unless the client gets this error, and no metadata.

    A broker closes connections without TLS or SASL silently: _ALL_BROKERS_DOWN. On a busy
    machine a connection may also break before it is refused, so other errors may come first.
    """
    errors: list[KafkaError] = []
    client = Producer(config | QUIET | {"error_cb": errors.append})

    def reported() -> bool:
        client.poll(0.05)
        return reason in [error.code() for error in errors]

    eventually(reported, f"the client gets the error {reason}")
    with pytest.raises(KafkaException):
        client.list_topics(timeout=0.3)


def code(raised: pytest.ExceptionInfo[KafkaException]) -> int:
    return int(raised.value.args[0].code())


@pytest.fixture(params=list(Cluster))
def app(request: pytest.FixtureRequest, sandbox: Sandbox) -> Connection:
    return sandbox.connection(request.param, Principal.APP)


def test_an_application_may_create_write_and_read(app: Connection) -> None:
    topic = topic_with_a_record(app)
    assert [message.value() for message in read(app, {(topic, 0): 1})] == [b"value"]


def test_the_principal_mirror_has_no_permissions_without_acls(
    sandbox: Sandbox, runtime: KafkaInstallation
) -> None:
    mirror = sandbox.connection(Cluster.EAST, Principal.MIRROR)
    topic = topic_with_a_record(sandbox.connection(Cluster.EAST, Principal.APP))

    seen = AdminClient(mirror.client_config() | QUIET).list_topics(timeout=15).topics
    assert topic not in seen, "mirror can describe a topic without an ACL"
    with pytest.raises(KafkaException) as raised:
        produce(mirror, topic)
    assert code(raised) == KafkaError.TOPIC_AUTHORIZATION_FAILED
    with pytest.raises(KafkaException) as raised:
        create_topic(mirror, f"{topic}-of-mirror")
    assert code(raised) == KafkaError.TOPIC_AUTHORIZATION_FAILED

    denied = console_consumer(sandbox, Principal.MIRROR, topic, runtime)
    assert "TopicAuthorizationException" in denied
    assert "value" in console_consumer(sandbox, Principal.APP, topic, runtime).split()


def test_an_application_may_not_delete_topics(sandbox: Sandbox) -> None:
    app = sandbox.connection(Cluster.EAST, Principal.APP)
    topic = topic_with_a_record(app)
    client = AdminClient(app.client_config() | QUIET)
    with pytest.raises(KafkaException) as raised:
        client.delete_topics([topic])[topic].result(15)
    assert code(raised) == KafkaError.TOPIC_AUTHORIZATION_FAILED


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"sasl.password": "wrong"}, KafkaError._AUTHENTICATION, id="a wrong password"),
        pytest.param(
            {"sasl.mechanism": "PLAIN"}, KafkaError._AUTHENTICATION, id="another mechanism"
        ),
        pytest.param({"ssl.ca.location": "probe"}, KafkaError._SSL, id="another CA"),
        pytest.param(
            {"security.protocol": "SASL_PLAINTEXT"}, KafkaError._ALL_BROKERS_DOWN, id="no TLS"
        ),
        pytest.param(
            {"security.protocol": "PLAINTEXT"},
            KafkaError._ALL_BROKERS_DOWN,
            id="neither TLS nor a password",
        ),
        pytest.param(
            {"security.protocol": "SSL"}, KafkaError._ALL_BROKERS_DOWN, id="TLS but no password"
        ),
    ],
)
def test_a_client_is_refused_with(sandbox: Sandbox, change: dict[str, str], reason: int) -> None:
    config = sandbox.connection(Cluster.EAST, Principal.ADMIN).client_config()
    is_refused({**config, **change}, reason)


def test_a_password_of_one_cluster_is_rejected_by_the_other(sandbox: Sandbox) -> None:
    east = sandbox.connection(Cluster.EAST, Principal.ADMIN)
    west = sandbox.connection(Cluster.WEST, Principal.ADMIN)
    mixed = replace(west, password=east.password)
    is_refused(mixed.client_config(), KafkaError._AUTHENTICATION)


def test_a_controller_rejects_a_client_without_a_certificate(sandbox: Sandbox) -> None:
    port = int(sandbox.status().nodes[0].address.rpartition(":")[2]) + 1000
    context = ssl.create_default_context(cafile=str(sandbox.layout.ca))
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as raw,
        # With TLS 1.3 the client gets the alert when it first reads.
        pytest.raises(ssl.SSLError, match=r"(?i)certificate required|bad certificate"),
        context.wrap_socket(raw, server_hostname="127.0.0.1") as tls,
    ):
        tls.recv(1)


def test_brokers_listen_on_loopback_only(sandbox: Sandbox) -> None:
    listening = {
        connection.laddr.ip
        for node in node_processes(sandbox.layout.directory)
        for connection in node.process.net_connections(kind="tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    assert {address.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}


def test_kafkas_own_tools_work_with_the_client_properties(
    sandbox: Sandbox, runtime: KafkaInstallation
) -> None:
    app = sandbox.connection(Cluster.WEST, Principal.APP)
    topic = topic_with_a_record(app)
    properties = sandbox.layout.client_properties(Cluster.WEST, Principal.APP)
    listed = tool(
        runtime,
        "org.apache.kafka.tools.TopicCommand",
        *("--list", "--bootstrap-server", app.bootstrap_servers),
        *("--command-config", str(properties)),
    )
    assert topic in listed.stdout.split(), listed.stderr
