"""The book as a PDF: what becomes of the pages of the site, and a little book that Chromium prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest

from book.finish import document, pdf
from tests.conftest import mkdocs
from tests.machinery.printed import Printed, require_browser

MASKS = document.Chapter("attention/masks/", "2.5", "Masks", 2)
BOOK = [
    document.Chapter("", "", "Home", 1),
    document.Chapter("attention/", "2", "Attention", 1),
    MASKS,
    document.Chapter("appendix/glossary/", "A.2", "Glossary", 2),
]
TERMS = {"key: what a query meets": "key"}


def chapter(inside: str, chapter: document.Chapter = MASKS) -> str:
    """What is made of a page with this in its article, inside the chapter's own element."""
    page = f'<body><p>no</p><article class="md-content__inner md-typeset">{inside}</article><p>no</p></body>'
    made = document.article(page, chapter, BOOK, TERMS)
    opening = f'<article class="md-content__inner md-typeset level-{chapter.level}" id="{chapter.id}">'
    assert made.startswith(opening) and made.endswith("</article>")
    return made.removeprefix(opening).removesuffix("</article>")


def test_chapters_come_in_the_order_of_the_contents_with_number_and_level():
    home = """<nav class="book-nav"><ol>
      <li><a href="."><span class="number"></span> <span>Home</span></a></li>
      <li class="part"><a href="attention/"><span class="number">2</span> <span>Q &amp; A</span></a>
        <ol class="headings"><li><a href="#x">x</a></li></ol>
        <details><ol><li><a href="attention/masks/"><span class="number">2.5</span> <span>Masks</span></a></li></ol>
      </details></li></ol></nav>"""
    assert document.chapters(home) == [BOOK[0], document.Chapter("attention/", "2", "Q & A", 1), MASKS]
    assert [one.id for one in BOOK] == ["home", "attention", "attention-masks", "appendix-glossary"]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('<p class="place"><span>2.5</span></p>\n<p>text</p>', "\n<p>text</p>"),
        ('<p>text</p>\n<p class="progress"><span>0 / 9</span></p>', "<p>text</p>\n"),
        ('<a href="x" title="Edit" class="md-content__button md-icon" rel="edit"><svg></svg></a>', ""),
        ('<a class="md-button notebook" href="x.ipynb" download>Notebook</a>', ""),
        ('<p>1</p><p><a class="md-button begin" href="x">A</a> <a class="md-button" href="y">B</a></p>', "<p>1</p>"),
        ('<p><a class="md-button" href="x">A</a> text</p>', "<p> text</p>"),
        ('<pre>1</pre><button type="button" class="copy" title="Copy"></button>', "<pre>1</pre>"),
        ('<h2 id="a">A<a class="headerlink" href="#a">#</a></h2>', '<h3 id="attention-masks--a">A</h3>'),
        (
            '<h1 id="m">Masks</h1><h1>x</h1>',
            '<h2 id="attention-masks--m"><span class="number">2.5</span> Masks</h2><h2>x</h2>',
        ),
        ('<details class="solution"><p>x</p></details>', '<details open class="solution"><p>x</p></details>'),
        ("<details open>", "<details open>"),
        ('<img src="../../../assets/a.png" loading="lazy">', '<img src="http://book.invalid/assets/a.png">'),
        ('<img src="data:image/png;base64,AA==">', '<img src="data:image/png;base64,AA==">'),
    ],
)
def test_a_chapter_has_what_paper_can_show(inside, expected):
    assert chapter(inside) == expected


