"""Objects of a cluster by their manifests: applied, found and deleted."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from mirrorstack.local.polling import poll_until
from tests.platforms.kubernetes.api import ApiError, KubernetesApi

FIELD_MANAGER = "pulumi-kubernetes"
PATCH_MANAGER = "pulumi.com/patchFieldManager"
"""An annotation: the field manager of a patch."""
FORCE = "pulumi.com/patchForce"
"""An annotation: take over fields that another field manager owns."""
CONFLICT = re.compile('conflicts? with "([^"]+)"')
KUBECTL = re.compile("kubectl|before-first-apply")
DELETE_SECONDS = 300.0

Manifest = dict[str, Any]


@dataclass(frozen=True)
class ClusterObjects:
    api: KubernetesApi
    kinds: dict[str, dict[str, Any]] = field(default_factory=dict)
    """API version and kind -> its entry in the discovery."""

    def is_namespaced(self, manifest: Manifest) -> bool:
        return bool(self._kind(manifest)["namespaced"])

    def apply(self, manifest: Manifest, *, dry_run: bool = False, force: bool = False) -> Manifest:
        """The object as the API stores it.

        As with the official plugin, changes by kubectl are overwritten, and those of others are
        conflicts.
        """
        annotations = manifest["metadata"].get("annotations") or {}
        forced = force or annotations.get(FORCE) == "true"
        manager = annotations.get(PATCH_MANAGER, FIELD_MANAGER)
        query = {"fieldManager": manager, "fieldValidation": "Strict"}
        query |= {"force": "true"} if forced else {}
        query |= {"dryRun": "All"} if dry_run else {}
        path = self._path(manifest)
        try:
            return self.api.call("PATCH", path, manifest, "application/apply-patch+yaml", **query)
        except ApiError as error:
            managers = CONFLICT.findall(str(error)) if error.status == HTTPStatus.CONFLICT else []
            if forced or not managers or not all(map(KUBECTL.match, managers)):
                raise
            return self.apply(manifest, dry_run=dry_run, force=True)

    def find(self, manifest: Manifest) -> Manifest | None:
        try:
            return self.api.call("GET", self._path(manifest))
        except ApiError as error:
            if error.status == HTTPStatus.NOT_FOUND:
                return None
            raise

    def patch(self, manifest: Manifest, *, dry_run: bool = False) -> Manifest:
        """Like `apply`, of an object that exists already."""
        if self.find(manifest) is None:
            raise ApiError(f"{_title(manifest)} does not exist, so it cannot be patched")
        return self.apply(manifest, dry_run=dry_run)

    def give_up(self, manifest: Manifest) -> None:
        """The fields that a patch owns: those without another owner are removed."""
        if self.find(manifest) is None:
            return
        manager = manifest["metadata"]["annotations"][PATCH_MANAGER]
        identity = {key: manifest["metadata"][key] for key in ("name", "namespace")}
        empty = {
            "apiVersion": manifest["apiVersion"],
            "kind": manifest["kind"],
            "metadata": identity,
        }
        path, content_type = self._path(manifest), "application/apply-patch+yaml"
        self.api.call("PATCH", path, empty, content_type, fieldManager=manager)

    def delete(self, manifest: Manifest) -> None:
        """With what it owns; returns when it is gone."""
        found = self.find(manifest)
        if found is None:
            return
        uid = found["metadata"]["uid"]
        options = {
            "apiVersion": "v1",
            "kind": "DeleteOptions",
            "propagationPolicy": "Foreground",
            "preconditions": {"uid": uid},
        }
        self.api.call("DELETE", self._path(manifest), options)

        def is_gone() -> bool:
            now = self.find(manifest)
            return now is None or now["metadata"]["uid"] != uid

        poll_until(
            is_gone,
            deadline=time.monotonic() + DELETE_SECONDS,
            on_timeout=lambda: ApiError(f"{_title(manifest)} still exists: {_finalizers(found)}"),
        )

    def _path(self, manifest: Manifest) -> str:
        kind, metadata = self._kind(manifest), manifest["metadata"]
        namespace = f"/namespaces/{metadata['namespace']}" if kind["namespaced"] else ""
        root = _root(manifest["apiVersion"])
        return f"{root}{namespace}/{kind['name']}/{metadata['name']}"

    def _kind(self, manifest: Manifest) -> dict[str, Any]:
        key = f"{manifest['apiVersion']}/{manifest['kind']}"
        if key not in self.kinds:
            for each in self._discover(manifest["apiVersion"]):
                if "/" not in each["name"]:
                    self.kinds[f"{manifest['apiVersion']}/{each['kind']}"] = each
        if key not in self.kinds:
            raise ApiError(f"the API has no kind {key}", HTTPStatus.NOT_FOUND)
        return self.kinds[key]

    def _discover(self, version: str) -> list[dict[str, Any]]:
        try:
            found: list[dict[str, Any]] = self.api.call("GET", _root(version))["resources"]
        except ApiError as error:
            if error.status == HTTPStatus.NOT_FOUND:
                return []
            raise
        return found


def _root(version: str) -> str:
    return f"/apis/{version}" if "/" in version else f"/api/{version}"


def _title(manifest: Manifest) -> str:
    return f"{manifest['kind']} {manifest['metadata']['name']}"


def _finalizers(found: Manifest) -> str:
    return f"finalizers: {', '.join(found['metadata'].get('finalizers', [])) or 'none'}"
