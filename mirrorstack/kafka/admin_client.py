"""One connected admin client of a cluster, and what its failures mean."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient, ClusterMetadata

from mirrorstack.findings import UserError
from mirrorstack.kafka import errors
from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.connection import Connection
from mirrorstack.local.polling import poll_until

TIMEOUT_SECONDS, TRY_SECONDS = 10.0, 1.0
RETRY_FOR_SECONDS, RETRY_INTERVAL_SECONDS = 30.0, 0.5

T = TypeVar("T")
ClusterT = TypeVar("ClusterT", bound="ClusterClient")
P = ParamSpec("P")


def retried(
    request: Callable[Concatenate[ClusterT, P], T], /
) -> Callable[Concatenate[ClusterT, P], T]:
    """Repeats a request of a cluster that fails for a moment: a coordinator is being loaded, a
    leader elected, or the brokers are busy."""

    @wraps(request)
    def repeated(cluster: ClusterT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        _ = cluster.client  # connecting has its own retries and its own timeout
        failures: list[UserError] = []

        def attempt() -> tuple[T] | None:
            try:
                return (request(cluster, *args, **kwargs),)
            except UserError as error:
                if not errors.is_transient(error.__cause__):
                    raise
                failures.append(error)
                return None

        (result,) = poll_until(
            attempt,
            deadline=time.monotonic() + RETRY_FOR_SECONDS,
            on_timeout=lambda: failures[-1],
            interval=RETRY_INTERVAL_SECONDS,
        )
        return result

    return repeated


@dataclass(frozen=True)
class ClusterClient:
    """A cluster, by its alias in the stack file, as one principal may use it.

    One client serves all requests. It connects with the first one.
    """

    alias: str
    connection: Connection
    fix: str
    """How to fix a cluster that does not respond, or that refuses the credentials."""

    @cached_property
    def client(self) -> AdminClient:
        """The connected client; a UserError where the cluster or the password is wrong."""
        # By default librdkafka logs to standard error.
        config: dict[str, Any] = {
            **self.connection.client_config(),
            "error_cb": self._reported.append,
            "log_level": 0,
        }
        client = AdminClient(config)
        self._list_topics(client)
        return client

    @cached_property
    def _reported(self) -> list[KafkaError]:
        """What the client's error callback received."""
        return []

    def connect(self) -> None:
        """Check that the cluster responds and accepts the credentials."""
        self.metadata()

    def metadata(self) -> ClusterMetadata:
        return self._list_topics(self.client)

    def _list_topics(self, client: AdminClient) -> ClusterMetadata:
        """Retried until the timeout; failed authentication ends it at once."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while True:
            try:
                return client.list_topics(timeout=TRY_SECONDS)
            except KafkaException as error:
                client.poll(0)  # runs the error callback
                is_final = errors.is_authentication_failure(self._reported)
                if is_final or time.monotonic() > deadline:
                    raise self.request_failed(error) from error

    def request_failed(self, error: KafkaException | KafkaError) -> UserError:
        wrapped = errors.kafka_error(error) if isinstance(error, KafkaException) else error
        return errors.request_failed(
            self.alias, self.connection, wrapped, reported=self._reported, fix=self.fix
        )

    def not_authorized(
        self, operation: Operation, names: Sequence[str], kind: ResourceType = ResourceType.TOPIC
    ) -> UserError:
        return errors.not_authorized(self.alias, self.connection, operation, names, kind)

    def result(
        self,
        future: Future[T],
        operation: Operation | None = None,
        name: str = "",
        kind: ResourceType = ResourceType.TOPIC,
    ) -> T | None:
        """The result of a request; None where the topic, partition or group does not exist.

        The request needs `operation` on the named topic or group, if any.
        """
        try:
            return future.result()
        except KafkaException as error:
            code = errors.error_code(error)
            if code in errors.DOES_NOT_EXIST:
                return None
            if code in errors.NOT_AUTHORIZED and operation is not None:
                raise self.not_authorized(operation, [name], kind) from error
            self.client.poll(0)  # runs the error callback
            raise self.request_failed(error) from error
