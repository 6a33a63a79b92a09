"""The Pulumi CLI: on PATH, downloaded from a local server, or built by a fake Go."""

from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.loopback import Site, refused_connections
from tests.unit.toolchain.machine import executable
from toolchain import versions
from toolchain.cache import Cache
from toolchain.fallback.language_host_part import EXECUTABLE
from toolchain.part import InstalledPart, ensure
from toolchain.pulumi import HELPERS, Pulumi

ARCHIVE = f"/v{versions.PULUMI}/pulumi-v{versions.PULUMI}-linux-x64.tar.gz"
CHECKSUMS = f"/v{versions.PULUMI}/pulumi-{versions.PULUMI}-checksums.txt"
PRINTS_ITS_VERSION = f"echo v{versions.PULUMI}"


@pytest.fixture(autouse=True)
def linux_on_x86(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests are the same on every machine."""
    run_on(monkeypatch, "Linux", "x86_64")


def run_on(monkeypatch: pytest.MonkeyPatch, system: str, machine: str) -> None:
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr("platform.machine", lambda: machine)


@pytest.fixture
def pulumi(cache: Cache, path: Path, tmp_path: Path, console: Console) -> Pulumi:
    """With a uv that does nothing and succeeds."""
    return Pulumi(cache, executable(tmp_path / "uv", "exit 0"), console)


@pytest.fixture
def releases(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A server with a small official release."""
    for name in ("pulumi", EXECUTABLE):
        executable(tmp_path / "release" / name, PRINTS_ITS_VERSION)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(tmp_path / "release", arcname="pulumi")
    site.files[ARCHIVE] = packed.getvalue()
    publish_checksum(site, site.files[ARCHIVE])
    monkeypatch.setenv("MIRRORSTACK_PULUMI_RELEASES", site.url)
    return site


def publish_checksum(site: Site, content: bytes, archive: str = ARCHIVE) -> None:
    lines = (
        f"{'0' * 64}  pulumi-v{versions.PULUMI}-plan9-mips.tar.gz",
        f"{hashlib.sha256(content).hexdigest()}  {Path(archive).name}",
    )
    site.files[CHECKSUMS] = "\n".join(lines).encode()


@pytest.fixture
def go(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Go that builds a program which prints Pulumi's version."""
    built = executable(tmp_path / "built", PRINTS_ITS_VERSION)
    for helper in HELPERS:
        executable(tmp_path / "sdk" / helper, "exit 0")
    monkeypatch.setenv("UV_DEFAULT_INDEX", "not asked")
    return executable(
        path / "go",
        f"""
        case "$1" in
            version) echo "go version go1.26.0 linux/amd64" ;;
            build) while [ "$1" != -o ]; do shift; done; /bin/cp {built} "$2" ;;
            -C) echo {tmp_path / "sdk"} ;;
        esac""",
    )


def on_path(path: Path, version: str, host: bool = True) -> Path:
    """A user's Pulumi: a link on PATH to the directory of its package."""
    package = path.parent / "opt" / "pulumi"
    own = executable(package / "pulumi", f"echo {version}")
    if host:
        executable(package / EXECUTABLE, "exit 0")
    (path / "pulumi").symlink_to(own)
    return path / "pulumi"


class TestOnPath:
    @pytest.mark.parametrize("version", [f"v{versions.PULUMI}", "v3.999.0", "v4.0.0-beta.1"])
    def test_a_version_that_is_new_enough_is_used(
        self, pulumi: Pulumi, path: Path, version: str
    ) -> None:
        own = on_path(path, version)
        assert pulumi.find() == InstalledPart(own, version.lstrip("v"), "found on PATH")

    def test_an_older_version_is_not_used(self, pulumi: Pulumi, path: Path) -> None:
        on_path(path, "v3.258.9")
        assert pulumi.find() is None

    def test_a_cli_without_its_python_language_host_is_not_used(
        self, pulumi: Pulumi, path: Path
    ) -> None:
        on_path(path, "v3.999.0", host=False)
        assert pulumi.find() is None

    def test_a_cli_that_fails_is_not_used(self, pulumi: Pulumi, path: Path) -> None:
        on_path(path, "v3.999.0; exit 1")
        assert pulumi.find() is None


class TestOfficialDownload:
    @pytest.mark.parametrize(
        ("system", "machine", "name"),
        [
            ("Linux", "x86_64", "linux-x64"),
            ("Linux", "aarch64", "linux-arm64"),
            ("Darwin", "arm64", "darwin-arm64"),
        ],
    )
    def test_the_archive_of_this_platform_is_downloaded(
        self,
        pulumi: Pulumi,
        releases: Site,
        go: Path,
        console: Console,
        monkeypatch: pytest.MonkeyPatch,
        system: str,
        machine: str,
        name: str,
    ) -> None:
        archive = ARCHIVE.replace("linux-x64", name)
        content = releases.files[ARCHIVE]
        releases.files[archive] = content
        publish_checksum(releases, content, archive)
        run_on(monkeypatch, system, machine)
        assert ensure(pulumi, console).origin == "official download"
        assert releases.ranges(archive) == [""]

    def test_the_archive_is_unpacked_into_the_cache_and_removed(
        self, pulumi: Pulumi, releases: Site, console: Console, cache: Cache
    ) -> None:
        found = ensure(pulumi, console)
        assert (found.version, found.origin) == (versions.PULUMI, "official download")
        assert cache.root in found.path.parents
        assert (found.path.parent / EXECUTABLE).exists(), (
            "the CLI looks for its language host in its directory"
        )
        assert not list(cache.root.rglob("*.tar.gz*"))
        assert pulumi.check(found) == ""

    def test_a_second_clone_downloads_nothing(
        self, pulumi: Pulumi, releases: Site, console: Console
    ) -> None:
        first = ensure(pulumi, console)
        releases.asked.clear()
        assert ensure(pulumi, console) == first
        assert releases.asked == []

    def test_an_interrupted_download_resumes(
        self, pulumi: Pulumi, releases: Site, go: Path, console: Console
    ) -> None:
        releases.cuts[ARCHIVE] = [10, 10, 10]
        assert ensure(pulumi, console).origin == "built from Go modules"
        for entry in pulumi.paths_to_remove(ensure(pulumi, console)):
            shutil.rmtree(entry)
        assert ensure(pulumi, console).origin == "official download"
        assert releases.ranges(ARCHIVE)[-1] == "bytes=30-"


class TestDownloadNotAvailable:
    @pytest.fixture(autouse=True)
    def _go(self, go: Path) -> None:
        """The next method works."""

    def test_a_broken_download_is_reported_and_the_next_method_used(
        self, pulumi: Pulumi, releases: Site, console: Console, log: io.StringIO, cache: Cache
    ) -> None:
        publish_checksum(releases, b"something else")
        found = ensure(pulumi, console)
        assert found.origin == "built from Go modules"
        assert f"  Pulumi, official download: {releases.url}{ARCHIVE}: broken" in log.getvalue()
        assert not list(cache.root.rglob("*.tar.gz*")), "the broken file is removed"

    def test_the_build_contains_the_fallback_language_host(
        self, pulumi: Pulumi, releases: Site, console: Console
    ) -> None:
        releases.files.clear()
        found = ensure(pulumi, console)
        host = found.path.resolve().parent / EXECUTABLE
        assert "language-host-" in str(host.resolve())
        assert {Path(helper).name for helper in HELPERS} <= {
            file.name for file in found.path.parent.iterdir()
        }

    @pytest.mark.parametrize(
        ("sums", "reason"),
        [
            (b"<html><body>Log in to the hotel's network first</body></html>", "no checksum for"),
            (b"", "no checksum for"),
            (None, "Not Found"),
        ],
        ids=["a-login-page", "nothing", "404"],
    )
    def test_an_invalid_checksum_file_is_a_reason(
        self,
        pulumi: Pulumi,
        releases: Site,
        console: Console,
        log: io.StringIO,
        sums: bytes | None,
        reason: str,
    ) -> None:
        del releases.files[CHECKSUMS]
        if sums is not None:
            releases.files[CHECKSUMS] = sums
        assert ensure(pulumi, console).origin == "built from Go modules"
        assert reason in log.getvalue()

    def test_an_invalid_archive_is_a_reason(
        self, pulumi: Pulumi, releases: Site, console: Console, log: io.StringIO
    ) -> None:
        releases.files[ARCHIVE] = b"not an archive"
        publish_checksum(releases, releases.files[ARCHIVE])
        assert ensure(pulumi, console).origin == "built from Go modules"
        assert "official download: tar exited with" in log.getvalue()

    def test_a_refused_connection_is_a_reason(
        self,
        pulumi: Pulumi,
        monkeypatch: pytest.MonkeyPatch,
        console: Console,
        log: io.StringIO,
    ) -> None:
        with refused_connections() as url:
            monkeypatch.setenv("MIRRORSTACK_PULUMI_RELEASES", url)
            assert ensure(pulumi, console).origin == "built from Go modules"
        assert "Connection refused" in log.getvalue()


def test_if_every_method_fails_one_error_has_the_reasons_and_the_fix(
    cache: Cache, path: Path, tmp_path: Path, console: Console, log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("UV_DEFAULT_INDEX", "not asked")
    uv = executable(tmp_path / "uv", "echo 'error: no route to the index'; exit 2")
    with refused_connections() as url:
        monkeypatch.setenv("MIRRORSTACK_PULUMI_RELEASES", url)
        with pytest.raises(UserError) as problem:
            ensure(Pulumi(cache, uv, console), console)
    message = str(problem.value)
    assert "it builds Pulumi where the official download is not available" in message
    assert "uv exited with 2: error: no route to the index" in message
    assert "install Pulumi (https://www.pulumi.com/docs/install) or Go 1.25" in message
    assert "Connection refused" in log.getvalue(), "the reason of the first method was printed"


class TestCachedBuild:
    def test_an_activated_shell_does_not_keep_an_older_cached_build(
        self, pulumi: Pulumi, go: Path, console: Console, cache: Cache, path: Path
    ) -> None:
        old = cache.root / "pulumi-built-3.259.0-old-with-host-old"
        executable(old / "pulumi", PRINTS_ITS_VERSION)
        executable(old / EXECUTABLE, "exit 0")
        (path / "pulumi").symlink_to(old / "pulumi")
        assert pulumi.find() is None, "its language host is not the one of this clone"

    def test_a_broken_build_is_replaced_after_the_paths_of_doctor_are_removed(
        self, pulumi: Pulumi, go: Path, releases: Site, console: Console
    ) -> None:
        releases.files.clear()
        found = ensure(pulumi, console)
        executable(found.path, "exit 1")
        assert f"version` prints '' instead of {versions.PULUMI}" in pulumi.check(found)
        for entry in pulumi.paths_to_remove(found):
            shutil.rmtree(entry)
        assert pulumi.check(ensure(pulumi, console)) == ""
