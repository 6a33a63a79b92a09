"""A TEST DOUBLE of Pulumi's plugin `pulumi-resource-kubernetes`, for where that is not available.

It applies whole manifests with server-side apply. It differs from the official plugin:
- it does not wait until an object is ready; its outputs are the fields of the inputs and the uid,
  where the official one returns the whole live object with its status
- `metadata.name` is required, where the official one generates it
- it rejects unknown fields, where the official one prints the API's warnings
- it compares inputs with inputs, where the official one asks the API for a dry run
- of the annotations `pulumi.com/...` it knows `patchForce` and `patchFieldManager`, which a patch
  must have: the official one invents a field manager
- it has no functions and no schema
"""

# ruff: noqa: N802 - the names of the protocol

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cached_property
from http import HTTPStatus
from typing import Any

import grpc  # type: ignore[import-untyped]
from google.protobuf import empty_pb2  # type: ignore[import-untyped]
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc
from pulumi.runtime.proto.provider_pb2 import PropertyDiff

from tests.platforms.kubernetes.api import ApiError, KubernetesApi
from tests.platforms.kubernetes.cluster_objects import PATCH_MANAGER, ClusterObjects
from tests.platforms.kubernetes.manifests import (
    Change,
    as_live,
    changes,
    from_struct,
    has_unknown,
    to_struct,
    with_secret_data,
    with_secrets_of,
    with_string_data,
    without_secrets,
)

VERSION = "4.34.2"
MESSAGE_BYTES = 400 * 1024 * 1024
IDENTITY = ("metadata.name", "metadata.namespace", "apiVersion", "kind")
# As in the official plugin; other changes that the API refuses are errors there too.
REPLACED_BY = {
    "ConfigMap": ("data", "binaryData"),
    "DaemonSet": ("spec.selector",),
    "Deployment": ("spec.selector",),
    "Job": ("spec.completions", "spec.parallelism", "spec.selector", "spec.template"),
    "PersistentVolumeClaim": ("spec.accessModes", "spec.selector", "spec.storageClassName"),
    "RoleBinding": ("roleRef",),
    "Secret": ("data", "stringData", "type"),
    "Service": ("spec.clusterIP",),
    "StatefulSet": (
        "spec.podManagementPolicy",
        "spec.revisionHistoryLimit",
        "spec.selector",
        "spec.serviceName",
        "spec.volumeClaimTemplates",
    ),
}
MUTABLE = {"ConfigMap": "enableConfigMapMutable", "Secret": "enableSecretMutable"}
"""Options of the provider: changed data updates these kinds, unless they are `immutable`."""
DiffChanges = provider_pb2.DiffResponse.DiffChanges


@contextmanager
def _reporting_errors(context: grpc.ServicerContext) -> Iterator[None]:
    """The API's own message becomes the status of the call, which the engine prints once."""
    try:
        yield
    except (ApiError, OSError) as error:
        context.abort(grpc.StatusCode.UNKNOWN, str(error))


