"""Slides of a built site: one for each figure, with its caption and a question, in a file that needs nothing else."""

from __future__ import annotations

import re

import pytest

from book import LANGUAGES
from book.__main__ import COMMANDS
from book.finish import slides
from book.finish.document import Chapter, PdfError, article, words

MASKS = Chapter("attention/masks/", "2.5", "Masks & padding", 2)
FIGURE = """<figure id="__figure-caption_{n}"><p><label class="figure"><input class="enlarge">
<svg class="narrow" aria-labelledby="a-{n}" viewBox="0 0 1 1"></svg>
<svg aria-labelledby="a-{n}" viewBox="0 0 2 1"><title id="a-{n}">A</title><path id="p" clip-path="url(#p)"/>
<use xlink:href="#p"/></svg>
</label></p><figcaption><p><span class="caption-prefix">Figure {n}.</span> One <abbr title="t">key</abbr>,
<a href="../x/">linked</a>. <em>{to_try}</em> drag it.</p></figcaption></figure>"""
QUESTION = """<div class="question"><p>Why {n}?</p><details class="answer right"><summary>So.</summary>
<p>Right.</p></details></div>"""
FORMULA = '<span class="katex"><span class="katex-mathml"><math></math></span><span class="katex-html">n</span></span>'


def page(figures: int, questions: int, to_try: str = "To try:") -> str:
    drawn = "".join(FIGURE.format(n=n, to_try=to_try) for n in range(1, figures + 1))
    asked = "".join(QUESTION.format(n=n) for n in range(1, questions + 1))
    return f"<body><article><h1>Masks</h1>{drawn}<p>{FORMULA}</p>{asked}</article></body>"


def test_each_figure_has_a_slide_with_a_question_as_long_as_there_are_any():
    found = slides.slides(page(3, 2), MASKS, "en")
    assert [one.title for one in found] == ["2.5 Masks & padding"] * 3
    assert ["Why 1?" in found[0].question, "Why 2?" in found[1].question, found[2].question] == [True, True, ""]
    assert len(slides.slides(page(1, 3), MASKS, "en")) == 1 and slides.slides(page(0, 3), MASKS, "en") == []
    first = Chapter("attention/", "2", "Attention", 1)
    assert [one.question for one in slides.slides(page(1, 3), first, "en")] == [""], "it asks about the parts before"


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_figure_its_wide_drawing_and_what_is_to_be_seen_are_left(language):
    to_try = {"en": "To try:", "ko": "움직여 보기:"}[language]
    (one,) = slides.slides(page(1, 0, to_try), MASKS, language)
    assert one.figure.count("<svg") == 1 and "narrow" not in one.figure and "<input" not in one.figure
    assert "One key," in one.figure and "linked" in one.figure and 'href="../' not in one.figure
    assert to_try not in one.figure and "drag it" not in one.figure


def test_ids_are_those_of_one_figure_alone():
    found = "".join(one.figure for one in slides.slides(page(2, 0), MASKS, "en"))
    ids = re.findall(r'\sid="([^"]+)"', found)
    assert len(set(ids)) == len(ids) == 4
    assert set(re.findall(r'(?:labelledby="|href="#|url\(#)([^")]+)[")]', found)) == set(ids)


def test_formulas_are_mathml_which_needs_no_style_and_no_font():
    text = page(0, 0).replace("<article>", "<article>" + FIGURE.format(n=1, to_try="").replace("One", FORMULA))
    (one,) = slides.slides(text, MASKS, "en")
    assert "<math>" in one.figure and "katex-html" not in one.figure


def built(site, language: str) -> None:
    root = site / words(language)["path"]
    home = """<nav class="book-nav"><ol>
      <li><a href="."><span class="number"></span> <span>Home</span></a></li>
      <li class="part"><a href="attention/"><span class="number">2</span> <span>Q &amp; A</span></a>
      <ol><li><a href="attention/masks/"><span class="number">2.5</span> <span>Masks</span></a></li></ol></li>
    </ol></nav>"""
    for path, text in {"": home + page(1, 1), "attention/": page(1, 1), "attention/masks/": page(1, 2)}.items():
        (root / path).mkdir(parents=True, exist_ok=True)
        (root / path / "index.html").write_text(text, encoding="utf-8")


def test_a_file_for_each_part_beside_the_page_on_teaching_loads_nothing(tmp_path):
    for language in LANGUAGES:
        built(tmp_path, language)
    assert slides.main(["--site", str(tmp_path)]) == 0
    assert [path.name for path in slides.write(tmp_path, "en")] == ["slides-attention.html"], "once more"
    for language in LANGUAGES:
        folder = tmp_path / words(language)["path"] / slides.PAGE
        assert [path.name for path in folder.iterdir()] == ["slides-attention.html"], "a page by itself is no part"
        text = (folder / "slides-attention.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}">' in text and "<title>Q &amp; A</title>" in text
        assert text.count("<section>") == 1 + 2 and "<script" not in text
        assert not re.search(r'(?:src|href)="(?!#)|url\((?!#)|@import', text)
        assert "default-src 'none'" in text


TEACHING = """<article><h2 id="slides">Slides</h2><p>So.</p>
<h2 id="hand-in">How to hand in</h2></article>"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_on_teaching_leads_to_each_file_that_there_is(tmp_path, language):
    built(tmp_path, language)
    folder = tmp_path / words(language)["path"] / slides.PAGE
    folder.mkdir(parents=True)
    (folder / "index.html").write_text(TEACHING, encoding="utf-8")
    for _ in range(2):  # the second time instead of what is there
        written = slides.write(tmp_path, language)
        page = (folder / "index.html").read_text(encoding="utf-8")
        links = re.findall(r'<li><a href="([^"]+)">([^<]+)</a> \(([^)]+)\)</li>', page)
        assert links == [(path.name, "Q &amp; A", words(language)["slides"].format(2)) for path in written]
        assert page.index("<p>So.</p>") < page.index('<ul class="slides">') < page.index('<h2 id="hand-in">')
    assert re.sub(r'<ul class="slides">.*?</ul>\n', "", page) == TEACHING
    chapter = Chapter(f"{slides.PAGE}/", "A.2", "Teaching", 2)
    assert "<ul" not in article(page, chapter, [chapter], {}), "paper leads to no file"


def test_without_a_site_it_says_what_to_do(tmp_path):
    assert slides.main(["--site", str(tmp_path)]) == 1
    with pytest.raises(PdfError, match="run `mkdocs build --strict` first"):
        slides.write(tmp_path, "en")
    assert COMMANDS["slides"][0] == "book.finish.slides"