def test_a_part_keeps_the_level_of_its_headings():
    assert chapter("<h1>A</h1><h2>B</h2>", BOOK[1]) == '<h1><span class="number">2</span> A</h1><h2>B</h2>'
    assert chapter("<h1>A</h1>", BOOK[0]) == "<h1>A</h1>"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("../", "#attention"),
        ("../../#map", "#home--map"),
        ("../../appendix/glossary/#term-key", "#appendix-glossary--term-key"),
        ("#fn:%EA%B0%80", "#attention-masks--fn:가"),
        ("https://arxiv.org/abs/1?a=1&amp;b=2", "https://arxiv.org/abs/1?a=1&amp;b=2"),
        ("masks.ipynb", None),
        ("../../en/", None),
    ],
)
def test_links_lead_to_chapters_or_to_other_hosts(href, expected):
    attribute = f' href="{expected}"' if expected else ""
    assert chapter(f'<a class="x" href="{href}">there</a>') == f'<a class="x"{attribute}>there</a>'


def test_drawings_keep_what_they_refer_to():
    made = chapter('<svg id="f-1"><g clip-path="url(#f-1)"><use xlink:href="#f-1"/></g></svg>')
    assert made.count("attention-masks--f-1") == 3 and "#f-1" not in made


def test_the_first_use_of_a_term_leads_to_the_glossary():
    term, other = '<abbr title="key: what a query meets">keys</abbr>', '<abbr title="unknown">values</abbr>'
    link = '<a class="term" href="#appendix-glossary--term-key">keys</a>'
    assert chapter(f"{term} {term} {other}") == f"{link} keys values"
    assert chapter(f'<a href="../">{term}</a> {term}') == f'<a href="#attention">keys</a> {link}'
    assert chapter(f'<b id="term-key">x</b> {term}', BOOK[3]) == '<b id="appendix-glossary--term-key">x</b> keys'


FORMULA = (
    '<span class="formula"><span class="katex"><span class="katex-mathml" data-search-exclude><math><semantics>'
    '<mi>x</mi><annotation encoding="application/x-tex">\\sqrt{d_k} &lt; "1"</annotation></semantics></math></span>'
    '<span class="katex-html" aria-hidden="true"><i>x</i></span></span></span>'
)


def test_a_formula_is_a_picture_that_has_words():
    assert chapter(f"<p>{FORMULA}, {FORMULA}</p>") == "<p>{0}, {0}</p>".format(
        '<span class="formula" role="img" aria-label="\\sqrt{d_k} &lt; &quot;1&quot;"><span class="katex">'
        '<span class="katex-html"><i>x</i></span></span></span>'
    )


def test_bookmarks_have_the_words_of_headings():
    made = chapter(f"<h1>Why\n{FORMULA} &amp; so</h1><h2><code>nan</code></h2>")
    assert document.headings(made) == ['2.5 Why √dₖ<"1" & so', "nan"]


# ---- the program


def run(project: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "book.finish.pdf", *arguments],
        cwd=project,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


@pytest.mark.thorough
def test_what_cannot_be_printed_is_said_in_a_line(_little_book, tmp_path):
    told = run(_little_book, "--site", str(tmp_path))
    assert told.returncode == 1 and "run `mkdocs build --strict` first" in told.stderr and not told.stdout
    told = run(_little_book, "fr")
    assert told.returncode == 2 and "no such language: fr" in told.stderr
    told = run(_little_book, "en", CHROMIUM="", PATH="")
    assert told.returncode == 1 and "set CHROMIUM" in told.stderr and "Traceback" not in told.stderr


