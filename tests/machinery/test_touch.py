"""What the build does for figures that a reader can touch."""

from __future__ import annotations

import xml.etree.ElementTree as etree

import pytest

from book.artifacts.labs import jupyter_markdown
from book.checks import pictures
from book.finish.styles import Styles
from book.markdown import touch
from book.source.pages import Book
from book.source.prose import TO_TRY, untouched


def test_the_figures_that_can_be_touched_have_names_and_what_they_share_has_none(tmp_path):
    for name in ("maths/a", "b/two", "b/one", "a/deep/c", "touchable"):
        touch.module_path(name, tmp_path).parent.mkdir(parents=True, exist_ok=True)
        touch.module_path(name, tmp_path).write_text("")
    assert touch.names(tmp_path) == ["b/one", "b/two"] and len(touch.scripts(tmp_path)) == 5
    assert touch.module_path("attention/soft_lookup").is_file() and "attention/soft_lookup" in touch.names()


@pytest.mark.parametrize(
    ("language", "said"), [("ko", ["직접 움직여 보기", "원래 그림 보기"]), ("en", ["Try it", "Back to the drawing"])]
)
def test_the_button_names_what_it_loads_and_says_how_to_go_back(language, said):
    button = touch.button("part/name", language)
    assert [label.text for label in button] == said and button.tag == "button" and not button.text
    assert {label.tag for label in button} == {"span"}
    assert button.attrib == {
        "type": "button",
        "class": "touch",
        "data-touch": "part/name",
        "data-failed": touch.FAILED[language],
        "data-search-exclude": "",
    }


@pytest.mark.parametrize("name", touch.LABELS["en"])
@pytest.mark.parametrize("language", touch.LABEL)
def test_a_button_that_says_more_says_how_to_go_back_too(name, language):
    says, back = (label.text for label in touch.button(name, language))
    assert len(says) > len(touch.LABEL[language][0]) and back == touch.LABEL[language][1]


@pytest.mark.parametrize(
    ("caption", "drawing", "stays"),
    [
        ("<p>A line. <em>To try:</em> x</p>", "A line. ", "To try: x"),
        ("<p>A <i>long</i> line. <em>To try:</em> <i>x</i></p>", "A long line. ", "To try: x"),
        ('<p><span class="caption-prefix">Figure 1.</span> A <b>c</b>d. <em>To try:</em> x</p>',
         " A cd. ", "Figure 1. To try: x"),
        ("<p><em>To try:</em> x</p>", "", "To try: x"),
        ("<p>Not <b>To try:</b> this. <em>To try:</em> x</p>", "Not To try: this. ", "To try: x"),
        ("<p>A <em>line</em>.</p>", None, "A line."),
    ],
)  # fmt: skip
def test_what_a_caption_says_about_the_drawing_can_be_hidden_and_what_to_try_stays(caption, drawing, stays):
    figure = etree.fromstring(f"<figcaption>{caption}</figcaption>")
    whole = "".join(figure.itertext())
    touch.mark_parts(figure, "en")
    found = figure.find(".//span[@class='drawing']")
    assert " ".join("".join(figure.itertext()).split()) == " ".join(whole.split())
    assert (None if found is None else "".join(found.itertext())) == drawing
    if found is not None:
        trying = figure.find(".//span[@class='trying']")
        assert "".join(trying.itertext()) == "To try: x" and "data-search-exclude" in trying.attrib
        found.text, found[:] = "", []
    assert " ".join("".join(figure.itertext()).split()) == stays


def test_a_notebook_says_nothing_of_what_cannot_be_touched_there():
    for mark in TO_TRY.values():
        assert untouched(f"One.\nTwo.  {mark} three, four.\nFive.") == "One.\nTwo.\nFive."
        assert untouched(f"{mark} three, four.") == ""
    assert untouched("To try: *this*.") == "To try: *this*."
    image = "![A line](../assets/figures/part/line.svg)"
    assert jupyter_markdown(f"One.\n\n{image}{touch.MARK}\n\nTwo. *To try:* x", "") == "One.\n\nTwo."


