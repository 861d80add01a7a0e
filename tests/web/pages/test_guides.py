"""The guides as pages: each file is listed, and every link on them leads somewhere."""

import re
from pathlib import Path

import pytest

from answers import CheckedClient
from gyoji.published_files import guides_folder
from gyoji.web.pages import guides
from gyoji.web.pages.guides import SHELVES, heading_id

GUIDES = [name for names in SHELVES.values() for name in names]


def test_every_file_is_a_guide_of_one_shelf() -> None:
    assert sorted(GUIDES) == sorted(path.stem for path in guides_folder().glob("*.md"))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_list_names_each_with_its_first_sentence(client: CheckedClient, language: str) -> None:
    html = client.get("/docs/guides", query_string={"lang": language}).text
    for name in GUIDES:
        assert f'href="/docs/guides/{name}?lang={language}"' in html
    assert "<span>openapi.yaml has every shape; this page says how they work together.</span>" in html


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_a_page_whose_links_lead_somewhere(client: CheckedClient, name: str) -> None:
    html = client.get(f"/docs/guides/{name}").text
    assert html.count("<h1") == 1
    for target in re.findall(r'<a href="(?!https?:)([^"]+)"', html.partition('<article class="guide"')[2]):
        path, _, fragment = target.partition("#")
        page = client.get(path) if path else None
        assert page is None or page.status_code == 200, target
        assert not fragment or f'id="{fragment}"' in (html if page is None else page.text), target


def test_what_the_service_does_not_serve_has_no_link(client: CheckedClient) -> None:
    html = client.get("/docs/guides/verify").text
    assert "../tests" not in html
    assert 'href="/static/verify.mjs"' in html


def test_an_unknown_guide_is_not_found(client: CheckedClient) -> None:
    for name in ("nothing", "matches.md", "..", "../README"):
        assert client.get(f"/docs/guides/{name}").status_code == 404


def test_nothing_in_a_file_is_taken_for_html(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wild.md").write_text("# Wild\n\nA <b>bold</b> page. And more.\n\n<script>1</script>\n", "utf-8")
    monkeypatch.setattr(guides, "guides_folder", lambda: tmp_path)
    made = guides.guide.__wrapped__("wild")
    assert (made.title, made.about) == ("Wild", "A <b>bold</b> page.")
    assert "<script" not in made.html
    assert "&lt;b&gt;bold" in made.html


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Who gets a stream", "who-gets-a-stream"),
        ("`GET` it", "get-it"),
        ("Rules, replays, stores", "rules-replays-stores"),
    ],
)
def test_headings_have_the_ids_that_links_go_by(heading: str, expected: str) -> None:
    assert heading_id(heading) == expected
