"""What the search is given to look through: docs/keywords.yml, and the text of the pages."""

from __future__ import annotations

import json

import pytest

from book.finish import search
from book.finish.search import Keys, SearchError, keywords, missing, plain, prose_and_names, sections
from book.source.glossary import Term

TERM = Term("skip", "잔차 연결", "residual connection", "더하는 연결.", "It adds.", names=("스킵 커넥션", "shortcut"))
PAGES = {
    "index": {"title": "책", "description": "처음."},
    "part/index": {"title": "부", "description": "차례."},
    "part/page": {"title": "왜 √d_k인가", "description": "이유."},
    "appendix/glossary": {"title": "용어집"},
}
ARTICLES = {
    "index": '<h1 id="a">책</h1><p>처음</p>',
    "part/index": '<h1 id="a">부</h1>',
    "part/page": """<h1 id="a">왜 d<sub>k</sub>인가<a class="headerlink" href="#a">#</a></h1>
        <p>하나 &lt; 둘</p>
        <h2 id="code"><code>mask</code> 쓰기<a class="headerlink" href="#code">#</a></h2>
        <p>글</p> <pre><span></span><code>mask = f(mask, 1)</code></pre> <p>끝</p>""",
    "appendix/glossary": '<h1 id="a">용어집</h1><p>표 전체</p>',
}


def write(tmp_path, text: str):
    path = tmp_path / "keywords.yml"
    path.write_text(text, encoding="utf-8")
    return path


def test_keys_lead_to_pages_and_sections(tmp_path):
    path = write(tmp_path, "# why\npart/page: [하나, two words]\npart/page#code: [1e-9]\n")
    assert keywords(path) == [
        Keys("part/page", "", ("하나", "two words"), 2),
        Keys("part/page", "code", ("1e-9",), 3),
    ]


def test_a_book_may_have_no_keys(tmp_path):
    assert keywords(tmp_path / "keywords.yml") == [] == keywords(write(tmp_path, "# none yet\n"))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a: [b]\nc: d\n", 2, "the words of c are a list: write c: [one, two]"),
        ("a: [b, ' ']\n", 1, "the words of a are a list"),
        ("a: [b, [c]]\n", 1, "the words of a are a list"),
        ("a: [b]\nb: [c]\na: [d]\n", 3, "a stands here twice: put its words into one list"),
        ("- a\n", 1, "write each entry as `part/page: [words]`"),
        ("a: [b\n", 2, "this is not YAML"),
    ],
)
def test_what_is_no_list_of_keys_is_refused_with_its_line(tmp_path, text, line, said):
    with pytest.raises(SearchError) as error:
        keywords(write(tmp_path, text))
    assert error.value.line == line and said in error.value.message
    assert str(error.value) == f"keywords.yml:{line}: {error.value.message}"


def test_keys_that_are_not_utf_8_are_refused(tmp_path):
    path = tmp_path / "keywords.yml"
    path.write_bytes("a: [하나]".encode("cp949"))
    with pytest.raises(SearchError, match="keywords.yml:1: this is not UTF-8: save it as UTF-8"):
        keywords(path)


def test_keys_to_what_is_not_there_are_named():
    keys = [Keys("a", "", (), 1), Keys("a", "b", (), 2), Keys("a", "c", (), 3), Keys("d", "b", (), 4)]
    assert missing(keys, {"a": {"b"}}) == [
        (3, "a has no heading with the id c: correct it, or remove the entry"),
        (4, "there is no page d: correct the path, or remove the entry"),
    ]


def documents(language: str = "ko", keys=(), terms=(TERM,), articles=ARTICLES) -> dict:
    parts = {page: sections(article) for page, article in articles.items()}
    return search.documents(parts, PAGES, language, list(keys), list(terms))


def test_text_becomes_one_line():
    assert plain("a <\n b  c\u200b\u200c\u2060d ") == "a < b cd"


def found(article: str) -> list[tuple[str, str, str]]:
    return [(one.anchor, plain(one.title), plain(one.prose)) for one in sections(article)]


def test_an_article_is_taken_apart_at_its_headings():
    article = """<h1 id="t">T</h1><p>a<br>b &amp;<x-later n="0">c</x-later></p>
        <h2 id="x">X <em>y</em></h2><p>d</p><h3 id="z">Z</h3>"""
    assert found(article) == [("", "T", "ab &c"), ("x", "X y", "d"), ("z", "Z", "")]
    assert found("<p>a</p><h2>No id</h2>b") == [("", "", "aNo idb")], "a heading that nothing leads to"
    assert found('<p>a</p><h1 id="t">T</h1>b') == [("", "T", "ab")]


def test_what_is_no_text_is_left_out_and_so_is_all_below_a_heading_that_is():
    article = """<h1 id="t">T<a class="headerlink">#</a></h1>a<p data-search-exclude>b<em>c</em></p>d
        <section><h2 id="q" data-search-exclude>Q</h2>e<h3 id="r">R</h3>f</section>g
        <h2 id="x">X</h2>h<br data-search-exclude>i"""
    assert found(article) == [("", "T", "ad g"), ("r", "R", "f"), ("x", "X", "hi")]


