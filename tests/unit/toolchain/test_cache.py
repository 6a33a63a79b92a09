"""The per-user cache: complete entries or none, with real processes and signals."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import PATIENCE_SECONDS, ROOT, UNPRIVILEGED, until
from toolchain.cache import Cache, clear

# Prints a line for each step, and continues after a line on standard input.
FILL = """
    import sys
    from pathlib import Path
    from toolchain.cache import Cache

    cache = Cache(Path(sys.argv[1]))
    entry = cache.entry("tool", "1.0")
    print("started", flush=True)
    with cache.fill(entry) as directory:
        if directory is not None:
            (directory / "one").write_text("1")
            print("half", flush=True)
            sys.stdin.readline()
            (directory / "two").write_text("2")
    print("filled" if directory else "found", *sorted(file.name for file in entry.iterdir()))
"""

RUN_A_TOOL = """
    import sys
    from pathlib import Path
    from toolchain.cache import Cache
    from toolchain.command import run

    def echo(line):
        print(line, flush=True)

    with Cache(Path(sys.argv[1])).lock("tool"):
        run(["sh", "-c", f"echo started; read line < {sys.argv[2]}"], on_line=echo)
"""


class CacheProcess:
    """Another process that works on the cache."""

    def __init__(self, program: str, *arguments: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", dedent(program), *map(str, arguments)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def read_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def finish(self) -> str:
        """Let it run to its end; returns its last output."""
        return self.process.communicate("\n", timeout=PATIENCE_SECONDS)[0].strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE_SECONDS)


class TestKey:
    def test_it_contains_name_and_version(self, cache: Cache) -> None:
        assert cache.entry("uv", "0.13.7").name.startswith("uv-0.13.7-")

    def test_another_version_is_another_entry(self, cache: Cache) -> None:
        assert (
            cache.entry("uv", "1").name.rpartition("-")[2]
            != (cache.entry("uv", "2").name.rpartition("-")[2])
        )

    def test_it_changes_with_the_content_of_an_input(self, cache: Cache, tmp_path: Path) -> None:
        lock = tmp_path / "lock"
        lock.write_text("a")
        before = cache.entry("jars", "4.0", lock)
        assert cache.entry("jars", "4.0", lock) == before
        lock.write_text("b")
        assert cache.entry("jars", "4.0", lock) != before

    def test_of_a_directory_only_python_files_count(self, cache: Cache, tmp_path: Path) -> None:
        source = tmp_path / "host"
        (source / "__pycache__").mkdir(parents=True)
        (source / "main.py").write_text("1")
        before = cache.entry("host", "1", source)
        (source / "__pycache__" / "main.pyc").write_text("compiled")
        assert cache.entry("host", "1", source) == before
        (source / "main.py").write_text("2")
        assert cache.entry("host", "1", source) != before


class TestLocation:
    def test_mirrorstack_cache_takes_precedence(self) -> None:
        chosen = {"MIRRORSTACK_CACHE": "/a", "XDG_CACHE_HOME": "/b"}
        assert Cache.of_user(chosen).root == Path("/a")

    def test_a_relative_path_is_made_absolute(self) -> None:
        assert Cache.of_user({"MIRRORSTACK_CACHE": "here"}).root == Path.cwd() / "here"

    def test_xdg_cache_home_takes_precedence_over_the_home_directory(self) -> None:
        assert Cache.of_user({"XDG_CACHE_HOME": "/b"}).root == Path("/b/mirrorstack")
        assert Cache.of_user({}).root == Path.home() / ".cache" / "mirrorstack"


class TestFilling:
    def test_an_entry_appears_when_it_is_complete(self, cache: Cache) -> None:
        entry = cache.entry("tool", "1.0")
        with cache.fill(entry) as directory:
            assert directory is not None
            (directory / "file").write_text("x")
            assert not entry.exists()
        assert (entry / "file").read_text() == "x"
        assert not directory.exists()

    def test_an_existing_entry_is_not_filled_again(self, cache: Cache) -> None:
        entry = cache.entry("tool", "1.0")
        entry.mkdir(parents=True)
        with cache.fill(entry) as directory:
            assert directory is None

    def test_a_failed_fill_leaves_no_entry_and_is_resumed(self, cache: Cache) -> None:
        entry = cache.entry("tool", "1.0")

        def fail(directory: Path | None) -> None:
            assert directory is not None
            (directory / "file.part").write_text("half")
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError), cache.fill(entry) as directory:
            fail(directory)
        assert not entry.exists()
        with cache.fill(entry) as directory:
            assert directory is not None
            assert (directory / "file.part").read_text() == "half"

    def test_clear_removes_files_directories_and_links(self, tmp_path: Path) -> None:
        kept = tmp_path / "kept"
        kept.mkdir()
        full = tmp_path / "full"
        (full / "deep" / "er").mkdir(parents=True)
        (full / "file").touch()
        (full / "link").symlink_to(kept)
        clear(full)
        assert list(full.iterdir()) == []
        assert kept.exists(), "a link is removed, not what it points to"


class TestConcurrentProcesses:
    def test_one_process_fills_the_entry_and_both_use_it(self, cache: Cache) -> None:
        first = CacheProcess(FILL, cache.root)
        assert [first.read_line(), first.read_line()] == ["started", "half"]
        second = CacheProcess(FILL, cache.root)
        assert second.read_line() == "started"
        assert not cache.entry("tool", "1.0").exists()
        assert first.finish() == "filled one two"
        assert second.finish() == "found one two"

    def test_a_killed_process_leaves_no_entry_and_no_lock(self, cache: Cache) -> None:
        first = CacheProcess(FILL, cache.root)
        assert [first.read_line(), first.read_line()] == ["started", "half"]
        second = CacheProcess(FILL, cache.root)
        assert second.read_line() == "started"
        first.kill()
        assert second.read_line() == "half", "the kernel released the lock of the killed process"
        assert second.finish() == "filled one two"

    def test_a_tool_that_outlives_its_killed_set_up_holds_the_lock(
        self, cache: Cache, tmp_path: Path
    ) -> None:
        os.mkfifo(tmp_path / "fifo")
        set_up = CacheProcess(RUN_A_TOOL, cache.root, tmp_path / "fifo")
        assert set_up.read_line() == "started"
        set_up.process.kill()
        set_up.process.wait(PATIENCE_SECONDS)
        assert not is_free(cache, "tool"), "the tool may still write"
        (tmp_path / "fifo").write_text("end\n")
        until(lambda: is_free(cache, "tool"))
        set_up.process.communicate()


def is_free(cache: Cache, name: str) -> bool:
    with (cache.root / "locks" / f"{name}.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


class TestUnwritableCache:
    @pytest.mark.parametrize("existing", [True, False], ids=["cache", "parent"])
    def test_a_read_only_directory_is_an_error(self, tmp_path: Path, existing: bool) -> None:
        above = tmp_path / "above"
        root = above / "cache"
        root.mkdir(parents=True)
        if not existing:
            root.rmdir()
        (root if existing else above).chmod(0o555)
        program = (
            "import sys; from pathlib import Path; from toolchain.cache import Cache;"
            "from mirrorstack.findings import UserError\n"
            "try:\n  Cache(Path(sys.argv[1])).lock('tool').__enter__()\n"
            "except UserError as problem: print(problem)"
        )
        ended = subprocess.run(
            [*UNPRIVILEGED, sys.executable, "-c", program, root],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ended.stdout == (
            f"the cache {root} cannot be written: Permission denied; "
            "it keeps downloads and builds\n"
            f"fix: make {root} writable, or use another directory: "
            "export MIRRORSTACK_CACHE=DIR\n"
        )

    def test_a_file_in_its_place_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for root in (tmp_path / "file", tmp_path / "file" / "below"):
            with pytest.raises(UserError, match=f"the cache {root} cannot be written") as problem:
                Cache(root).directory("locks")
            assert "MIRRORSTACK_CACHE" in problem.value.fix

    @pytest.mark.parametrize(
        ("number", "fix"),
        [(errno.ENOSPC, "free some space"), (errno.EROFS, "make {root} writable")],
    )
    def test_a_write_error_while_filling_is_an_error_with_a_fix(
        self, cache: Cache, number: int, fix: str
    ) -> None:
        with (
            pytest.raises(UserError, match=os.strerror(number)) as problem,
            cache.fill(cache.entry("tool", "1.0")),
        ):
            raise OSError(number, os.strerror(number))
        assert problem.value.fix.startswith(fix.format(root=cache.root))

    def test_other_errors_while_filling_are_not_attributed_to_the_cache(self, cache: Cache) -> None:
        with pytest.raises(FileNotFoundError), cache.fill(cache.entry("tool", "1.0")):
            Path("/nowhere/at/all").read_text()
