"""Formulas on a page: what KaTeX makes of them, and what stays together with them."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown

from book.markdown.formulas import FormulaExtension
from book.source.tex import MACROS, FormulaError, render, words

ARITHMATEX = {"generic": True, "block_syntax": ["dollar"], "inline_syntax": ["dollar"]}


def page(source: str, **place) -> BeautifulSoup:
    """A page as the site shows it; ``place``: the file and the line where the text starts."""
    extension = FormulaExtension()
    vars(extension).update(place)
    md = Markdown(
        extensions=["attr_list", "tables", "pymdownx.arithmatex", extension],
        extension_configs={"pymdownx.arithmatex": ARITHMATEX},
    )
    return BeautifulSoup(md.convert(source), "html.parser")


def tex(element) -> str:
    """The source that KaTeX leaves in a formula."""
    return element.find("annotation").get_text()


def as_written(element) -> str:
    """Text with each formula as its TeX between dollars."""
    for formula in element.select(".formula"):
        formula.replace_with(f"${tex(formula)}$")
    return element.get_text()


def without_source(html: str) -> str:
    return re.sub(r"<annotation.*?</annotation>", "", html)


# ---- what is set


@pytest.mark.parametrize("display", [False, True])
def test_a_formula_is_html_for_the_eye_and_mathml_for_a_screen_reader(display):
    soup = BeautifulSoup(render("x^2", display), "html.parser")
    assert [part.get_text() for part in soup.select("math msup > *")] == ["x", "2"]
    assert (soup.math.get("display") == "block") == display
    assert bool(soup.select(".katex-display")) == display
    assert soup.select_one(".katex-html")["aria-hidden"] == "true", "it would be read twice"
    assert soup.select_one(".katex-mathml").has_attr("data-search-exclude"), "it would be found twice"
    assert not soup.select_one(".katex-html").has_attr("data-search-exclude")


@pytest.mark.parametrize(
    ("command", "meaning"),
    [
        (r"x \in \R^n", r"x \in \mathbb{R}^n"),
        (r"\E[x]", r"\operatorname{E}[x]"),
        (r"\Var(x)", r"\operatorname{Var}(x)"),
        (r"\Cov(x)", r"\operatorname{Cov}(x)"),
        (r"\softmax(x)", r"\operatorname{softmax}(x)"),
        (r"\Attention(x)", r"\operatorname{Attention}(x)"),
        (r"\MultiHead(x)", r"\operatorname{MultiHead}(x)"),
        (r"\head_1", r"\operatorname{head}_1"),
        (r"\Concat(x)", r"\operatorname{Concat}(x)"),
        (r"QK\T", r"QK^{\mathsf T}"),
    ],
)
def test_each_command_of_the_book_is_what_it_stands_for(command, meaning):
    assert without_source(render(command)) == without_source(render(meaning))


def test_there_is_no_further_command():
    assert len(MACROS) == 10, "add it to the test above"


def test_a_formula_stands_in_its_line_unless_told_otherwise():
    assert render(r"\sum_i") == render(r"\sum_i", display=False) != render(r"\sum_i", display=True)


def test_words_inside_a_formula_may_be_korean():
    assert BeautifulSoup(render(r"\text{값} = 1"), "html.parser").mtext.get_text() == "값"


def test_a_formula_leads_nowhere_and_loads_nothing():
    for source in (r"\href{https://host.example}{x}", r"\includegraphics{https://host.example/a.png}"):
        soup = BeautifulSoup(render(source), "html.parser")
        assert not soup.find(["a", "img"]) and not soup.find(href=True), source


@pytest.mark.parametrize("source", [r"\frac{1}{2}", "a<b", r"a \& b", "a > b", r"\text{“한글”}", "x'"])
def test_what_is_written_is_what_is_set(source):
    inline, display = page(f"Say ${source}$ here."), page(f"Say:\n\n$$\n{source}\n$$\n\nHere.")
    for soup, tag in ((inline, "span"), (display, "div")):
        (formula,) = soup.select(".formula")
        assert formula.name == tag and tex(formula) == source
        assert (formula.math.get("display") == "block") == (tag == "div")
        assert "arithmatex" not in str(soup) and "\\(" not in soup.get_text() and "\\[" not in soup.get_text()


def test_a_formula_of_several_lines_may_align_and_compare():
    source = "\\begin{aligned}\na &< b \\\\\n&> c\n\\end{aligned}"
    (formula,) = page(f"$$\n{source}\n$$").select(".formula")
    assert tex(formula) == source
    assert len(formula.select("mtr")) == 2


def test_formulas_are_found_wherever_they_stand():
    soup = page("# Of $a$ {#x}\n\n- one $b$\n- **bold $c$**\n\n| $d$ |\n|---|\n| $e$ |\n\n> $f$\n\n$$\ng\n$$")
    assert [tex(formula) for formula in soup.select(".formula")] == list("abcdefg")
    assert soup.h1["id"] == "x"


def test_dollars_in_code_are_no_formula():
    soup = page("`$x$` costs \\$5 and \\$6.")
    assert not soup.select(".formula") and soup.get_text() == "$x$ costs $5 and $6."


# ---- what stays on one line


@pytest.mark.parametrize(
    ("source", "together"),
    [
        ("$x$의 값", "$x$의"),
        ("값 $x$에서는 그렇다", "$x$에서는"),
        ("So $x$, and on", "$x$,"),
        ("So ($x$) is", "$x$)"),
        ("So is $x$.", "$x$."),
        ("An $n$-th part", "$n$-th"),
        ("**$x$**, and", None),
        ("So $x$ is", None),
        ("So is $x$", None),
        ("So $x$\nis", None),
    ],
)
def test_a_short_formula_keeps_what_belongs_to_it(source, together):
    found = page(source).select(".unbroken")
    assert all(element.name == "span" for element in found)
    assert [as_written(element) for element in found] == ([together] if together else [])
    assert as_written(page(source)) == source.replace("**", "")


LONG = "a + b = c"  # in three pieces


@pytest.mark.parametrize("after", [*".,;:!?)", "의", "(x)"])
def test_no_line_starts_with_what_belongs_to_a_long_formula_which_may_be_broken_itself(after):
    (together,) = page(f"So ${LONG}${after} yes").select(".unbroken")
    assert [len(piece.find_previous_siblings()) for piece in together.select("wbr")] == [1, 3]
    assert not page(f"So ${LONG}$ yes").select("wbr, .unbroken")
    assert all(piece.find_next_sibling()["class"] == ["katex-base"] for piece in together.select("wbr"))
    assert as_written(together) == f"${LONG}${after}"


def test_a_formula_in_one_piece_is_not_broken():
    assert not page("So $x$의 and $\\sqrt{a + b}$의").select("wbr")


def test_a_display_formula_stands_alone():
    soup = page("So\n\n$$\nx\n$$\n\n. And so on")
    assert not soup.select(".unbroken")
    assert not page(f"$$\n{LONG}\n$$\n\n, yes").select("wbr")


FORMULAS = st.sampled_from(["$x$", "$y^2$", f"${LONG}$"])
AFTER = st.sampled_from(["", "의", ",", "의 값.", " 값", ") **bold**"])


@settings(deadline=None)
@given(st.lists(st.tuples(FORMULAS, AFTER), min_size=1, max_size=6))
def test_nothing_is_lost_and_nothing_changes_places(pieces):
    source = " ".join(formula + after for formula, after in pieces)
    assert as_written(page(source)) == source.replace("**", "")


# ---- what the search finds of a formula


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("x", "x"),
        ("a + b", "a+b"),
        (r"\sqrt{d_k}", "√dₖ"),
        (r"\sqrt{a + b}", "√(a+b)"),
        (r"-10^{-9}", "−10⁻⁹"),
        (r"d_\text{model}", "d_model"),
        (r"W^Q x_{ij}^2", "W^Qxᵢⱼ²"),
        (r"\frac{a}{b}", "a/b"),
        (r"\softmax(x)", "softmax(x)"),
        (r"a < b \& c", "a&lt;b&amp;c"),
        (r"\text{두 배}", "두 배"),
        ("a\nb", "ab"),
        (r"\underset{i}{x} + \overset{n}{y}", "xᵢ+yⁿ"),
        (r"\overset{n}{\underset{i}{x}} = x_i^n", "xᵢⁿ=xᵢⁿ"),
        (r"x_Q^W", "x_Q^W"),
        (r"a_{}", "a_"),
        (r"\sum_{i}^{n}", "∑ᵢⁿ"),
        (r"\text{say \char`\"}", 'say "'),
    ],
)
def test_the_words_of_a_formula_are_what_a_reader_sees_escaped_and_in_one_line(source, seen):
    for display in (False, True):
        found = re.sub("[\u200b\u200c]", "", words(render(source, display)))
        assert found == seen, "each sign once, and no TeX"


def test_a_build_may_put_a_formula_into_its_page_later():
    kept = []

    def place(rendered: str, words: str) -> str:
        kept.append(rendered)
        return f"<i>{words}</i>"

    soup = page("So $a < b$ is.", place=place)
    assert soup.get_text() == "So a<b is." and kept == [render("a < b")]
    assert [formula.i.get_text() for formula in soup.select(".formula")] == ["a<b"]


# ---- what is refused


def refused(source: str, **place) -> str:
    with pytest.raises(FormulaError) as error:
        page(source, **place)
    return str(error.value)


def test_a_broken_formula_is_refused_with_file_line_and_reason():
    said = refused("One\n\ntwo $x$ and\nthree $\\frac{1}$.", file="docs/ko/a.md", first_line=5)
    assert said.startswith("docs/ko/a.md, line 8: KaTeX parse error: ")
    assert said.endswith("\n  in the formula: \\frac{1}")


def test_of_a_broken_display_formula_the_line_is_that_of_its_first_line():
    assert "line 4: KaTeX" in refused("One\n\n$$\n  a &< b\n\\nothing\n$$")
    assert "line 6: KaTeX" in refused("One\n\ntwo\n\n$$\n\\nothing < 1\n$$")


def test_an_unknown_command_is_named_and_what_katex_says_comes_once():
    said = refused("$\\nothing$")
    assert said.count("\\nothing") == 2 and "Undefined control sequence" in said
    assert "ParseError" not in said and "katex.min" not in said


def test_katex_itself_may_be_asked_and_says_why_it_refuses():
    with pytest.raises(FormulaError, match=r"^KaTeX parse error: Expected 'EOF', got '}'"):
        render("}")
    assert "katex-error" not in render(r"\text{“값” — 가}"), "what it only warns about is set"


def test_text_without_formulas_is_left_alone():
    assert str(page("One, two.\n\n- three")) == Markdown().convert("One, two.\n\n- three")