def test_only_a_page_with_such_a_figure_has_the_variables_that_it_needs():
    styles = Styles([":root{--a:1;--b:2;--c:3}p{x:var(--a)}"], [], ["--b"])
    assert styles.of('<button class="touch">', "") == ":root{--a:1;--b:2;}p{x:var(--a)}"
    assert styles.of("<p>", "") == ":root{--a:1;}p{x:var(--a)}"


def test_the_variables_are_those_of_the_scripts(tmp_path):
    (tmp_path / touch.FOLDER / "part").mkdir(parents=True)
    (tmp_path / touch.FOLDER / "part" / "a.js").write_text("`x: var(--one-1); y: var(--two, red)`")
    assert touch.variables(tmp_path) == {"--one-1", "--two"}
    assert {"--figure-ink", "--figure-query"} <= touch.variables()


HEAD = "---\ntitle: T\n---\n# T {#t}\n"
LINE = "![A long line that rises](../assets/figures/part/line.svg)"


@pytest.mark.parametrize(
    ("korean", "english", "said"),
    [
        (LINE + "{.touch}", LINE + "{.touch}", []),
        (LINE + "{.tuch}", LINE + "{.touch}", ["docs/ko/page.md:5: behind an image"]),
        (LINE + " {.touch}", LINE + "{.touch}", ["docs/ko/page.md:5: behind an image"]),
        (LINE + "{.touch}", LINE, ["part/line.js:1: nobody can touch this in docs/en"]),
        (
            LINE.replace("line.svg", "lime.svg") + "{.touch}",
            LINE + "{.touch}",
            ["docs/ko/page.md:5: there is no docs/assets/js/touch/part/lime.js; did you mean part/line?", "nobody"],
        ),
    ],
)
def test_a_mark_that_leads_nowhere_is_named_with_its_line(tmp_path, korean, english, said):
    texts = {
        "mkdocs.yml": "nav: [page.md]\n",
        "docs/ko/page.md": f"{HEAD}{korean}\n\n/// figure-caption\nA line. *움직여 보기:* x\n///\n",
        "docs/en/page.md": f"{HEAD}{english}\n\n/// figure-caption\nA line. *To try:* x\n///\n",
        "snippets/part/line.py": "",
        "snippets/figures/part/line.py": "",
        f"{touch.FOLDER}/part/line.js": "",
        f"{touch.FOLDER}/maths/line.js": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [str(problem) for problem in pictures.touchable_figures(Book.read(tmp_path))]
    assert len(found) == len(said) and all(part in problem for part, problem in zip(said, found, strict=True)), found


def test_a_script_without_a_figure_is_found(tmp_path):
    (tmp_path / touch.FOLDER / "part").mkdir(parents=True)
    (tmp_path / touch.FOLDER / "part" / "line.js").write_text("")
    (tmp_path / "mkdocs.yml").write_text("nav: []\n")
    (problem,) = pictures.touchable_figures(Book.read(tmp_path))
    assert "there is no snippets/figures/part/line.py" in str(problem)


def test_a_caption_says_what_to_try(tmp_path):
    texts = {
        "mkdocs.yml": "nav: [page.md]\n",
        "docs/ko/page.md": f"{HEAD}{LINE}{touch.MARK}\n\n/// figure-caption\nA line. *움직여 보기:* x\n///\n",
        "docs/en/page.md": f"{HEAD}{LINE}{touch.MARK}\n\n/// figure-caption\nA line. To try: x\n///\n",
        "snippets/part/line.py": "",
        "snippets/figures/part/line.py": "",
        f"{touch.FOLDER}/part/line.js": "",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (problem,) = pictures.touchable_figures(Book.read(tmp_path))
    assert str(problem).endswith("docs/en/page.md:5: say at the end of the caption what to try: *To try:* …")
