"""How to log in to Connect's REST API, without the secrets themselves."""

from __future__ import annotations

import socket
from base64 import b64decode
from pathlib import Path

import pytest

from mirrorstack.connect.protocol import ConnectUnreachableError
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.findings import UserError
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.port_forward import PortForward
from tests.unit.connect.scripted import Script

CONFIG = "GET /connectors/orders/config"
SECRETS = {"west-connect-password": "hunter2", "west-connect-token": "t0ken"}


def secret(key: str) -> str:
    return SECRETS.get(key, "")


def sent_authorization(connect: Script, login: RestLogin) -> str:
    connect[CONFIG] = (200, {"topics": "orders"})
    assert login.client(connect.url, secret).config("orders")
    return connect.asked[-1].authorization


def test_without_anything_no_authentication_is_sent(connect: Script) -> None:
    assert sent_authorization(connect, RestLogin()) == ""


def test_basic_authentication_takes_the_password_from_the_stack_s_config(connect: Script) -> None:
    login = RestLogin(username="deploy", password_key="west-connect-password")

    kind, _, encoded = sent_authorization(connect, login).partition(" ")

    assert (kind, b64decode(encoded)) == ("Basic", b"deploy:hunter2")


def test_a_bearer_token_is_sent_as_it_is(connect: Script) -> None:
    login = RestLogin(token_key="west-connect-token")

    assert sent_authorization(connect, login) == "Bearer t0ken"


def test_a_missing_secret_is_an_error_with_the_command_that_sets_it() -> None:
    login = RestLogin(username="deploy", password_key="east-connect-password")

    with pytest.raises(UserError, match=r"east-connect-password .* is missing") as raised:
        login.client("http://127.0.0.1:1", secret)

    assert "`pulumi config set --secret east-connect-password`" in raised.value.fix


def test_properties_hold_references_and_no_secret() -> None:
    login = RestLogin(username="deploy", password_key="west-connect-password", ca_file="/ca.pem")

    assert login.as_props() == {
        "username": "deploy",
        "password_key": "west-connect-password",
        "ca_file": "/ca.pem",
    }
    assert RestLogin.of({**login.as_props(), "name": "other", "token_key": None}) == login


def test_files_that_do_not_exist_yet_are_noticed(tmp_path: Path) -> None:
    file = tmp_path / "login.json"

    assert RestLogin().files_exist
    assert not RestLogin(credentials_file=str(file)).files_exist
    file.touch()
    assert RestLogin(credentials_file=str(file)).files_exist


def test_a_port_forward_is_opened_for_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    forward = PortForward(ClusterAccess(namespace="kafka"), "app=connect")
    opened: list[PortForward] = []

    def dial(used: PortForward, _port: int, _timeout: float) -> socket.socket:
        opened.append(used)
        raise ConnectionRefusedError(0, "no pod is Ready")

    monkeypatch.setattr(PortForward, "connect", dial)
    client = RestLogin(port_forward=forward.encoded).client("http://connect.kafka.svc:8083", secret)

    with pytest.raises(ConnectUnreachableError):
        client.config("orders")

    assert opened == [forward]


def test_a_login_whose_secret_is_missing_can_be_left_out() -> None:
    login = RestLogin(username="mirrorstack", password_key="west-connect-password", ca_file="a.pem")

    assert login.without_missing_secret(lambda _: "hunter2") == login
    assert login.without_missing_secret(lambda _: "") == RestLogin(ca_file="a.pem")
    assert RestLogin().without_missing_secret(lambda _: "") == RestLogin()