@pytest.mark.thorough
def test_what_is_wider_than_a_page_is_refused(tmp_path):
    """Chromium would print everything smaller."""
    require_browser()
    whole = '<article id="here"><p>fits</p><p style="width: 200mm">too wide</p></article>'
    with pytest.raises(document.PdfError, match=r"\['here: too wide'\]"):
        pdf.printed(whole, [], tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize(("over", "refused"), [(7, False), (20, True)])
def test_what_hangs_over_the_end_of_a_line_is_not_wider_than_the_page(tmp_path, over, refused):
    """The edge of inline code does, by more or less with other fonts, and a space."""
    require_browser()
    code = f'<code style="font-size: 12px; left: {over}px; position: relative">hangs</code>'
    whole = f'<article id="here"><p style="text-align: right">{code}</p></article>'
    if refused:
        with pytest.raises(document.PdfError, match=r"\['here: hangs'\]"):
            pdf.printed(whole, [], tmp_path)
    else:
        assert pdf.printed(whole, [], tmp_path).startswith(b"%PDF")


@pytest.fixture(scope="module")
def printed_little_book(_little_book, tmp_path_factory) -> dict[str, Printed]:
    """The little book as printed, by language."""
    require_browser()
    site = Path(shutil.copytree(_little_book / "site", tmp_path_factory.mktemp("printed") / "site"))
    told = run(_little_book, "--site", str(site))
    assert told.returncode == 0, told.stderr
    assert "ko: 3 pages of the site" in told.stdout and "en: printed once" in told.stdout
    files = {"ko": site / "executable-transformer.ko.pdf", "en": site / "en" / "executable-transformer.en.pdf"}
    return {language: Printed(path.read_bytes()) for language, path in files.items()}


def test_a_little_book_is_printed_with_outline_and_page_numbers(printed_little_book):
    book = printed_little_book["en"]
    assert book.outline == [
        (1, "Contents of the book", 2),
        (1, "A little book", 3),
        (1, "Twice", 4),
        (2, "A sum", 5),
        (1, "A lab", 6),
        (2, "Check yourself", 6),
    ]
    assert book.text(2).endswith("ContentsofthebookAlittlebook3Twice4Alab6")
    assert [title for _, title, _ in printed_little_book["ko"].outline] == [
        "책의 차례",
        "작은 책",
        "두 배",
        "더하기",
        "실습",
        "확인 문제",
    ]


def test_its_answers_say_whether_they_are_right_and_why(printed_little_book):
    text = printed_little_book["en"].text(6)
    assert "Byadding" in text and "Wrong.Itismultiplied." in text and "Right.Fourtimes." in text


def test_its_links_lead_to_its_pages(printed_little_book):
    book = printed_little_book["en"]
    found = {(page, target) for page, _, target in book.links if target}
    assert {(2, 3), (2, 4), (2, 6), (3, 4), (6, 5), (5, 5)} <= found
    assert all(target or address.startswith("http") for _, address, target in book.links)


def test_it_says_what_it_is(printed_little_book):
    for language, title in (("ko", "실행하며 배우는 트랜스포머"), ("en", "The Executable Transformer")):
        file = printed_little_book[language].file
        assert (file.docinfo["/Title"], file.docinfo["/Author"]) == (title, document.AUTHOR)
        assert file.Root["/Lang"] == language and file.Root["/MarkInfo"]["/Marked"]


def test_its_solutions_formulas_and_outputs_can_be_read(printed_little_book):
    text = printed_little_book["en"].between(4, 6)
    assert "Solution4x." in text and "Bythedefinitionofasum." in text and "2x=x+xalways" in text
    assert "print(double(3))Output6" in text and "2x=42" in text
    words = [str(one["/Alt"]) for one in printed_little_book["en"].file.objects
             if isinstance(one, pikepdf.Dictionary) and "/Alt" in one]  # fmt: skip
    assert "2x" in words and "A line through the origin" in words
    assert "풀이4x입니다." in printed_little_book["ko"].between(4, 5)


def test_the_first_page_offers_a_pdf_only_where_the_deployment_says_so(_little_book):
    for root in ("", "en/"):
        assert "md-button pdf" not in (_little_book / "site" / root / "index.html").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_first_page_leads_to_the_pdf(little_book):
    built = mkdocs(little_book, "build", "--strict", OFFER_PDF="1")
    assert built.returncode == 0, built.stdout
    for language, root in (("ko", ""), ("en", "en/")):
        home = (little_book / "site" / root / "index.html").read_text(encoding="utf-8")
        assert f'<a class="md-button pdf" href="{document.words(language)["pdf"]}"' in home
        assert "md-button pdf" not in (little_book / "site" / root / "page" / "index.html").read_text(encoding="utf-8")