def test_what_follows_a_box_belongs_to_the_heading_before_it():
    article = '<h2 id="x">X</h2>a<div><div><h3 id="y">Y</h3>b</div>c</div>d<div><h3 id="z">Z</h3>e</div>f'
    assert found(article) == [("", "", ""), ("x", "X", "acdf"), ("y", "Y", "b"), ("z", "Z", "e")]
    article = '<h2 id="x">X</h2><div><h3 id="y">Y</h3>a</div><div><div><h4 id="z">Z</h4>b</div>c</div>'
    assert found(article)[1:] == [("x", "X", "c"), ("y", "Y", "a"), ("z", "Z", "b")], "c is in another box than a"


def names(article: str) -> tuple[str, str]:
    return prose_and_names(sections(article)[0])


def test_of_code_each_name_is_kept_once_and_no_number():
    article = "<p>before</p><pre><code>mask = 0.5 * <b>mask_2</b> + x</code></pre><p>after</p>"
    assert names(f"{article}<pre>nan -inf</pre><pre>a_b</pre>") == ("before after", "mask mask_2 nan inf a_b")


def test_what_is_in_hangul_in_code_is_data_and_no_name():
    assert names("<pre>하나둘 = 모델mask_x(x11, _y2)  # 국민은 n1 z</pre>") == ("", "mask_x x11 y2 n1")


def test_a_name_that_the_prose_says_is_not_kept_again():
    article = "<p>Before <code>mask_2</code>, after</p><pre>mask + mask_2 + after</pre>"
    assert names(article) == ("Before mask_2, after", "mask")


def test_names_in_the_code_of_many_sections_are_left_out(monkeypatch):
    def names() -> list[str]:
        parts = (
            f'<h2 id="s{i}">s</h2><pre>print own_{i} own_{i} {common}</pre>'
            for i, common in enumerate(["shared", "shared", "other"])
        )
        return [names for *_, names in documents(articles={"part/page": "".join(parts)})["pages"][0]["sections"][1:]]

    monkeypatch.setattr(search, "COMMON", 3)
    assert names() == ["print own_0 shared", "print own_1 shared", "print own_2 other"]
    monkeypatch.setattr(search, "COMMON", 2)
    assert names() == ["own_0 shared", "own_1 shared", "own_2 other"]
    monkeypatch.setattr(search, "COMMON", 1)
    assert names() == ["own_0", "own_1", "own_2 other"]


def test_a_page_is_found_by_its_sections():
    pages = documents()["pages"]
    assert [page["url"] for page in pages] == ["", "part/", "part/page/", "appendix/glossary/"]
    page = pages[2]
    assert page["title"] == "왜 √d_k인가" and page["about"] == "이유.", "as the page is called in its source"
    assert page["sections"] == [["", "", "하나 < 둘", ""], ["code", "mask 쓰기", "글 끝", "mask"]]


def test_a_page_may_stay_out(monkeypatch):
    monkeypatch.setitem(PAGES, "part/page", {"title": "x", "search": {"exclude": True}})
    assert [page["url"] for page in documents(keys=[Keys("part/page", "", ("a",), 1)])["pages"]] == [
        "",
        "part/",
        "appendix/glossary/",
    ]
    assert documents(keys=[Keys("part/page", "", ("a",), 1)])["keys"] == []


def test_a_page_that_says_no_title_is_called_as_its_heading_is(monkeypatch):
    monkeypatch.setitem(PAGES, "part/page", {})
    page = documents()["pages"][2]
    assert (page["title"], page["about"]) == ("왜 dk인가", "")


def test_pages_that_name_what_others_explain_count_less():
    home, part, page, glossary = (page["weight"] for page in documents()["pages"])
    assert home == part < page == 1 and glossary < page


def test_each_term_of_the_glossary_is_a_section_and_known_by_all_its_names():
    for language, title, meaning, first in (
        ("ko", "잔차 연결 (residual connection)", "더하는 연결.", ["잔차 연결", "residual connection"]),
        ("en", "residual connection (잔차 연결)", "It adds.", ["residual connection", "잔차 연결"]),
    ):
        found = documents(language)
        assert found["pages"][-1]["sections"][1:] == [["term-skip", title, meaning, ""]]
        assert found["terms"] == [[*first, "스킵 커넥션", "shortcut"]]


def test_keys_name_addresses_of_the_site():
    keys = [Keys("part/index", "", ("a",), 1), Keys("part/page", "code", ("b", "c"), 2), Keys("gone", "", ("d",), 3)]
    assert documents(keys=keys, terms=())["keys"] == [
        ["part/", "", ["a"]],
        ["part/page/", "code", ["b", "c"]],
    ]
    assert search.address("index") == ""


def test_the_text_is_written_as_it_is_read(tmp_path):
    search.write(tmp_path, {page: sections(article) for page, article in ARTICLES.items()}, PAGES, "ko")
    text = (tmp_path / "search" / "text.json").read_text(encoding="utf-8")
    assert "하나 < 둘" in text, "Hangul as it is, not as \\u…: half the size"
    assert set(json.loads(text)) == {"pages", "terms", "keys"}
