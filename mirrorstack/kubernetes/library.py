"""What is used of the `kubernetes` package. Imported inside functions: most stacks do not need it,
and it is large.

Only from here: the engine calls a provider in several threads. Where two of them import parts of
the package at the same time, Python detects a deadlock and gives one of them half a module.
"""

from kubernetes.client import (
    ApiClient,
    ApisApi,
    AppsV1Api,
    AuthorizationV1Api,
    Configuration,
    CoreV1Api,
    CustomObjectsApi,
)
from kubernetes.client.exceptions import ApiException
from kubernetes.config import (
    ConfigException,
    list_kube_config_contexts,
    load_incluster_config,
    load_kube_config,
)
from kubernetes.config.kube_config import KUBE_CONFIG_DEFAULT_LOCATION
from kubernetes.stream import portforward

__all__ = [
    "KUBE_CONFIG_DEFAULT_LOCATION",
    "ApiClient",
    "ApiException",
    "ApisApi",
    "AppsV1Api",
    "AuthorizationV1Api",
    "ConfigException",
    "Configuration",
    "CoreV1Api",
    "CustomObjectsApi",
    "list_kube_config_contexts",
    "load_incluster_config",
    "load_kube_config",
    "portforward",
]
