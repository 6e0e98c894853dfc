"""The glossary: which words of a page are uses of a term, which of them are marked, and the table."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as etree
from dataclasses import replace

import pytest
import yaml
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown
from markdown.util import AtomicString

from book.markdown.terms import GlossaryExtension, letter
from book.source import glossary, located
from book.source.glossary import GlossaryError, Term

VECTOR = Term("vector", "벡터", "vector", "수를 늘어놓은 것.", "Numbers in a row.")
MATRIX = Term("matrix", "행렬", "matrix", "수의 표.", "A table of numbers.", forms=("matrices",))
ROW = Term("row-vector", "행 벡터", "row vector", "누운 벡터.", "A vector that lies.")
BLEU = Term("bleu", "BLEU", "BLEU", "번역의 점수.", "A score.")
WEIGHT = Term("weight", "가중치", "Weight", "곱하는 수.", "A factor.")
TERMS = [VECTOR, MATRIX, ROW, BLEU, WEIGHT]


def uses(language: str, text: str, terms: list[Term] = TERMS) -> list[tuple[str, Term]]:
    """What is found in a text, and the term that it is a use of."""
    pattern, found = glossary.pattern(language, terms)
    return [
        (match[0], found[match[0] if language == "ko" else match[0].casefold()]) for match in pattern.finditer(text)
    ]


# ---- what is a use of a term

#: What Korean grammar puts right behind a noun, in the form after a vowel or a consonant.
PARTICLES = """
    은 는 이 가 을 를 의 에 에서 에게 로 으로 로서 으로서 로써 으로써 와 과 하고 도 만 마다 보다 처럼 까지 부터 로부터
    끼리 이란 란 이고 이며 인 일
    입니다 이다 이라는 들 들은 들을 들의 에는 에서는 에도 만이 까지는 와의 과의 으로는 이므로
