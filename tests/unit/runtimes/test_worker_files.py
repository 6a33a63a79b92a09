"""The files of a worker that hold secrets."""

from __future__ import annotations

import base64
from pathlib import PurePosixPath

from mirrorstack.local.java_properties import load_text
from mirrorstack.runtimes.worker_files import authorization, jaas_text, secrets_text, users_text

PASSWORD = 'a "quoted" \\ = : pässword'


def properties(text: str) -> dict[str, str]:
    return {each.key: each.value for each in load_text(text)}


def test_any_password_can_be_in_the_quotes_of_a_jaas_entry() -> None:
    assert properties(secrets_text({"east": PASSWORD})) == {
        "east": 'a \\"quoted\\" \\\\ = : pässword'
    }


def test_the_user_of_the_rest_api_has_the_password() -> None:
    assert properties(users_text(PASSWORD)) == {"mirrorstack": PASSWORD}
    assert 'required file="/etc/users"; };' in jaas_text(PurePosixPath("/etc/users"))


def test_a_request_is_authorized_as_that_user() -> None:
    scheme, token = authorization(PASSWORD).split()

    assert scheme == "Basic"
    assert base64.b64decode(token).decode() == f"mirrorstack:{PASSWORD}"
