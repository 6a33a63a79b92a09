"""Access to a Kubernetes cluster by a kubeconfig of the machine that runs Pulumi."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

from yaml import YAMLError

from mirrorstack.findings import UserError
from mirrorstack.text import did_you_mean

if TYPE_CHECKING:
    from kubernetes.client import ApiClient, Configuration

CALL_SECONDS = 15.0


class KubernetesError(UserError):
    """The API server does not answer, or refuses a request."""

    def __init__(self, message: str, fix: str = "", *, status: int = 0) -> None:
        super().__init__(message, fix)
        self.status = status
        """Of the HTTP response; 0 without one."""


@dataclass(frozen=True, kw_only=True)
class ClusterAccess:
    """A namespace of a cluster. Without a secret: a resource's state may hold it."""

    namespace: str
    context: str = ""
    """Of the kubeconfig; empty: its current context."""
    kubeconfig: str = ""
    """A file; empty: that of `KUBECONFIG`, else `~/.kube/config`, else the service account of the
    pod that runs Pulumi."""

    @classmethod
    def decode(cls, text: str) -> ClusterAccess:
        return cls(**{key: values[0] for key, values in parse_qs(text).items()})

    @property
    def encoded(self) -> str:
        """As one value of a resource's state."""
        parts = (("namespace", self.namespace), ("context", self.context))
        return urlencode([(k, v) for k, v in (*parts, ("kubeconfig", self.kubeconfig)) if v])

    @property
    def described(self) -> str:
        """As in `namespace kafka of context prod-west`."""
        return f"namespace {self.namespace} of {self.described_context}"

    @property
    def described_context(self) -> str:
        return f"context {self.context}" if self.context else "the current context"

    @contextmanager
    def client(self) -> Iterator[ApiClient]:
        """A client of its own for each use, because a port-forward changes it. Errors of the API
        become user errors."""
        # Imported where it is needed: most stacks do not use Kubernetes, and it is large.
        from urllib3.exceptions import HTTPError

        from mirrorstack.kubernetes.library import ApiClient, ApiException

        configuration = _configuration(self)
        try:
            with ApiClient(configuration) as client:
                yield client
        except ApiException as error:
            raise KubernetesError(
                f"Kubernetes at {configuration.host}: {api_message(error)}",
                "check that the user of the kubeconfig may do that: `kubectl auth can-i --list "
                f"--namespace {self.namespace}`",
                status=int(error.status or 0),
            ) from None
        except (HTTPError, OSError) as error:
            raise KubernetesError(
                f"Kubernetes at {configuration.host} does not answer: {_reason(error)}",
                f"check that `kubectl --namespace {self.namespace} get pods` works here, with "
                f"{self.described_context}",
            ) from None


def as_json(client: ApiClient, found: object) -> Any:
    """What the API returned, with the names of its fields in Kubernetes."""
    return client.sanitize_for_serialization(found)


def api_message(error: Exception) -> str:
    """The API's own words, or the status if it gave none."""
    body = getattr(error, "body", None)
    try:
        return str(json.loads(body)["message"]) if body else str(getattr(error, "reason", error))
    except (ValueError, KeyError, TypeError):
        return str(getattr(error, "reason", None) or error)


@lru_cache(maxsize=8)
def _configuration(access: ClusterAccess) -> Configuration:
    """Kept, because a kubeconfig may get its token from a command that takes a second."""
    from mirrorstack.kubernetes.library import (
        ConfigException,
        Configuration,
        load_incluster_config,
        load_kube_config,
    )

    configuration = Configuration()
    file = access.kubeconfig or None
    try:
        if file is None and access.context == "" and _is_in_cluster():
            load_incluster_config(configuration)
        else:
            load_kube_config(file, access.context or None, client_configuration=configuration)
    except (ConfigException, YAMLError, OSError, TypeError, ValueError, KeyError) as error:
        raise _no_configuration(access, error) from None
    configuration.retries = False
    return configuration


def _is_in_cluster() -> bool:
    from mirrorstack.kubernetes.library import KUBE_CONFIG_DEFAULT_LOCATION

    files = KUBE_CONFIG_DEFAULT_LOCATION.split(os.pathsep)
    exists = any(Path(file).expanduser().exists() for file in files)
    return not exists and "KUBERNETES_SERVICE_HOST" in os.environ


def _no_configuration(access: ClusterAccess, error: Exception) -> KubernetesError:
    contexts = _contexts(access)
    if access.context and contexts and access.context not in contexts:
        return KubernetesError(
            f"the kubeconfig has no context {access.context!r} (contexts: {', '.join(contexts)})",
            did_you_mean(access.context, contexts, "use one of them"),
        )
    where = access.kubeconfig or "of KUBECONFIG or ~/.kube/config"
    return KubernetesError(
        f"the kubeconfig {where} cannot be used: {_reason(error)}",
        "check that `kubectl get namespaces` works here, or name another file",
    )


def _contexts(access: ClusterAccess) -> list[str]:
    from mirrorstack.kubernetes.library import ConfigException, list_kube_config_contexts

    try:
        contexts, _ = list_kube_config_contexts(access.kubeconfig or None)
    except (ConfigException, YAMLError, OSError, TypeError, ValueError, KeyError):
        return []
    return [str(each["name"]) for each in contexts]


def _reason(error: Exception) -> str:
    """urllib3 wraps the error of the system, whose text is the shortest."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror.lower()
        nested = getattr(cause, "reason", None)
        cause = nested if isinstance(nested, BaseException) else cause.__cause__
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
