"""How to log in to Connect's REST API, without a secret: a resource's state may hold it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.credentials import BearerToken, Credentials
from mirrorstack.findings import UserError
from mirrorstack.kubernetes.port_forward import PortForward

Secrets = Callable[[str], str]
"""The value of a key of the stack's config; empty where there is none."""


@dataclass(frozen=True, kw_only=True)
class RestLogin:
    """Nothing set: the REST API requires no authentication. Files are on the machine that runs
    Pulumi."""

    credentials_file: str = ""
    """User name and password, for workers of this machine."""
    username: str = ""
    """For basic authentication; its password is in the stack's config."""
    password_key: str = ""
    token_key: str = ""
    """The key of the stack's config that holds a bearer token."""
    ca_file: str = ""
    """PEM, for https with a private certificate authority."""
    certificate_file: str = ""
    """PEM of a client certificate, for mutual TLS."""
    key_file: str = ""
    """PEM of its private key, if that is in a file of its own."""
    port_forward: str = ""
    """A `PortForward`, encoded, to workers that are reachable only inside a Kubernetes cluster."""

    @classmethod
    def of(cls, props: Mapping[str, Any]) -> RestLogin:
        """From `as_props`, among other properties."""
        return cls(**{each.name: props.get(each.name) or "" for each in fields(cls)})

    def as_props(self) -> dict[str, str]:
        return {key: value for key, value in asdict(self).items() if value}

    @property
    def files_exist(self) -> bool:
        """The files of local workers are written by a deployment, and may be gone after it."""
        files = (self.credentials_file, self.ca_file, self.certificate_file, self.key_file)
        return all(Path(file).exists() for file in files if file)

    def without_missing_secret(self, secret: Secrets) -> RestLogin:
        """For workers that are to be gone: once they are, nobody needs their password."""
        key = self.token_key or self.password_key
        if not key or secret(key):
            return self
        return replace(self, username="", password_key="", token_key="")

    def client(self, url: str, secret: Secrets, **options: Any) -> ConnectClient:
        return ConnectClient(
            url,
            self._credentials(secret),
            ca_file=_path(self.ca_file),
            certificate_file=_path(self.certificate_file),
            key_file=_path(self.key_file),
            connect=PortForward.decode(self.port_forward).connect if self.port_forward else None,
            **options,
        )

    def _credentials(self, secret: Secrets) -> Credentials | BearerToken | None:
        if self.credentials_file:
            return credentials.load(Path(self.credentials_file))
        if self.token_key:
            return BearerToken(_required(self.token_key, secret))
        if self.username:
            return Credentials(self.username, _required(self.password_key, secret))
        return None


def _path(file: str) -> Path | None:
    return Path(file) if file else None


def _required(key: str, secret: Secrets) -> str:
    if value := secret(key):
        return value
    raise UserError(
        f"{key} for Connect's REST API is missing in the stack's config",
        f"run `pulumi config set --secret {key}`, which asks for it and encrypts it",
        path=(key,),
    )
