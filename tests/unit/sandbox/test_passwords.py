"""The passwords of a sandbox."""

from __future__ import annotations

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory
from mirrorstack.sandbox import passwords
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import Cluster, Principal


def test_passwords_differ_by_cluster_and_principal_and_are_stored(layout: Layout) -> None:
    private_directory(layout.directory)
    made = passwords.ensure(layout, has_data=False)
    all_of_them = {made.of(cluster, principal) for cluster in Cluster for principal in Principal}
    assert len(all_of_them) == 8
    assert passwords.ensure(layout, has_data=True) == made
    assert not any(password in repr(made) for password in all_of_them)


def test_missing_passwords_are_not_replaced_while_data_depends_on_them(layout: Layout) -> None:
    private_directory(layout.directory)
    with pytest.raises(UserError) as raised:
        passwords.ensure(layout, has_data=True)
    assert str(layout.passwords) in raised.value.message
    assert "reset" in raised.value.fix


def test_an_invalid_password_file_is_reported_without_its_content(layout: Layout) -> None:
    private_directory(layout.directory)
    layout.passwords.write_text('{"passwords": {"east": {"admin": "hunter2"}}}')
    with pytest.raises(UserError) as raised:
        passwords.load(layout)
    assert str(layout.passwords) in raised.value.message
    assert "hunter2" not in str(raised.value)
