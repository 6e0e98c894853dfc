"""What both sites load."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from book.finish import assets


@pytest.mark.parametrize(
    "base, path, root",
    [
        ("", "", ""),
        ("../../", "", "../../"),
        ("", "en/", "../"),
        ("../../", "en/", "../../../"),
        ("/", "", "/"),
        ("/en/", "en/", "/"),
        ("/book/", "", "/book/"),
        ("/book/en/", "en/", "/book/"),
    ],
)
def test_assets_are_below_the_root_of_both_sites(base, path, root):
    assert assets.root(base, path) == root
    page = f'<link href="{base}assets/a.svg"><a href="{base}page/assets/">"assets/"</a>'
    moved = assets.shared(page, base, path)
    assert f'href="{root}assets/a.svg"' in moved and f'href="{base}page/assets/"' in moved


class _Files(list):
    """As MkDocs': it looks for a file to remove by its own means."""


def _file(uri: str) -> SimpleNamespace:
    return SimpleNamespace(src_uri=uri, copy_file=lambda dirty: "copied")


@pytest.mark.parametrize("here", [True, False])
def test_what_no_page_loads_is_not_published_and_the_rest_once(here):
    files = _Files(
        map(_file, ["assets/a.css", "assets/js/b.js", "assets/js/b.js.map", "assets/c.css.txt", "page.md", "css/x.css"])
    )
    files += map(_file, ["assets/javascripts/workers/a.js", "assets/javascripts/lunr/min/b.js"])
    assets.publish(files, here=here)
    assert [file.src_uri for file in files] == ["assets/js/b.js", "assets/c.css.txt", "page.md", "css/x.css"]
    assert [file.copy_file(False) for file in files] == 2 * ["copied" if here else None] + 2 * ["copied"]
