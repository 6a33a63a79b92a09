"""The Pulumi CLI: the user's own, a release from loopback, or a build by programs that pretend."""

from __future__ import annotations

import hashlib
import io
import shutil
import tarfile
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.loopback import Site, nobody_listening
from tests.unit.toolchain.machine import executable
from toolchain import versions
from toolchain.cache import Cache
from toolchain.language_host_part import EXECUTABLE
from toolchain.part import Found, ensure
from toolchain.pulumi import HELPERS, Pulumi, _platform

ARCHIVE = f"/v{versions.PULUMI}/pulumi-v{versions.PULUMI}-{_platform()}.tar.gz"
CHECKSUMS = f"/v{versions.PULUMI}/pulumi-{versions.PULUMI}-checksums.txt"
SAYS_ITS_VERSION = f"echo v{versions.PULUMI}"


@pytest.fixture
def pulumi(cache: Cache, path: Path, tmp_path: Path, console: Console) -> Pulumi:
    """Beside it is a uv that does nothing and says that it did."""
    return Pulumi(cache, executable(tmp_path / "uv", "exit 0"), console)


@pytest.fixture
def releases(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A server with an official release, small enough to be made here."""
    for name in ("pulumi", EXECUTABLE):
        executable(tmp_path / "release" / name, SAYS_ITS_VERSION)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(tmp_path / "release", arcname="pulumi")
    site.files[ARCHIVE] = packed.getvalue()
    publish_checksum(site, site.files[ARCHIVE])
    monkeypatch.setenv("MIRRORSTACK_PULUMI_RELEASES", site.url)
    return site


def publish_checksum(site: Site, content: bytes) -> None:
    lines = (
        f"{'0' * 64}  pulumi-v{versions.PULUMI}-plan9-mips.tar.gz",
        f"{hashlib.sha256(content).hexdigest()}  {Path(ARCHIVE).name}",
    )
    site.files[CHECKSUMS] = "\n".join(lines).encode()


@pytest.fixture
def go(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Go whose every build is a program that says Pulumi's version."""
    built = executable(tmp_path / "built", SAYS_ITS_VERSION)
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
    """The user's own Pulumi: a link on PATH to where its package lies."""
    package = path.parent / "opt" / "pulumi"
    own = executable(package / "pulumi", f"echo {version}")
    if host:
        executable(package / EXECUTABLE, "exit 0")
    (path / "pulumi").symlink_to(own)
    return path / "pulumi"


class TestTheUsersOwn:
    @pytest.mark.parametrize("version", [f"v{versions.PULUMI}", "v3.999.0", "v4.0.0-beta.1"])
    def test_one_that_is_new_enough_is_taken(
        self, pulumi: Pulumi, path: Path, version: str
    ) -> None:
        own = on_path(path, version)
        assert pulumi.have() == Found(own, version.lstrip("v"), "found on PATH")

    def test_one_that_is_too_old_is_not(self, pulumi: Pulumi, path: Path) -> None:
        on_path(path, "v3.258.9")
        assert pulumi.have() is None

    def test_one_without_its_python_host_is_not(self, pulumi: Pulumi, path: Path) -> None:
        on_path(path, "v3.999.0", host=False)
        assert pulumi.have() is None

    def test_one_that_does_not_run_is_not(self, pulumi: Pulumi, path: Path) -> None:
        on_path(path, "v3.999.0; exit 1")
        assert pulumi.have() is None


class TestTheOfficialDownload:
    def test_it_is_unpacked_into_the_cache_and_its_archive_is_gone(
        self, pulumi: Pulumi, releases: Site, console: Console, cache: Cache
    ) -> None:
        found = ensure(pulumi, console)
        assert (found.version, found.source) == (versions.PULUMI, "official download")
        assert cache.root in found.path.parents
        assert (found.path.parent / EXECUTABLE).exists(), "Pulumi looks for its host beside it"
        assert not list(cache.root.rglob("*.tar.gz*"))
        assert pulumi.examine(found) == ""

    def test_the_second_clone_asks_nobody(
        self, pulumi: Pulumi, releases: Site, console: Console
    ) -> None:
        first = ensure(pulumi, console)
        releases.asked.clear()
        assert ensure(pulumi, console) == first
        assert releases.asked == []

    def test_an_interrupted_one_is_resumed(
        self, pulumi: Pulumi, releases: Site, go: Path, console: Console
    ) -> None:
        releases.cuts[ARCHIVE] = [10, 10, 10]
        assert ensure(pulumi, console).source == "built from Go modules"
        for entry in pulumi.to_remove(ensure(pulumi, console)):
            shutil.rmtree(entry)
        assert ensure(pulumi, console).source == "official download"
        assert releases.ranges(ARCHIVE)[-1] == "bytes=30-"


class TestWhereTheDownloadCannotBeHad:
    @pytest.fixture(autouse=True)
    def _go(self, go: Path) -> None:
        """The next way works."""

    def test_a_broken_one_is_said_and_the_next_way_is_taken(
        self, pulumi: Pulumi, releases: Site, console: Console, log: io.StringIO, cache: Cache
    ) -> None:
        publish_checksum(releases, b"something else")
        found = ensure(pulumi, console)
        assert found.source == "built from Go modules"
        assert f"  Pulumi, official download: {releases.url}{ARCHIVE}: broken" in log.getvalue()
        assert not list(cache.root.rglob("*.tar.gz*")), "nothing of it is kept"

    def test_the_build_has_our_host_beside_it(
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
    def test_checksums_that_are_none_are_a_reason(
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
        assert ensure(pulumi, console).source == "built from Go modules"
        assert reason in log.getvalue()

    def test_an_archive_that_is_none_is_a_reason(
        self, pulumi: Pulumi, releases: Site, console: Console, log: io.StringIO
    ) -> None:
        releases.files[ARCHIVE] = b"not an archive"
        publish_checksum(releases, releases.files[ARCHIVE])
        assert ensure(pulumi, console).source == "built from Go modules"
        assert "official download: tar ended with" in log.getvalue()

    def test_nobody_there(
        self,
        pulumi: Pulumi,
        monkeypatch: pytest.MonkeyPatch,
        console: Console,
        log: io.StringIO,
    ) -> None:
        with nobody_listening() as url:
            monkeypatch.setenv("MIRRORSTACK_PULUMI_RELEASES", url)
            assert ensure(pulumi, console).source == "built from Go modules"
        assert "Connection refused" in log.getvalue()


def test_where_nothing_works_one_message_says_what_to_install(
    cache: Cache, path: Path, tmp_path: Path, console: Console, log: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("UV_DEFAULT_INDEX", "not asked")
    uv = executable(tmp_path / "uv", "echo 'error: no route to the index'; exit 2")
    with nobody_listening() as url:
        monkeypatch.setenv("MIRRORSTACK_PULUMI_RELEASES", url)
        with pytest.raises(UserError) as problem:
            ensure(Pulumi(cache, uv, console), console)
    message = str(problem.value)
    assert "Pulumi is built with it where the official download cannot be had" in message
    assert "uv ended with 2: error: no route to the index" in message
    assert "install Pulumi (https://www.pulumi.com/docs/install) or Go 1.25" in message
    assert "Connection refused" in log.getvalue(), "why the first way failed was shown"


class TestLater:
    def test_an_activated_shell_does_not_pin_an_older_cached_one(
        self, pulumi: Pulumi, go: Path, console: Console, cache: Cache, path: Path
    ) -> None:
        old = cache.root / "pulumi-built-3.259.0-old-with-host-old"
        executable(old / "pulumi", SAYS_ITS_VERSION)
        executable(old / EXECUTABLE, "exit 0")
        (path / "pulumi").symlink_to(old / "pulumi")
        assert pulumi.have() is None, "its host is not the one of this clone"

    def test_one_that_broke_is_had_anew_once_what_doctor_names_is_removed(
        self, pulumi: Pulumi, go: Path, releases: Site, console: Console
    ) -> None:
        releases.files.clear()
        found = ensure(pulumi, console)
        executable(found.path, "exit 1")
        assert "version` said 'nothing'" in pulumi.examine(found)
        for entry in pulumi.to_remove(found):
            shutil.rmtree(entry)
        assert pulumi.examine(ensure(pulumi, console)) == ""
