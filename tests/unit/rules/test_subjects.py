"""Subjects read a config only when a rule needs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.subjects import NamedConnector, kind_of


class Unknown(Mapping[str, str]):
    def __getitem__(self, key: str) -> str:
        raise LookupError("not known yet")

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("java_class", "kind"),
    [
        (ConnectorKind.SOURCE.java_class, ConnectorKind.SOURCE),
        ("MirrorHeartbeatConnector", ConnectorKind.HEARTBEAT),
        ("io.example.Sink", None),
        ("", None),
    ],
)
def test_the_kind_follows_from_the_class(java_class: str, kind: ConnectorKind | None) -> None:
    assert kind_of({"connector.class": java_class}) is kind


def test_an_unknown_config_can_be_held_and_not_read() -> None:
    connector = NamedConnector("c", Unknown())

    with pytest.raises(LookupError):
        _ = connector.config["connector.class"]
