"""The page about policies and the schema of the pack's config are generated from the rules."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from mirrorstack.local.home import ROOT
from policies.pack import LOCKED, RULES
from policies.reference import config_schema, policies_page
from tests.policies.conftest import PACK, preview
from tests.policies.harness import connector
from tests.pulumi_project import PulumiProject


def test_the_committed_page_is_current_and_lists_every_rule() -> None:
    page = policies_page()

    assert (ROOT / "docs" / "policies.md").read_text().rstrip() == page.rstrip(), "type `make docs`"
    assert all(f"`{rule.id}`" in page and rule.reason in page for rule in RULES)


def test_the_committed_schema_is_current() -> None:
    committed = json.loads((PACK / "config.schema.json").read_text())

    assert committed == config_schema(), "type `make docs`"


@pytest.mark.parametrize(
    "config",
    [
        {"all": "advisory"},
        {"byte-array-converters": "remediate"},
        {"no-acl-sync": {"enforcementLevel": "disabled"}},
    ],
)
def test_a_level_is_a_string_or_an_object(config: object) -> None:
    jsonschema.validate(config, config_schema())


@pytest.mark.parametrize(
    "config",
    [
        *({rule: "mandatory"} for rule in sorted(LOCKED)),
        {"no-acl-sync": "remediate"},
        {"no-acl-snyc": "advisory"},
        {"no-acl-sync": "off"},
    ],
)
def test_the_schema_refuses_locked_rules_mistyped_rules_and_unknown_levels(config: object) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(config, config_schema())


def test_through_the_engine_a_level_can_be_lowered(project: PulumiProject, tmp_path: Path) -> None:
    levels = tmp_path / "levels.json"
    levels.write_text('{"no-acl-sync": "advisory", "emit-heartbeats": "disabled"}')
    wrong = [connector(sync_topic_acls_enabled="true")]

    said = preview(project, wrong, options=[f"--policy-pack-config={levels}"], fails=False)

    assert "[advisory] [severity: high]  no-acl-sync" in said
    assert "emit-heartbeats" not in said
