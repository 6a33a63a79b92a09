"""The files of a Connect worker that hold secrets, wherever it runs."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import PurePath

from mirrorstack.kafka.connection import in_jaas
from mirrorstack.local.java_properties import render

REST_USER = "mirrorstack"
BASIC_AUTH = "org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension"
LOGIN_MODULE = "org.apache.kafka.connect.rest.basic.auth.extension.PropertyFileLoginModule"


def secrets_text(passwords: Mapping[str, str]) -> str:
    """For Connect's file config provider. `passwords` by alias: connectors refer to them inside
    the quotes of JAAS entries."""
    return render({alias: in_jaas(password) for alias, password in passwords.items()})


def users_text(password: str) -> str:
    """Who may use the REST API."""
    return render({REST_USER: password})


def jaas_text(users: PurePath) -> str:
    """How the REST API finds them."""
    return f'KafkaConnect {{ {LOGIN_MODULE} required file="{users}"; }};\n'


def authorization(password: str) -> str:
    """The value of a request's header."""
    token = base64.b64encode(f"{REST_USER}:{password}".encode()).decode()
    return f"Basic {token}"
