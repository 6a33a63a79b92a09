"""A Pulumi project that the fallback language host runs, with a policy pack, and its fixture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.pulumi_project import THIS_ENVIRONMENT, PulumiProject

NOTE_MODULE = """
    from pathlib import Path

    import pulumi
    from pulumi.dynamic import (
        CreateResult, DiffResult, ReadResult, Resource, ResourceProvider, UpdateResult,
    )


    class NoteProvider(ResourceProvider):
        # A text file, so that a test can change it outside of Pulumi.
        serialize_as_secret_always = False

        def create(self, props):
            Path(props["path"]).write_text(props["text"])
            return CreateResult(props["path"], outs=props)

        def diff(self, id_, old_outs, new_inputs):
            return DiffResult(changes=old_outs["text"] != new_inputs["text"])

        def update(self, id_, old_outs, new_inputs):
            Path(id_).write_text(new_inputs["text"])
            return UpdateResult(outs=new_inputs)

        def read(self, id_, props):
            seen = {**props, "text": Path(id_).read_text()}
            return ReadResult(id_, outs=seen, inputs=seen)

        def delete(self, id_, props):
            Path(id_).unlink()


    class Note(Resource, module="test", name="Note"):
        text: pulumi.Output[str]

        def __init__(self, name, text):
            path = str(Path.cwd() / f"{name}.txt")
            super().__init__(NoteProvider(), name, {"path": path, "text": text})
"""

NOTE_PROGRAM = """
    import pulumi
    from note import Note

    note = Note("note", pulumi.Config().get("text", "hello"))
    pulumi.export("text", note.text)
"""

POLICIES = """
    import os

    import pulumi
    from pulumi_policy import (
        EnforcementLevel, PolicyConfigSchema, PolicyPack, ResourceValidationPolicy,
    )

    NOTE = "pulumi-python:dynamic/test:Note"


    def not_rude(args, report):
        if args.resource_type == NOTE and "rude" in args.props["text"]:
            report("a note is never rude")


    def short(args, report):
        if args.resource_type == NOTE:
            stack, text = pulumi.get_stack(), pulumi.Config("shop").get("text")
            limit = int(args.get_config()["limit"])
            report(f"{stack} in {pulumi.get_project()}: {text} against {limit},"
                   f" dry run {os.environ['PULUMI_DRY_RUN']}")


    def polite(args):
        if args.resource_type == NOTE and args.props["text"] == "hey":
            return {**args.props, "text": "good morning"}


    print("printed during the import of the pack")
    limit = PolicyConfigSchema(properties={"limit": {"type": "integer", "default": 10}})
    PolicyPack("rules", [
        ResourceValidationPolicy("not-rude", "d", not_rude, EnforcementLevel.MANDATORY),
        ResourceValidationPolicy("short", "d", short, EnforcementLevel.ADVISORY, limit),
        ResourceValidationPolicy(
            "polite", "d", remediate=polite, enforcement_level=EnforcementLevel.REMEDIATE),
    ])
"""


class Project(PulumiProject):
    """A project called shop, with a dynamic resource to manage."""

    def __init__(self, directory: Path, language_host_bin: Path) -> None:
        self.home = directory / "home"
        super().__init__(
            directory, name="shop", pulumi=language_host_bin / "pulumi", pulumi_home=self.home
        )
        self.write("note.py", NOTE_MODULE)

    def policy_pack(self, virtualenv: str = THIS_ENVIRONMENT, source: str = POLICIES) -> str:
        runtime = {"name": "python", "options": {"virtualenv": virtualenv}}
        self.write("rules/PulumiPolicy.yaml", json.dumps({"runtime": runtime}))
        self.write("rules/__main__.py", source)
        return f"--policy-pack={self.directory / 'rules'}"

    def processes(self) -> list[psutil.Process]:
        """All processes that inherited this project's Pulumi home, including orphans of the CLI."""
        return [process for process in psutil.process_iter() if self._owns(process)]

    def _owns(self, process: psutil.Process) -> bool:
        try:
            return bool(process.environ().get("PULUMI_HOME") == str(self.home))
        except psutil.Error:
            return False


@pytest.fixture
def project(tmp_path: Path, language_host_bin: Path) -> Iterator[Project]:
    project = Project(tmp_path, language_host_bin)
    yield project
    for process in project.processes():
        with suppress(psutil.NoSuchProcess):
            process.kill()
