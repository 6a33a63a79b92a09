"""Stored settings, and the changes that `up` refuses."""

from __future__ import annotations

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.settings import (
    SandboxOptions,
    Settings,
    load,
    resolve,
    save,
    with_new_cluster_ids,
)
from tests.unit.sandbox.conftest import settings_of


def resolved(
    layout: Layout,
    stored: Settings | None,
    options: SandboxOptions,
    *,
    has_data: bool = False,
    is_running: bool = False,
    usable: bool = True,
) -> Settings:
    return resolve(
        layout,
        stored,
        options,
        has_data=has_data,
        is_running=is_running,
        usable=lambda _port: usable,
    )


def test_a_new_sandbox_has_one_broker_and_the_default_ports(layout: Layout) -> None:
    settings = resolved(layout, None, SandboxOptions())
    assert (settings.brokers, settings.east.port, settings.west.port) == (1, 19092, 29092)
    assert settings.east.cluster_id != settings.west.cluster_id


def test_stored_settings_are_used_without_options(layout: Layout) -> None:
    stored = settings_of(3, east_port=21000)
    private_directory(layout.directory)
    save(layout, stored)
    assert load(layout) == stored
    assert resolved(layout, stored, SandboxOptions(), has_data=True) == stored


def test_another_number_of_brokers_is_refused_while_there_is_data(layout: Layout) -> None:
    with pytest.raises(UserError) as raised:
        resolved(layout, settings_of(1), SandboxOptions(brokers=3), has_data=True)
    assert "--brokers is 3" in raised.value.message
    assert "`mirrorstack sandbox reset --name trial --brokers 3`" in raised.value.fix


def test_the_stored_number_of_brokers_is_accepted(layout: Layout) -> None:
    stored = settings_of(3)
    assert resolved(layout, stored, SandboxOptions(brokers=3), has_data=True) == stored


def test_the_number_of_brokers_may_change_while_there_is_no_data(layout: Layout) -> None:
    assert resolved(layout, settings_of(1), SandboxOptions(brokers=3)).brokers == 3


def test_the_choice_of_an_authorizer_is_stored(layout: Layout) -> None:
    without = resolved(layout, None, SandboxOptions(authorizer=False))

    assert not without.authorizer
    assert resolved(layout, without, SandboxOptions()) == without
    assert resolved(layout, None, SandboxOptions()).authorizer


def test_running_brokers_keep_their_authorizer(layout: Layout) -> None:
    with pytest.raises(UserError, match="is running with an authorizer") as raised:
        resolved(layout, settings_of(1), SandboxOptions(authorizer=False), is_running=True)

    assert "`mirrorstack sandbox down --name trial`" in raised.value.fix


@pytest.mark.parametrize("brokers", [0, -1, 10])
def test_a_number_of_brokers_out_of_range_is_refused(layout: Layout, brokers: int) -> None:
    with pytest.raises(UserError, match=f"--brokers is {brokers}"):
        resolved(layout, None, SandboxOptions(brokers=brokers))


def test_ports_may_change_while_the_clusters_are_down_and_cluster_ids_do_not(
    layout: Layout,
) -> None:
    stored = settings_of(1)
    moved = resolved(layout, stored, SandboxOptions(east_port=21092), has_data=True)
    assert moved.east.port == 21092
    assert moved.east.cluster_id == stored.east.cluster_id


def test_ports_may_not_change_while_brokers_run(layout: Layout) -> None:
    with pytest.raises(UserError) as raised:
        resolved(
            layout, settings_of(1), SandboxOptions(west_port=21092), has_data=True, is_running=True
        )
    assert "--west-port is 21092" in raised.value.message
    assert "29092" in raised.value.message
    assert "mirrorstack sandbox down" in raised.value.fix


def test_port_zero_picks_free_ports_once(layout: Layout) -> None:
    any_port = SandboxOptions(east_port=0, west_port=0)
    first = resolved(layout, None, any_port)
    assert first.east.port != first.west.port
    assert resolved(layout, first, any_port, has_data=True) == first


def test_port_zero_picks_again_if_the_stored_port_is_used(layout: Layout) -> None:
    stored = settings_of(1)
    again = resolved(layout, stored, SandboxOptions(east_port=0), has_data=True, usable=False)
    assert again.east.port != stored.east.port
    assert again.west == stored.west


def test_picked_ports_avoid_the_stored_ports_of_other_sandboxes(layout: Layout) -> None:
    other = Layout(layout.home, "other")
    private_directory(other.directory)
    save(other, settings_of(1, east_port=20500, west_port=22500))
    other_ports = {20500, 21500, 22500, 23500}
    for _ in range(20):
        picked = resolved(layout, None, SandboxOptions(east_port=0, west_port=0))
        assert other_ports.isdisjoint(use.port for use in picked.port_uses())


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "the whole file"),
        ('{"version": 2}', "version"),
        ('{"brokers": 1, "colour": "red"}', "colour"),
    ],
)
def test_an_invalid_file_is_reported_with_its_path_and_key(
    layout: Layout, content: str, named: str
) -> None:
    private_directory(layout.directory)
    layout.settings.write_text(content)
    with pytest.raises(UserError) as raised:
        load(layout)
    assert str(layout.settings) in raised.value.message
    assert named in str(raised.value.__cause__) or named in raised.value.message
    assert "down --name trial --delete" in raised.value.fix


def test_new_cluster_ids_keep_the_ports() -> None:
    stored = settings_of(1)
    new = with_new_cluster_ids(stored)
    assert new.east.cluster_id not in {stored.east.cluster_id, new.west.cluster_id}
    assert new.port_uses() == stored.port_uses()
