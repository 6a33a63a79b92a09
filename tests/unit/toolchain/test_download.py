"""Downloads against a server that cuts, refuses, forgets ranges or serves something else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from mirrorstack.console import Step
from tests.loopback import Site, nobody_listening
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
    """What is there of the file before it is whole."""
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
    assert not target.exists(), "nothing may lie under the final name that was not checked"
    return str(unavailable.value)


def test_a_whole_file_arrives_under_its_final_name_alone(
    site: Site, target: Path, tmp_path: Path
) -> None:
    fetch(site, target)
    assert target.read_bytes() == CONTENT
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_is_there_and_fits_is_not_fetched_again(site: Site, target: Path) -> None:
    target.write_bytes(CONTENT)
    fetch(site, target)
    assert site.asked == []


def test_a_file_that_is_there_and_does_not_fit_is_replaced(site: Site, target: Path) -> None:
    target.write_bytes(b"half an archive")
    fetch(site, target)
    assert target.read_bytes() == CONTENT


def test_how_far_it_is_can_be_seen(site: Site, target: Path) -> None:
    site.files["/tool"] = bytes(3 << 20)
    step = Step("tool")
    download.file(f"{site.url}/tool", target, hashlib.sha256(site.files["/tool"]).hexdigest(), step)
    assert "3 of 3 MB" in step.line()


class TestInterrupted:
    def test_a_cut_connection_is_resumed_where_it_was_cut(self, site: Site, target: Path) -> None:
        site.cuts["/tool"] = [1000, 2000]
        fetch(site, target)
        assert target.read_bytes() == CONTENT
        assert site.ranges("/tool") == ["", "bytes=1000-", "bytes=3000-"]

    def test_after_three_cuts_it_gives_up_and_keeps_what_it_has(
        self, site: Site, target: Path, part: Path
    ) -> None:
        site.cuts["/tool"] = [1000, 1000, 1000]
        assert "more expected" in refusal(site, target)
        assert part.read_bytes() == CONTENT[:3000]

    def test_the_next_set_up_resumes_it(self, site: Site, target: Path, part: Path) -> None:
        part.write_bytes(CONTENT[:HALF])
        fetch(site, target)
        assert target.read_bytes() == CONTENT
        assert site.ranges("/tool") == [f"bytes={HALF}-"]

    def test_a_server_that_ignores_ranges_sends_all_of_it_again(
        self, site: Site, target: Path, part: Path
    ) -> None:
        site.ignores_ranges = True
        part.write_bytes(CONTENT[:HALF])
        fetch(site, target)
        assert target.read_bytes() == CONTENT

    def test_one_that_was_whole_but_not_checked_is_checked(
        self, site: Site, target: Path, part: Path
    ) -> None:
        part.write_bytes(CONTENT)
        fetch(site, target)
        assert site.ranges("/tool") == [f"bytes={len(CONTENT)}-"], "answered with 416"
        assert target.read_bytes() == CONTENT

    def test_one_that_is_longer_than_the_file_is_refused_and_removed(
        self, site: Site, target: Path, part: Path
    ) -> None:
        part.write_bytes(CONTENT + b"more")
        assert "broken download" in refusal(site, target)
        assert not part.exists()
        fetch(site, target)


class TestBroken:
    def test_a_wrong_checksum_is_refused_named_and_removed(
        self, site: Site, target: Path, part: Path
    ) -> None:
        site.files["/tool"] = b"<html>log in to the hotel's network</html>"
        said = refusal(site, target)
        found = hashlib.sha256(site.files["/tool"]).hexdigest()
        assert said == (
            f"{site.url}/tool: broken download: its SHA-256 is {found}, expected {SHA256}"
        )
        assert not part.exists(), "the next try must not resume it"

    def test_the_healed_server_is_believed_again(self, site: Site, target: Path) -> None:
        site.files["/tool"] = b"broken"
        refusal(site, target)
        site.files["/tool"] = CONTENT
        fetch(site, target)
        assert target.read_bytes() == CONTENT


class TestRefused:
    def test_not_found_is_final(self, site: Site, target: Path) -> None:
        site.files.clear()
        assert refusal(site, target) == f"{site.url}/tool: Not Found"
        assert len(site.asked) == 1, "asking again would not help"

    def test_a_server_in_trouble_is_asked_again(self, site: Site, target: Path) -> None:
        site.refusals["/tool"] = [500, 503]
        fetch(site, target)
        assert target.read_bytes() == CONTENT

    def test_a_server_in_trouble_is_not_asked_forever(self, site: Site, target: Path) -> None:
        site.refusals["/tool"] = [500] * 10
        assert "Internal Server Error" in refusal(site, target)
        assert len(site.asked) == download.ATTEMPTS

    def test_nobody_there(self, target: Path) -> None:
        with nobody_listening() as url, pytest.raises(Unavailable, match="refused"):
            download.file(f"{url}/tool", target, SHA256, Step("tool"))


class TestText:
    def test_a_small_file_is_read(self, site: Site) -> None:
        site.files["/sums"] = b"abc  tool\n"
        assert download.text(f"{site.url}/sums") == "abc  tool\n"

    def test_what_does_not_arrive_is_unavailable(self, site: Site) -> None:
        with pytest.raises(Unavailable, match=r"/sums: Not Found"):
            download.text(f"{site.url}/sums")
        site.files["/sums"] = b"abc  tool\n"
        site.cuts["/sums"] = [3]
        with pytest.raises(Unavailable, match="IncompleteRead"):
            download.text(f"{site.url}/sums")
        with nobody_listening() as url, pytest.raises(Unavailable, match="refused"):
            download.text(url)

    def test_an_address_that_is_none_is_unavailable(self) -> None:
        with pytest.raises(Unavailable, match="unknown url type"):
            download.text("releases.example/sums")
