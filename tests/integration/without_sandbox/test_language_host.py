"""The Pulumi CLI with the fallback language host: programs and policy packs."""

from __future__ import annotations

import json
import sys

import pytest

from tests.integration.without_sandbox.language_host_project import NOTE_PROGRAM, Project, project
from tests.pulumi_project import THIS_ENVIRONMENT

__all__ = ["project"]  # a fixture


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
