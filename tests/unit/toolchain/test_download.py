"""Downloads from a server that truncates, rejects, ignores ranges or serves another file."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from mirrorstack.console import Step
from tests.loopback import Site, refused_connections
from toolchain import download
from toolchain.part import Unavailable

CONTENT = bytes(range(256)) * 400
SHA256 = hashlib.sha256(CONTENT).hexdigest()
HALF = len(CONTENT) // 2


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "tool.tar.gz"


@pytest.fixture
def part(target: Path) -> Path:
    """The partial file of an unfinished download."""
    return target.with_name("tool.tar.gz.part")


@pytest.fixture(autouse=True)
def published(site: Site) -> None:
    site.files["/tool"] = CONTENT


def fetch(site: Site, target: Path, sha256: str = SHA256) -> Step:
    step = Step("tool")
    download.file(f"{site.url}/tool", target, sha256, step)
    return step


def refusal(site: Site, target: Path, sha256: str = SHA256) -> str:
    with pytest.raises(Unavailable) as unavailable:
        fetch(site, target, sha256)
    assert not target.exists(), "an unchecked file must not have the final name"
    return str(unavailable.value)


def test_a_complete_download_leaves_only_the_target_file(
    site: Site, target: Path, tmp_path: Path
) -> None:
    fetch(site, target)
    assert target.read_bytes() == CONTENT
    assert list(tmp_path.iterdir()) == [target]


def test_an_existing_file_with_the_right_checksum_is_not_downloaded(
    site: Site, target: Path
) -> None:
    target.write_bytes(CONTENT)
    fetch(site, target)
    assert site.asked == []


def test_an_existing_file_with_another_checksum_is_replaced(site: Site, target: Path) -> None:
    target.write_bytes(b"half an archive")
    fetch(site, target)
    assert target.read_bytes() == CONTENT


def test_the_progress_is_shown(site: Site, target: Path) -> None:
    site.files["/tool"] = bytes(3 << 20)
    step = Step("tool")
    download.file(f"{site.url}/tool", target, hashlib.sha256(site.files["/tool"]).hexdigest(), step)
    assert "3 of 3 MB" in step.line()


class TestInterrupted:
    def test_a_truncated_download_resumes_at_its_end(self, site: Site, target: Path) -> None:
        site.cuts["/tool"] = [1000, 2000]
        fetch(site, target)
        assert target.read_bytes() == CONTENT
        assert site.ranges("/tool") == ["", "bytes=1000-", "bytes=3000-"]

    def test_after_three_truncated_responses_it_fails_and_keeps_the_partial_file(
        self, site: Site, target: Path, part: Path
    ) -> None:
        site.cuts["/tool"] = [1000, 1000, 1000]
        assert "more expected" in refusal(site, target)
        assert part.read_bytes() == CONTENT[:3000]

    def test_a_partial_file_of_an_earlier_run_is_resumed(
        self, site: Site, target: Path, part: Path
    ) -> None:
        part.write_bytes(CONTENT[:HALF])
        fetch(site, target)
        assert target.read_bytes() == CONTENT
        assert site.ranges("/tool") == [f"bytes={HALF}-"]

    def test_a_server_that_ignores_ranges_sends_the_whole_file(
        self, site: Site, target: Path, part: Path
    ) -> None:
        site.ignores_ranges = True
        part.write_bytes(CONTENT[:HALF])
        fetch(site, target)
        assert target.read_bytes() == CONTENT

    def test_a_complete_partial_file_is_checked_and_used(
        self, site: Site, target: Path, part: Path
    ) -> None:
        part.write_bytes(CONTENT)
        fetch(site, target)
        assert site.ranges("/tool") == [f"bytes={len(CONTENT)}-"], "answered with 416"
        assert target.read_bytes() == CONTENT

    def test_a_partial_file_that_is_too_long_is_refused_and_removed(
        self, site: Site, target: Path, part: Path
    ) -> None:
        part.write_bytes(CONTENT + b"more")
        assert "broken download" in refusal(site, target)
        assert not part.exists()
        fetch(site, target)


class TestBroken:
    def test_a_wrong_checksum_is_reported_and_the_file_removed(
        self, site: Site, target: Path, part: Path
    ) -> None:
        site.files["/tool"] = b"<html>log in to the hotel's network</html>"
        reason = refusal(site, target)
        found = hashlib.sha256(site.files["/tool"]).hexdigest()
        assert reason == (
            f"{site.url}/tool: broken download: its SHA-256 is {found}, expected {SHA256}"
        )
        assert not part.exists(), "the next attempt must not resume it"

    def test_a_later_download_of_the_right_file_succeeds(self, site: Site, target: Path) -> None:
        site.files["/tool"] = b"broken"
        refusal(site, target)
        site.files["/tool"] = CONTENT
        fetch(site, target)
        assert target.read_bytes() == CONTENT


class TestRefused:
    def test_not_found_is_not_retried(self, site: Site, target: Path) -> None:
        site.files.clear()
        assert refusal(site, target) == f"{site.url}/tool: Not Found"
        assert len(site.asked) == 1, "a retry would not help"

    def test_server_errors_are_retried(self, site: Site, target: Path) -> None:
        site.refusals["/tool"] = [500, 503]
        fetch(site, target)
        assert target.read_bytes() == CONTENT

    def test_retries_are_limited(self, site: Site, target: Path) -> None:
        site.refusals["/tool"] = [500] * 10
        assert "Internal Server Error" in refusal(site, target)
        assert len(site.asked) == download.ATTEMPTS

    def test_a_refused_connection_is_reported(self, target: Path) -> None:
        with refused_connections() as url, pytest.raises(Unavailable, match="refused"):
            download.file(f"{url}/tool", target, SHA256, Step("tool"))


class TestText:
    def test_a_small_file_is_read(self, site: Site) -> None:
        site.files["/sums"] = b"abc  tool\n"
        assert download.text(f"{site.url}/sums") == "abc  tool\n"

    def test_a_missing_or_truncated_file_is_unavailable(self, site: Site) -> None:
        with pytest.raises(Unavailable, match=r"/sums: Not Found"):
            download.text(f"{site.url}/sums")
        site.files["/sums"] = b"abc  tool\n"
        site.cuts["/sums"] = [3]
        with pytest.raises(Unavailable, match="IncompleteRead"):
            download.text(f"{site.url}/sums")
        with refused_connections() as url, pytest.raises(Unavailable, match="refused"):
            download.text(url)

    def test_an_invalid_url_is_unavailable(self) -> None:
        with pytest.raises(Unavailable, match="unknown url type"):
            download.text("releases.example/sums")
