"""The stack `local` of this clone: passphrase, stack file, and the stack in the backend."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from mirrorstack.local.files import atomic_write
from toolchain.command import output_of, run
from toolchain.part import InstalledPart, InstallMethod, Part
from toolchain.shell import passphrase_file, variables

STACK = "local"


@dataclass(frozen=True)
class LocalStack(Part):
    """One per clone, because Pulumi writes the salt of the clone's passphrase into the file."""

    root: Path
    parts: dict[str, InstalledPart]

    name = "Stack local"
    why = "`pulumi up -s local` deploys it to the sandbox"
    fix = (
        "remove .mirrorstack/state and stacks/Pulumi.local.yaml, then run `make setup`; or, if "
        "you have set PULUMI_BACKEND_URL, check it with `pulumi whoami -v`"
    )

    def find(self) -> InstalledPart | None:
        initialised = self._file.exists() and "encryptionsalt" in self._file.read_text()
        if not (initialised and passphrase_file(self._home).exists() and self._exists()):
            return None
        return InstalledPart(self._file, STACK, "from stacks/local.template.yaml")

    def methods(self) -> list[InstallMethod]:
        return [InstallMethod("initialise", self._initialise)]

    def _initialise(self, step: Step) -> None:
        passphrase = passphrase_file(self._home)
        if not passphrase.exists():
            _write(passphrase, secrets.token_urlsafe(32), 0o600)
        if not self._file.exists():
            template = self._file.with_name("local.template.yaml")
            _write(self._file, template.read_text(), 0o644)
        if not self._exists():
            self._pulumi("stack", "init", STACK, "--no-select")
        elif "encryptionsalt" not in self._file.read_text():
            # The stack file was removed; the salt is still in the state, and this writes it back.
            self._pulumi("stack", "change-secrets-provider", "passphrase", "--stack", STACK)

    def _exists(self) -> bool:
        backend = self._env.get("PULUMI_BACKEND_URL", "")
        own = f"file://{self._home}/state"
        if backend.startswith(own):  # reading the files saves the second that the CLI takes
            return any((self._home / "state" / ".pulumi" / "stacks").glob(f"*/{STACK}.json"))
        listed = output_of([self.parts["pulumi"].path, "stack", "ls", "-C", self.root, "--json"])
        return f'"name": "{STACK}"' in listed

    def _pulumi(self, *words: str) -> None:
        pulumi = self.parts["pulumi"].path
        run([pulumi, *words, "--non-interactive", "-C", self.root], env=self._env)

    @property
    def _env(self) -> dict[str, str]:
        return {**os.environ, **variables(self.root, self.parts)}

    @property
    def _home(self) -> Path:
        return self.root / ".mirrorstack"

    @property
    def _file(self) -> Path:
        return self.root / "stacks" / f"Pulumi.{STACK}.yaml"


def _write(path: Path, text: str, mode: int) -> None:
    with atomic_write(path, mode=mode) as temporary:
        temporary.write_text(text)
