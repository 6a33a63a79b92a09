"""The Pulumi CLI with the fallback language host: programs, policy packs, interruptions."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from mirrorstack.console import Console
from mirrorstack.local.home import ROOT
from tests.pulumi_project import THIS_ENVIRONMENT, PulumiProject
from toolchain import receipt
from toolchain.cache import Cache
from toolchain.fallback.language_host_part import EXECUTABLE, LanguageHost
from toolchain.part import ensure

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


@pytest.fixture(scope="session")
def language_host_bin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CLI of the set-up next to the fallback host, whichever host the CLI came with."""
    parts = receipt.read(ROOT / ".mirrorstack")
    pulumi = parts["pulumi"].path.resolve()
    host = ensure(LanguageHost(Cache.of_user(), parts["uv"].path), Console())
    directory = tmp_path_factory.mktemp("bin")
    for name in ("pulumi", "pulumi-language-python-exec", "pulumi-resource-pulumi-python"):
        shutil.copy2(pulumi.parent / name, directory)
    (directory / EXECUTABLE).symlink_to(host.path)
    return directory


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


def command_line(process: psutil.Process) -> str:
    """Empty if the process has ended since it was listed."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


class TestPrograms:
    def test_up_preview_refresh_and_destroy_work_with_a_dynamic_resource(
        self, project: Project
    ) -> None:
        project.write("__main__.py", NOTE_PROGRAM)
        file = project.directory / "note.txt"
        assert "2 created" in project.up()
        assert file.read_text() == "hello"
        assert "2 unchanged" in project.pulumi("preview", "--expect-no-changes")

        file.write_text("changed outside of Pulumi")
        assert "1 updated" in project.pulumi("refresh", "--yes", "--skip-preview")
        assert "1 updated" in project.up()
        assert file.read_text() == "hello"

        assert "2 deleted" in project.pulumi("destroy", "--yes", "--skip-preview")
        assert not file.exists()
        assert project.processes() == []

    def test_config_is_passed_to_the_program_and_secrets_are_not_printed(
        self, project: Project
    ) -> None:
        project.write(
            "__main__.py",
            """
            import pulumi

            config = pulumi.Config()
            pulumi.export("greeting", config.require("greeting"))
            pulumi.export("password", config.require_secret("password"))
            pulumi.export("length", config.require_secret("password").apply(len))
            pulumi.export("place", f"{pulumi.get_project()}/{pulumi.get_stack()}")
            """,
        )
        project.pulumi("config", "set", "greeting", "hello")
        project.pulumi("config", "set", "--secret", "password", "hunter2")
        output = project.up()
        assert 'greeting: "hello"' in output
        assert "password: [secret]" in output
        assert "length  : [secret]" in output
        assert 'place   : "shop/dev"' in output
        assert "hunter2" not in output
        assert project.pulumi("stack", "output", "password", "--show-secrets").strip() == "hunter2"
        written = [file for file in project.state.rglob("*") if file.is_file()]
        assert written
        assert not any(b"hunter2" in file.read_bytes() for file in written)

    def test_the_output_of_the_program_is_printed(self, project: Project) -> None:
        project.write(
            "__main__.py",
            """
            import sys

            print("printed")
            print("complained", file=sys.stderr)
            sys.stdout.write("printed without a newline")
            """,
        )
        shown = project.pulumi("preview").partition("Diagnostics:")[2]
        assert "printed\n" in shown
        assert "complained\n" in shown
        assert "printed without a newline" in shown

    def test_an_exception_of_the_program_is_printed_once(self, project: Project) -> None:
        project.write("__main__.py", "def shop():\n    raise ValueError('broken')\n\n\nshop()\n")
        output = project.pulumi("preview", fails=True)
        assert output.count("ValueError: broken") == 1
        assert "line 2, in shop" in output
        assert "pulumi-language-python-exec" not in output, "only the program's own frames"

    def test_a_syntax_error_is_printed_with_file_and_line(self, project: Project) -> None:
        project.write("__main__.py", "def (\n")
        output = project.pulumi("preview", fails=True)
        assert output.count("SyntaxError: invalid syntax") == 1
        assert f'File "{project.directory}/__main__.py", line 1' in output

    def test_the_exit_code_of_the_program_is_reported(self, project: Project) -> None:
        project.write("__main__.py", "raise SystemExit(3)\n")
        assert "The program ended with exit code 3." in project.pulumi("preview", fails=True)

    def test_a_program_with_type_errors_is_not_run(self, project: Project) -> None:
        project.describe(typechecker="mypy")
        project.write("__main__.py", "print('was run')\nnumber: int = 'text'\n")
        output = project.pulumi("preview", fails=True)
        assert "Incompatible types in assignment" in output
        assert "mypy found errors in the program." in output
        assert "was run" not in output

    def test_a_program_in_a_subdirectory_runs_there(self, project: Project) -> None:
        (project.directory / "venv").symlink_to(THIS_ENVIRONMENT)
        project.describe(virtualenv="venv", main="src/")
        project.write("src/helper.py", "PLACE = 'next to the program'")
        project.write(
            "src/__main__.py",
            """
            import pathlib, sys
            import helper

            print(helper.PLACE, pathlib.Path.cwd().name, pathlib.Path(sys.prefix).parent.name)
            """,
        )
        assert "next to the program src shop" in project.pulumi("preview")

    def test_a_missing_virtualenv_is_one_error_and_install_creates_it(
        self, project: Project
    ) -> None:
        project.describe(virtualenv="venv")
        project.write("__main__.py", "print('was run')")
        output = project.pulumi("preview", fails=True)
        assert output.count(f"{project.directory}/venv does not exist") == 1
        assert "`virtualenv: venv` in Pulumi.yaml" in output
        assert "run `pulumi install`" in output
        assert "was run" not in output

        project.environ["PULUMI_PYTHON_CMD"] = sys.executable
        assert "-m venv" in project.pulumi("install")
        assert (project.directory / "venv" / "bin" / "python").is_file()

    def test_about_lists_the_python_and_the_packages_of_the_program(self, project: Project) -> None:
        project.write("__main__.py", NOTE_PROGRAM)
        about = json.loads(project.pulumi("about", "--json"))
        assert about["runtime"]["executable"] == f"{THIS_ENVIRONMENT}/bin/python"
        assert about["runtime"]["version"].startswith("3.")
        assert "mirrorstack" in {package["name"] for package in about["dependencies"]}
        assert "python" in {plugin["name"] for plugin in about["plugins"]}

    def test_install_does_not_recreate_an_existing_environment(self, project: Project) -> None:
        project.write("__main__.py", NOTE_PROGRAM)
        assert "-m venv" not in project.pulumi("install", "--no-plugins")


class TestPolicyPacks:
    @pytest.fixture(autouse=True)
    def program(self, project: Project) -> None:
        project.write("__main__.py", NOTE_PROGRAM)

    def test_a_mandatory_policy_stops_the_update(self, project: Project) -> None:
        project.pulumi("config", "set", "text", "rude words")
        output = project.up(project.policy_pack(), fails=True)
        assert "a note is never rude" in output
        assert not (project.directory / "note.txt").exists()

    def test_an_advisory_policy_warns_and_gets_its_config_and_the_stack(
        self, project: Project
    ) -> None:
        project.pulumi("config", "set", "text", "hello")
        project.write("limits.json", '{"short": {"limit": 3}}')
        configured = "--policy-pack-config=limits.json"
        output = project.pulumi("preview", project.policy_pack(), configured)
        assert "dev in shop: hello against 3, dry run true" in output
        assert "printed during the import of the pack" in output
        assert "dev in shop: hello against 10, dry run false" in project.up(project.policy_pack())
        assert project.processes() == []

    def test_a_remediation_changes_the_input(self, project: Project) -> None:
        project.pulumi("config", "set", "text", "hey")
        assert "[remediate]  polite" in project.up(project.policy_pack())
        assert (project.directory / "note.txt").read_text() == "good morning"

    def test_a_pack_without_its_virtualenv_is_one_error(self, project: Project) -> None:
        output = project.pulumi("preview", project.policy_pack(virtualenv="venv"), fails=True)
        assert output.count(f"{project.directory}/rules/venv does not exist") == 1
        assert "`virtualenv: venv` in PulumiPolicy.yaml" in output

    def test_an_exception_of_a_pack_is_printed(self, project: Project) -> None:
        pack = project.policy_pack(source="raise ValueError('broken pack')")
        output = project.pulumi("preview", pack, fails=True)
        assert "The policy pack ended with exit code 1" in output
        assert output.partition("Diagnostics:")[2].count("ValueError: broken pack") == 1


class TestInterruptions:
    @pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
    def test_an_interrupted_update_leaves_no_process(
        self, project: Project, ending: signal.Signals
    ) -> None:
        with self._stuck_update(project) as update:
            assert len(project.processes()) >= 5, "CLI, host, program, pack and dynamic provider"
            update.send_signal(ending)
            assert update.wait(timeout=20) != 0
        assert project.processes() == []

    def test_host_program_and_pack_end_if_the_cli_is_killed(self, project: Project) -> None:
        with self._stuck_update(project) as update:
            update.kill()
        deadline = time.monotonic() + 10
        while (left := self._ours(project)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert left == []

    def _stuck_update(self, project: Project) -> subprocess.Popen[bytes]:
        """An update whose program waits forever, after its resource has been created."""
        project.write(
            "__main__.py",
            """
            import pathlib, time
            from note import Note

            def wait_forever(_):
                pathlib.Path("stuck").touch()
                time.sleep(600)

            Note("note", "hello").id.apply(wait_forever)
            """,
        )
        update = subprocess.Popen(
            [project.pulumi_binary, "up", "--yes", "--skip-preview", project.policy_pack()],
            cwd=project.directory,
            env=project.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while not (project.directory / "stuck").exists():
            assert time.monotonic() < deadline, "the program was not reached"
            time.sleep(0.1)
        return update

    def _ours(self, project: Project) -> list[str]:
        """Without the dynamic provider: it is a child of the CLI, not of the host."""
        lines = [command_line(process) for process in project.processes()]
        providers = ("pulumi.dynamic", "pulumi-resource-pulumi-python")
        return [line for line in lines if line and not any(p in line for p in providers)]