""".split()


@pytest.mark.parametrize("particle", PARTICLES)
def test_a_korean_noun_is_found_before_its_particle(particle):
    for word, term in (("벡터", VECTOR), ("행렬", MATRIX)):
        assert uses("ko", f"그 {word}{particle} 크다.") == [(word, term)]


@pytest.mark.parametrize("sign", [" ", ".", ",", ")", "(", ":", "-", "’", "\n", ""])
def test_a_korean_noun_is_found_before_whatever_is_no_letter(sign):
    assert uses("ko", f"이 벡터{sign}") == [("벡터", VECTOR)]


@pytest.mark.parametrize(
    "text", ["벡터화한다", "벡터량", "고유벡터", "a벡터", "벡", "행렬식", "행렬값", "1벡터", "_벡터"]
)
def test_another_korean_word_is_no_use(text):
    assert uses("ko", f"그 {text} 있다") == []


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("vector", VECTOR),
        ("vectors", VECTOR),
        ("Vectors", VECTOR),
        ("VECTOR", VECTOR),
        ("matrix", MATRIX),
        ("matrices", MATRIX),
        ("Matrices", MATRIX),
        ("row vectors", ROW),
        ("bleu", BLEU),
        ("weight", WEIGHT),
        ("Weights", WEIGHT),
    ],
)
@pytest.mark.parametrize("around", ["{}", "({})", "the {}.", "“{}”", "{}, and", "*{}*", "{}’s"])
def test_an_english_term_is_found_in_each_of_its_forms(text, term, around):
    assert uses("en", around.format(text)) == [(text, term)]


@pytest.mark.parametrize(
    "text", ["vectorize", "eigenvector", "sub-vector", "vector-like", "vector_1", "matric", "vector2"]
)
def test_another_english_word_is_no_use(text):
    assert uses("en", f"a {text} is") == []


SPACE = Term("space", "벡터 공간", "vector space", "벡터의 집합.", "All vectors.")


def test_the_longest_term_is_found():
    for terms in ([*TERMS, SPACE], [SPACE, *TERMS]):
        assert uses("en", "a vector space of vectors", terms) == [("vector space", SPACE), ("vectors", VECTOR)]
        assert uses("ko", "벡터 공간과 벡터", terms) == [("벡터 공간", SPACE), ("벡터", VECTOR)]
    for terms in (TERMS, TERMS[::-1]):
        assert uses("en", "a row vector and a vector", terms) == [("row vector", ROW), ("vector", VECTOR)]
        assert uses("ko", "행 벡터와 벡터", terms) == [("행 벡터", ROW), ("벡터", VECTOR)]


def test_a_term_is_no_regular_expression():
    dots = Term("dots", "a.b", "a.b(c)", "점.", "Dots.")
    assert uses("en", "a.b(c) and axb(c)", [dots]) == [("a.b(c)", dots)]
    assert uses("ko", "a.b와 axb", [dots]) == [("a.b", dots)]


# ---- which uses are marked


@pytest.fixture
def terms(monkeypatch):
    monkeypatch.setattr(glossary, "terms", lambda: TERMS)


def flat(element: etree.Element) -> str:
    """The text of an element, with what is marked in square brackets."""
    inner = (element.text or "") + "".join(flat(child) + (child.tail or "") for child in element)
    return f"[{inner}]" if element.tag == "abbr" and element.get("title") != "own" else inner


def marked(xml: str, language: str = "en") -> str:
    """What is marked in elements as Markdown hands them to the processors of its tree."""
    md = Markdown(extensions=[GlossaryExtension(language)])
    root = etree.fromstring(f"<div>{xml}</div>")
    md.treeprocessors["glossary-tooltips"].run(root)
    return flat(root)


def html(source: str, language: str = "en") -> BeautifulSoup:
    extensions = ["attr_list", "tables", "fenced_code", GlossaryExtension(language)]
    return BeautifulSoup(Markdown(extensions=extensions).convert(source), "html.parser")


def test_the_first_use_is_marked_and_only_it(terms):
    assert marked("<p>A vector, a matrix, vectors.</p><p>Matrices and a vector.</p>") == (
        "A [vector], a [matrix], vectors.Matrices and a vector."
    )
    assert marked("<p>벡터와 행렬과 벡터, BLEU.</p>", "ko") == "[벡터]와 [행렬]과 벡터, [BLEU]."


def test_below_each_heading_of_level_2_it_starts_anew(terms):
    for level, again in ((1, "vector"), (2, "[vector]"), (3, "vector"), (4, "vector")):
        assert marked(f"<p>vector</p><h{level}>x</h{level}><p>vector vector</p>") == f"[vector]x{again} vector"


def test_where_another_word_says_that_it_is_plain_it_is_not_marked(monkeypatch, terms):
    entries = [replace(term, unless=("BLEU", "점수")) if term.id == "vector" else term for term in glossary.terms()]
    monkeypatch.setattr(glossary, "terms", lambda: entries)
    xml = "<p>vector</p><p>a <em>BLEU</em></p><h2>x</h2><p>vector <b>BLEU</b></p><h2>y</h2><p>vector</p><p>vector</p>"
    assert marked(xml) == "vectora [BLEU]xvector [BLEU]y[vector]vector"
    assert marked("<h2>BLEU</h2><p>vector</p><h2>x</h2><p>vector</p>") == "BLEUvectorx[vector]"


def test_each_term_counts_by_itself_and_the_longer_one_is_marked(terms):
    assert marked("<p>row vector, vector, row vectors</p>") == "[row vector], [vector], row vectors"


def test_a_use_inside_or_after_another_element_is_marked_where_it_stands(terms):
    assert marked("<p>A <em>vector</em> and a matrix.</p>") == "A [vector] and a [matrix]."
    assert marked("<p><em>So</em> a vector <b>is</b> a matrix or a vector<br/>, matrix</p>") == (
        "So a [vector] is a [matrix] or a vector, matrix"
    )
    assert marked("<p>BLEU matrix <b>x</b> vector weight <i>y</i> row vector</p>") == (
        "[BLEU] [matrix] x [vector] [weight] y [row vector]"
    )


ELSEWHERE = ["a", "abbr", "button", "code", "h1", "h2", "h3", "h4", "pre", "script", "style", "svg", "th"]


@pytest.mark.parametrize("tag", ELSEWHERE)
def test_nothing_is_marked_in_links_code_headings_and_pictures(terms, tag):
    inside = f'<{tag} title="own">vector <b>matrix</b> matrix</{tag}>'
    assert marked(inside + "vector, matrix") == "vector matrix matrix[vector], [matrix]"
    assert marked(f"<p><b>{inside}</b> vector</p>") == "vector matrix matrix [vector]"


@pytest.mark.parametrize("name", ["figure", "formula", "transformer-map", "wide formula", "figure x"])
def test_nothing_is_marked_in_figures_and_formulas(terms, name):
    assert marked(f'<p><span class="{name}">vector</span> vector</p>') == "vector [vector]"


@pytest.mark.parametrize("name", ["formulas", "note", ""])
def test_other_classes_mean_nothing(terms, name):
    assert marked(f'<p><span class="{name}">vector</span> vector</p>') == "[vector] vector"


def test_text_that_is_final_is_left_alone(terms):
    root = etree.fromstring("<div><p/><p>vector</p></div>")
    root[0].text = AtomicString("vector")
    Markdown(extensions=[GlossaryExtension("en")]).treeprocessors["glossary-tooltips"].run(root)
    assert flat(root) == "vector[vector]"


def test_one_page_knows_nothing_of_the_one_before(terms):
    md = Markdown(extensions=[GlossaryExtension("en")])
    for _ in range(2):
        assert md.convert("A vector.").count("<abbr") == 1


def test_the_tooltip_says_the_term_in_both_languages_and_what_it_means(terms):
    assert html("Some vectors.").abbr["title"] == "vector (벡터): Numbers in a row."
    assert html("벡터들.", "ko").abbr["title"] == "벡터(vector): 수를 늘어놓은 것."
    assert html("Some vectors.").abbr.get_text() == "vectors"


def test_on_a_page_of_markdown(terms):
    soup = html(
        "# A vector\n\nA [vector](a.md), `vector`, a vector.\n\n```text\nmatrix\n```\n\n## More {#more}\n\n"
        "- a vector\n- a **vector**\n\n| vector |\n|---|\n| matrix |"
    )
    assert [(abbr.get_text(), abbr.parent.name) for abbr in soup.find_all("abbr")] == [
        ("vector", "p"),
        ("vector", "li"),
        ("matrix", "td"),
    ]
    assert html("A vector.").get_text() == "A vector."


WORDS = st.sampled_from(["vector", "vectors", "matrix", "matrices", "BLEU", "row vector", "so", "and", "is"])
BLOCKS = st.lists(st.tuples(st.sampled_from(["p", "p", "p", "h2", "h3", "code"]), st.lists(WORDS, max_size=5)))
TERM_OF = {"vectors": "vector", "matrices": "matrix", "so": None, "and": None, "is": None}


@settings(deadline=None)
@given(BLOCKS)
def test_whatever_the_page_each_section_marks_each_term_once_where_it_comes_first(blocks):
    expected, seen = "", set()
    for tag, words in blocks:
        if tag == "h2":
            seen = set()
        shown = []
        for word in words:
            term = TERM_OF.get(word, word)
            first = tag == "p" and term and term not in seen
            shown.append(f"[{word}]" if first else word)
            seen |= {term} if first else set()
        expected += ", ".join(shown) + "\n"
    xml = "".join(f"<{tag}>{', '.join(words)}</{tag}>\n" for tag, words in blocks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(glossary, "terms", lambda: TERMS)
        assert marked(xml) == expected


# ---- the table


def rows(language: str) -> list[list[str]]:
    soup = html("Terms:\n\n<!-- glossary -->\n\nA vector.", language)
    assert "glossary" not in str(soup) and not soup.find("abbr"), "a glossary does not explain its own words"
    assert soup.find_all("p")[-1].get_text() == "A vector."
    return [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in soup.find_all("tr")]


def test_the_table_is_in_the_order_of_the_alphabet(terms):
    heads = {"en": "English", "ko": "한국어"}
    of = {language: [row[0] for row in rows(language) if row[0] != head] for language, head in heads.items()}
    assert of == {
        "en": ["BLEU", "matrix", "row vector", "vector", "Weight"],
        "ko": ["BLEU", "가중치", "벡터", "행 벡터", "행렬"],
    }
    assert [len(html("<!-- glossary -->", language).select("table")) for language in of] == [5, 4], "one a letter"


def test_a_row_has_the_term_the_other_language_and_the_meaning(terms):
    assert ["vector", "벡터", "Numbers in a row."] in rows("en") and rows("en")[0] == ["English", "한국어", "Meaning"]
    assert ["벡터", "vector", "수를 늘어놓은 것."] in rows("ko") and rows("ko")[0] == ["한국어", "English", "뜻"]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_each_row_can_be_linked_to(terms, language):
    soup = html("<!-- glossary -->", language)
    names = {strong["id"]: strong.get_text() for strong in soup.select("td strong")}
    assert names == {f"term-{term.id}": term.name(language) for term in TERMS}


@pytest.mark.parametrize(("language", "others"), [("ko", ["멀티 쿼리", "multi query"]), ("en", ["multi query"])])
def test_what_a_term_is_called_in_one_of_the_languages_is_no_other_name(language, others):
    term = Term("mqa", "MQA", "multi-query attention", "뜻.", "Meaning.", names=("MQA", "멀티 쿼리", "multi query"))
    assert term.also(language) == others


NORM = Term(
    "norm",
    "노름",
    "norm",
    "크기.",
    "A size.",
    names=("길이", "length", "LoV"),
    see=("vector",),
    page="part/page#section",
)


@pytest.mark.parametrize(
    ("language", "names", "see", "other"),
    [
        ("ko", "다른 이름: 길이, length, LoV", "함께 보기: 벡터", "norm"),
        ("en", "Also called: length, LoV", "See also: vector", "노름"),
    ],
)
def test_a_row_has_other_names_and_leads_on(monkeypatch, language, names, see, other):
    monkeypatch.setattr(glossary, "terms", lambda: [VECTOR, NORM, BLEU])
    soup = html("<!-- glossary -->", language)
    row = soup.find(id="term-norm").find_parent("tr")
    term, second, meaning = row.find_all("td")
    assert term.a["href"] == "../part/page.md#section" and term.a.get_text() == NORM.name(language)
    assert second.get_text() == other, "names in the other language have their column"
    assert names in meaning.get_text("|").split("|") and meaning.get_text().endswith(see)
    assert meaning.a["href"] == "#term-vector" and not soup.find(id="term-vector").find_parent("a")
    short = soup.find(id="short-lov").find_parent("tr")
    assert short.a["href"] == "#term-norm" and not soup.find(id="short-length"), "abbreviations only"
    assert soup.find(id="term-bleu").find_parent("tr").find_all("td")[1].get_text() == "", "not the same name twice"


def test_each_letter_leads_to_the_first_of_its_rows(terms):
    for language in ("ko", "en"):
        soup = html("<!-- glossary -->", language)
        rows = soup.select("td strong")
        first = {}
        for row in rows:
            first.setdefault(letter(row.get_text()), row["id"])
        assert {link.get_text(): link["href"][1:] for link in soup.select(".letters a")} == first
    assert [letter(name) for name in ("가", "꽃", "힣", "나트", "top-k", "BLEU")] == list("ㄱㄱㅎㄴTB")


def test_the_marker_stands_in_a_line_of_its_own(terms):
    assert not html("`<!-- glossary -->` is the marker.").find("table")
    assert html("A vector.\n\n`<!-- glossary -->`").find("abbr")


# ---- the file


def entry(**fields: str) -> str:
    fields = {"id": "a", "ko": "가", "en": "a", "mean_ko": "뜻", "mean_en": "m", **fields}
    return "- " + "\n  ".join(f"{name}: {value}" for name, value in fields.items() if value is not None) + "\n"


def written(folder, text: str):
    path = folder / "glossary.yml"
    path.write_text(text, encoding="utf-8")
    return path


def test_entries_are_read_in_the_order_of_the_file(tmp_path):
    path = written(tmp_path, entry(id="z", forms="[as, to a]", avoid="[나, 다]") + entry())
    first, second = glossary.load(path)
    assert first == Term("z", "가", "a", "뜻", "m", forms=("as", "to a"), avoid=("나", "다"))
    assert second == Term("a", "가", "a", "뜻", "m", forms=(), avoid=())


def test_an_entry_may_say_more_and_knows_its_line(tmp_path):
    text = entry() + entry(id="b", names="[bee]", marked="false") + entry(id="c", marked="true")
    terms = glossary.load(written(tmp_path, f"# of the book\n{text}"))
    assert [term.line for term in terms] == [2, 7, 14]
    assert [term.marked for term in terms] == [True, False, True] and terms[1].names == ("bee",)
    assert Term("a", "가", "a", "뜻", "m").line == 0, "of what stands in no file"


# what is refused, behind an entry of five lines: in which line, and part of what is said
REFUSED = [
    (entry(id="b", english="b"), 11, "there is no field english; the fields are id, ko, en, mean_ko, mean_en, forms"),
    (entry(id="b", ko=None), 6, "this entry lacks ko"),
    (entry(id=None, en=None), 6, "this entry lacks id, en"),
    ("- some words\n", 6, "this is none"),
    (entry() + "  en: b\n", 11, "en stands twice in this entry"),
    (entry(marked="no"), 11, "marked is true or false, not no"),
    (entry(forms="b"), 11, "forms is a list: write forms: [b]"),
    (entry(forms="[b, 2]"), 11, "forms needs words"),
    (entry(avoid="[b, ' ']"), 11, "avoid needs words"),
    (entry(ko="[가]"), 7, "ko needs words"),
    (entry(en="no"), 8, "en needs words"),
    (entry(mean_ko="' '"), 9, "mean_ko needs words"),
    (entry(mean_en=""), 10, "mean_en needs words"),
    ("- a: b: c\n", 6, "this is not YAML: mapping values are not allowed here; quote the value"),
    ("- 'a\n", 7, "this is not YAML: found unexpected end of stream"),
]


@pytest.mark.parametrize(("broken", "line", "said"), REFUSED)
def test_what_is_no_entry_is_refused_with_its_line(tmp_path, broken, line, said):
    with pytest.raises(GlossaryError, match=re.escape(said)) as error:
        glossary.load(written(tmp_path, entry() + broken))
    assert error.value.line == line and str(error.value) == f"glossary.yml:{line}: {error.value.message}"


@pytest.mark.parametrize("text", ["", "words\n", "[]\n", "id: a\n"])
def test_a_file_without_entries_is_refused(tmp_path, text):
    with pytest.raises(GlossaryError, match="glossary.yml:1: there are no entries: start each with `- id: …`"):
        glossary.load(written(tmp_path, text))


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = written(tmp_path, "")
    for content, said in ((b"\xff", "1: this is not UTF-8"), (b"a\x00", "1: this is not YAML: special characters are")):
        path.write_bytes(content)
        with pytest.raises(GlossaryError, match=f"glossary.yml:{said}"):
            glossary.load(path)


def test_the_fault_of_what_is_not_yaml_is_where_its_reader_found_it():
    def mark(line: int) -> yaml.Mark:
        return yaml.Mark("name", 0, line, 0, None, None)

    fault = located.yaml_fault
    assert fault(yaml.MarkedYAMLError("in a list", mark(3), "found a tab", mark(4))) == (5, "found a tab")
    assert fault(yaml.MarkedYAMLError("in a list", mark(3), "found a tab")) == (4, "found a tab")
    assert fault(yaml.MarkedYAMLError(problem="found a tab")) == (1, "found a tab")
    assert fault(yaml.reader.ReaderError("name", 9, 0, "utf-8", "odd characters")) == (1, "odd characters")
    assert fault(yaml.YAMLError("words")) == (1, "words")


def test_a_term_with_a_plain_meaning_too_is_nowhere_marked():
    plain = Term("head", "머리", "head", "부분.", "A part.", marked=False)
    for language, text in (("en", "heads and a vector"), ("ko", "머리와 벡터")):
        assert [term for _, term in uses(language, text, [plain, VECTOR])] == [VECTOR]


def test_the_file_is_read_again_when_it_has_changed(tmp_path):
    path = written(tmp_path, entry())
    once = glossary.terms(path)
    assert once == glossary.load(path) and glossary.terms(path) is once, "each page would read it again"
    written(tmp_path, entry(en="b"))
    os.utime(path, (1, 1))
    assert [term.en for term in glossary.terms(path)] == ["b"]


def test_the_glossary_of_the_book_is_the_one_in_its_pages():
    assert glossary.terms() == glossary.load() == glossary.load(glossary.ROOT / "docs" / "glossary.yml")
    ids = [term.id for term in glossary.terms()]
    assert len(ids) > 50 and len(set(ids)) == len(ids)
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name) for name in ids)