class KubernetesDouble(provider_pb2_grpc.ResourceProviderServicer):
    """Methods that are not defined here return UNIMPLEMENTED."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {}

    def GetPluginInfo(
        self, request: empty_pb2.Empty, context: grpc.ServicerContext
    ) -> plugin_pb2.PluginInfo:
        return plugin_pb2.PluginInfo(version=VERSION)

    def Handshake(
        self, request: provider_pb2.ProviderHandshakeRequest, context: grpc.ServicerContext
    ) -> provider_pb2.ProviderHandshakeResponse:
        return provider_pb2.ProviderHandshakeResponse(accept_secrets=True, accept_resources=True)

    def CheckConfig(
        self, request: provider_pb2.CheckRequest, context: grpc.ServicerContext
    ) -> provider_pb2.CheckResponse:
        return provider_pb2.CheckResponse(inputs=request.news)

    def DiffConfig(
        self, request: provider_pb2.DiffRequest, context: grpc.ServicerContext
    ) -> provider_pb2.DiffResponse:
        old, new = from_struct(request.old_inputs), from_struct(request.news)
        return _difference(without_secrets(old), without_secrets(new))

    def Configure(
        self, request: provider_pb2.ConfigureRequest, context: grpc.ServicerContext
    ) -> provider_pb2.ConfigureResponse:
        self._options = without_secrets(from_struct(request.args))
        return provider_pb2.ConfigureResponse(
            acceptSecrets=True, acceptResources=True, supportsPreview=True
        )

    def Check(
        self, request: provider_pb2.CheckRequest, context: grpc.ServicerContext
    ) -> provider_pb2.CheckResponse:
        inputs = from_struct(request.news)
        metadata = inputs.get("metadata") or {}
        named = without_secrets(metadata)
        required = {"metadata.name": named.get("name")}
        if _is_patch(request.urn):
            manager = (named.get("annotations") or {}).get(PATCH_MANAGER)
            required[f"metadata.annotations[{PATCH_MANAGER}]"] = manager
        if missing := [key for key, value in required.items() if not value]:
            reason = "the double of the plugin requires it"
            failure = provider_pb2.CheckFailure(property=missing[0], reason=reason)
            return provider_pb2.CheckResponse(inputs=request.news, failures=[failure])
        with _reporting_errors(context):
            if not metadata.get("namespace") and self._is_namespaced(inputs):
                metadata["namespace"] = self._options.get("namespace") or self._api.namespace
        return provider_pb2.CheckResponse(inputs=to_struct(inputs))

    def Diff(
        self, request: provider_pb2.DiffRequest, context: grpc.ServicerContext
    ) -> provider_pb2.DiffResponse:
        old = without_secrets(from_struct(request.old_inputs))
        new = without_secrets(from_struct(request.news))
        difference = _difference(old, new, (*IDENTITY, *self._replaced_by(new)))
        # An object of another name or namespace can exist beside the old one.
        difference.deleteBeforeReplace = bool(difference.replaces) and _id(old) == _id(new)
        return difference

    def Create(
        self, request: provider_pb2.CreateRequest, context: grpc.ServicerContext
    ) -> provider_pb2.CreateResponse:
        inputs = from_struct(request.properties)
        with _reporting_errors(context):
            outputs = self._apply(request.urn, inputs, request.preview)
        id_ = "" if request.preview else _id(without_secrets(inputs))
        return provider_pb2.CreateResponse(id=id_, properties=to_struct(outputs))

    def Update(
        self, request: provider_pb2.UpdateRequest, context: grpc.ServicerContext
    ) -> provider_pb2.UpdateResponse:
        with _reporting_errors(context):
            outputs = self._apply(request.urn, from_struct(request.news), request.preview)
        return provider_pb2.UpdateResponse(properties=to_struct(outputs))

    def Read(
        self, request: provider_pb2.ReadRequest, context: grpc.ServicerContext
    ) -> provider_pb2.ReadResponse:
        inputs = from_struct(request.inputs)
        plain = without_secrets(inputs)
        with _reporting_errors(context):
            if not plain:
                raise ApiError("the double of the plugin cannot import objects")
            live = self._objects.find(plain)
            if live is None:
                return provider_pb2.ReadResponse()
            applied = self._applied(plain) or live
        found = as_live(plain, with_string_data(applied), with_string_data(live))
        return provider_pb2.ReadResponse(
            id=request.id,
            inputs=to_struct(with_secrets_of(inputs, found)),
            properties=to_struct(_outputs(inputs, found, live)),
        )

    def Delete(
        self, request: provider_pb2.DeleteRequest, context: grpc.ServicerContext
    ) -> empty_pb2.Empty:
        with _reporting_errors(context):
            manifest = without_secrets(from_struct(request.properties))
            if _is_patch(request.urn):
                self._objects.give_up(manifest)
            else:
                self._objects.delete(manifest)
        return empty_pb2.Empty()

    def Cancel(self, request: empty_pb2.Empty, context: grpc.ServicerContext) -> empty_pb2.Empty:
        return empty_pb2.Empty()

    @cached_property
    def _api(self) -> KubernetesApi:
        usual = os.environ.get("KUBECONFIG") or "~/.kube/config"
        kubeconfig = self._options.get("kubeconfig") or usual
        return KubernetesApi.of(kubeconfig, self._options.get("context", ""))

    @cached_property
    def _objects(self) -> ClusterObjects:
        return ClusterObjects(self._api)

    def _apply(self, urn: str, inputs: dict[str, Any], preview: bool) -> dict[str, Any]:
        plain = without_secrets(inputs)
        if preview and has_unknown(plain):
            return _outputs(inputs, plain, {})
        try:
            apply = self._objects.patch if _is_patch(urn) else self._objects.apply
            applied = apply(plain, dry_run=preview)
        except ApiError as error:
            # The namespace or the kind may be created by the same update.
            if not preview or error.status != HTTPStatus.NOT_FOUND:
                raise
            applied = {}
        return _outputs(inputs, plain, applied)

    def _applied(self, plain: dict[str, Any]) -> dict[str, Any] | None:
        """The object after an apply, or nothing if the API would refuse that."""
        try:
            return self._objects.apply(plain, dry_run=True, force=True)
        except ApiError:
            return None

    def _is_namespaced(self, inputs: dict[str, Any]) -> bool:
        try:
            return self._objects.is_namespaced(inputs)
        except ApiError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise
            return True  # of a CustomResourceDefinition that is still to be created

    def _replaced_by(self, new: dict[str, Any]) -> tuple[str, ...]:
        kind = new["kind"]
        mutable = str(self._options.get(MUTABLE.get(kind, ""))).lower() == "true"
        if mutable and not new.get("immutable"):
            return ("type",)
        return REPLACED_BY.get(kind, ())


def _outputs(inputs: dict[str, Any], found: dict[str, Any], live: dict[str, Any]) -> dict[str, Any]:
    """With the secrets of the inputs, and the uid."""
    outputs: dict[str, Any] = with_secrets_of(inputs, found)
    if live:
        outputs["metadata"]["uid"] = live["metadata"]["uid"]
    return with_secret_data(outputs)


def _is_patch(urn: str) -> bool:
    """Types of patches end in `Patch`, and their kind does not."""
    return urn.split("::")[2].rpartition("$")[2].endswith("Patch")


def _id(manifest: dict[str, Any]) -> str:
    metadata = manifest["metadata"]
    return "/".join(filter(None, (metadata.get("namespace"), metadata["name"])))


def _difference(
    old: dict[str, Any], new: dict[str, Any], replacing: tuple[str, ...] = ()
) -> provider_pb2.DiffResponse:
    found = list(changes(old, new))
    replaces = [each for each in found if any(map(each.is_below, replacing))]
    detailed = {
        each.path: PropertyDiff(kind=_kind(each, each in replaces), inputDiff=True)
        for each in found
    }
    return provider_pb2.DiffResponse(
        changes=DiffChanges.DIFF_SOME if found else DiffChanges.DIFF_NONE,
        diffs=dict.fromkeys(each.top_level for each in found),
        replaces=[each.path for each in replaces],
        detailedDiff=detailed,
        hasDetailedDiff=True,
    )


def _kind(change: Change, replaces: bool) -> PropertyDiff._Kind.ValueType:
    if change.added:
        return PropertyDiff.ADD_REPLACE if replaces else PropertyDiff.ADD
    if change.removed:
        return PropertyDiff.DELETE_REPLACE if replaces else PropertyDiff.DELETE
    return PropertyDiff.UPDATE_REPLACE if replaces else PropertyDiff.UPDATE


def main() -> None:
    server = grpc.server(
        ThreadPoolExecutor(),
        options=[("grpc.max_receive_message_length", MESSAGE_BYTES)],
    )
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(KubernetesDouble(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    engine = os.getppid()
    with suppress(KeyboardInterrupt):  # the engine stops its plugins with SIGINT
        while os.getppid() == engine and server.wait_for_termination(1.0):
            pass
    server.stop(grace=0)
