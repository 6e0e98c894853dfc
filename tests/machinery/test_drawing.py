"""Drawing what is out of date, and taking it into a page: ``book/artifacts/figures.py`` on figures made for it."""

from __future__ import annotations

import importlib.metadata
import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from markdown import Markdown

from book import LANGUAGES
from book.artifacts import card, figures, store
from book.artifacts.figures import FigureError
from book.markdown import inlined, touch
from book.markdown.inlined import FigureExtension, inline_svg
from snippets.figures import style
from snippets.tools import in_parallel
from snippets.tools.fingerprint import versions


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """The pictures for shared links are not written where they belong: changes to the module are tried, too. And no
    figure is open that another test of this process has drawn: of more than twenty, matplotlib warns."""
    monkeypatch.setattr(figures, "CARDS", tmp_path / "cards")
    style.plt.close("all")


# ---- which figures are out of date

LITTLE = {
    "snippets/part/base.py": "ONE = 1\n",
    "snippets/part/middle.py": "from snippets.part.base import ONE\n",
    "snippets/part/other.py": "import math\n",
    "snippets/part/unused.py": "",
    "snippets/figures/style.py": "",
    "snippets/figures/part/direct.py": "import snippets.part.base\n",
    "snippets/figures/part/indirect.py": "def draw(text):\n    from snippets.part import middle\n",
    "snippets/figures/part/relative.py": "from ...part.base import ONE\nfrom .. import style\n",
    "snippets/figures/part/apart.py": "from snippets.part import other\n",
}


@pytest.fixture
def little(tmp_path, monkeypatch) -> Path:
    """A project with four figures, all of them up to date."""
    for name, text in LITTLE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    drawn = tmp_path / "docs" / "assets" / "figures"
    drawn.mkdir(parents=True)
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    monkeypatch.setattr(figures, "MODULES", tmp_path / "snippets" / "figures")
    monkeypatch.setattr(figures, "DRAWN", drawn)
    monkeypatch.setattr(store, "FOLDER", tmp_path / "store")
    for name in figures.names():
        for language in LANGUAGES:
            figures.svg_path(name, language).parent.mkdir(exist_ok=True)
            figures.svg_path(name, language).write_text("<svg></svg>\n")
        figures.mark_drawn(name, figures.fingerprint(name))
    return tmp_path


ALL = ["part/apart", "part/direct", "part/indirect", "part/relative"]


def test_a_drawn_figure_is_up_to_date(little):
    assert figures.names() == ALL and figures.stale() == []


@pytest.mark.parametrize(
    "changed, expected",
    {
        "snippets/part/base.py": ["part/direct", "part/indirect", "part/relative"],
        "snippets/part/middle.py": ["part/indirect"],
        "snippets/part/other.py": ["part/apart"],
        "snippets/figures/part/apart.py": ["part/apart"],
        "snippets/figures/style.py": ALL,
        "snippets/part/unused.py": [],
    }.items(),
)
def test_a_figure_is_out_of_date_when_its_code_has_changed(little, changed, expected):
    with (little / changed).open("a", encoding="utf-8") as file:
        file.write("CHANGED = 1\n")
    assert figures.stale() == expected
    (little / changed).write_text(LITTLE[changed], encoding="utf-8")
    assert figures.stale() == [], "what was drawn from this code is still there"


@pytest.mark.parametrize(
    ("line", "narrow"),
    [
        ("def draw(text, width=1):", True),
        ("def draw(text, *, width=1):", True),
        ("def draw(text):", False),
        ("def draw(text, linewidth=1):", False),
        ("def draw(texts, width=1):", False),
        ("x = 1  # not def draw(text, width=1):", False),
    ],
)
def test_a_drawing_for_phones_is_told_by_an_argument(little, line, narrow):
    figures.module_path("part/apart").write_text(f"{line}\n    pass\n", encoding="utf-8")
    assert figures.has_narrow("part/apart") == narrow


@pytest.mark.parametrize("text", ["", "<svg>"])
def test_a_figure_of_which_a_part_was_written_is_out_of_date(little, text):
    figures.svg_path("part/apart", "en").write_text(text)
    assert figures.stale() == ["part/apart"]


def test_a_figure_is_out_of_date_when_it_imports_something_else(little):
    (little / "snippets" / "part" / "middle.py").write_text("from snippets.part import unused\n", encoding="utf-8")
    figures.mark_drawn("part/indirect", figures.fingerprint("part/indirect"))
    (little / "snippets" / "part" / "base.py").write_text("ONE = 2\n", encoding="utf-8")
    assert figures.stale() == ["part/direct", "part/relative"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_that_lacks_a_file_is_out_of_date(little, language):
    figures.svg_path("part/apart", language).unlink()
    assert figures.stale() == ["part/apart"]


@pytest.mark.parametrize("package", ["torch", "matplotlib", "numpy", "tokenizers", "kiwipiepy", "kiwipiepy_model"])
def test_all_are_out_of_date_with_another_version_of_a_library(little, monkeypatch, package):
    version = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0" if name == package else version(name))
    assert figures.stale() == ALL


def test_of_which_libraries_can_be_said(little):
    assert figures.fingerprint("part/apart", ["another"]) != figures.fingerprint("part/apart")


def test_the_figure_on_the_picture_for_shared_links_is_out_of_date_without_it(little, monkeypatch):
    monkeypatch.setattr(figures, "ON_CARD", "part/direct")
    monkeypatch.setattr(figures, "CARDS", little / "cards")
    figures.CARDS.mkdir()
    for language in LANGUAGES:  # in one language is not enough
        assert figures.stale() == ["part/direct"], "and no other is"
        figures.card_path(language).write_bytes(b"PNG")
    assert figures.stale() == []


@pytest.mark.parametrize("record", [None, "", "{"])
def test_all_are_out_of_date_without_a_record(little, record):
    for name in ALL:
        path = store.FOLDER / "figures" / f"{name}.json"
        path.unlink() if record is None else path.write_text(record)
    assert figures.stale() == ALL


def test_a_syntax_error_is_left_to_python(little):
    (little / "snippets" / "part" / "base.py").write_text("def\n", encoding="utf-8")
    assert figures.stale() == ["part/direct", "part/indirect", "part/relative"]


def test_a_figure_has_a_module_and_a_drawing_for_each_language(little):
    assert figures.module_path("part/apart") == little / "snippets" / "figures" / "part" / "apart.py"
    drawn = figures.svg_path("part/apart", "ko")
    assert drawn == little / "docs" / "assets" / "figures" / "part" / "apart.ko.svg" and drawn.is_file()
    for name in ("_private", ".hidden"):
        (little / "snippets" / "figures" / "part" / f"{name}.py").write_text("")
    assert figures.names() == ALL, "what is no figure is not drawn"


def test_a_figure_that_is_gone_is_not_out_of_date(little):
    figures.module_path("part/apart").unlink()
    figures.mark_drawn("part/direct", "of other code")
    assert figures.stale() == ["part/direct"]


def test_a_figure_with_numbers_is_up_to_date_with_them_alone(little):
    figures.module_path("part/apart").write_text("import x\n\n\ndef numbers():\n    return {}\n")
    figures.numbers_path("part/apart").write_text('{"whole":1}\n')
    figures.mark_drawn("part/apart", figures.fingerprint("part/apart"))
    assert figures.has_numbers("part/apart") and not figures.has_numbers("part/direct")
    assert figures.stale() == []
    figures.numbers_path("part/apart").write_text('{"half":')
    assert figures.stale() == ["part/apart"]
    figures.numbers_path("part/apart").unlink()
    assert figures.stale() == ["part/apart"]
    assert list(figures.drawn_paths("part/apart")) == [*LANGUAGES, "numbers"]
    assert list(figures.drawn_paths("part/direct")) == [*LANGUAGES]


def narrow(name: str) -> None:
    figures.module_path(name).write_text("import x\n\n\ndef draw(text, width=style.WIDTH):\n    pass\n")


def test_a_figure_that_can_be_narrow_is_up_to_date_with_both_drawings(little):
    narrow("part/apart")
    assert figures.has_narrow("part/apart") and not figures.has_narrow("part/direct")
    assert figures.kinds("part/apart") == ["ko", "en", "ko.narrow", "en.narrow"]
    assert figures.kinds("part/direct") == ["ko", "en"]
    for language in LANGUAGES:
        assert figures.stale() == ["part/apart"]
        figures.svg_path("part/apart", language + figures.NARROW).write_text("<svg></svg>\n")
    figures.mark_drawn("part/apart", figures.fingerprint("part/apart"))
    assert figures.stale() == []


def test_the_narrow_drawing_is_as_wide_as_the_text_of_a_phone(little, monkeypatch):
    narrow("part/apart")
    monkeypatch.setattr(figures.importlib, "import_module", lambda name: "the module")
    monkeypatch.setattr(style, "drawn", lambda *one, **form: (*one, form))
    assert figures.draw("part/apart") == {
        **{language: ("the module", language, {}) for language in LANGUAGES},
        **{f"{language}.narrow": ("the module", language, {"width": style.NARROW}) for language in LANGUAGES},
    }
    text = 360 - 2 * 0.4 * 20  # pixels: book.css leaves 0.4rem at either side
    assert style.SMALL * text / (72 * style.NARROW) >= 11, "labels of a phone of 360 pixels"


# ---- drawing


@pytest.fixture
def drawing(little, monkeypatch):
    """Figures that are drawn without matplotlib, and one after the other; ``broken`` holds those that cannot be."""
    broken: set[str] = set()

    def draw(name: str) -> dict[str, str]:
        if name in broken:
            raise ZeroDivisionError(name)
        return {language: f"<svg>{name} {language}</svg>\n" for language in LANGUAGES}

    monkeypatch.setattr(figures, "draw", draw)
    monkeypatch.setattr(figures, "processes", lambda: ThreadPoolExecutor(1))  # which know of this draw
    return broken


def main(*arguments: str) -> tuple[int, str, str]:
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        return figures.main(list(arguments)), out.getvalue(), err.getvalue()


def test_numbers_are_written_with_the_drawings(drawing, monkeypatch):
    figures.module_path("part/apart").write_text("\n\ndef numbers():\n    return {}\n")
    monkeypatch.setattr(figures, "draw", lambda name: {**dict.fromkeys(LANGUAGES, "<svg></svg>\n"), "numbers": "{}\n"})
    assert main("part/apart")[0] == 0 and figures.numbers_path("part/apart").read_text() == "{}\n"
    assert main("part/direct")[0] == 0 and not figures.numbers_path("part/direct").exists()


def test_numbers_are_drawn_as_short_json_and_none_of_them_is_missing(little, monkeypatch):
    module = SimpleNamespace(numbers=lambda: {"a": [1, 0.5]})
    monkeypatch.setattr(figures.importlib, "import_module", lambda name: module)
    monkeypatch.setattr(style, "drawn", lambda module, language: f"<svg>{language}</svg>\n")
    figures.module_path("part/apart").write_text("\n\ndef numbers():\n    return {}\n")
    svgs = {language: f"<svg>{language}</svg>\n" for language in LANGUAGES}
    assert figures.draw("part/direct") == svgs
    assert figures.draw("part/apart") == {**svgs, "numbers": '{"a":[1,0.5]}\n'}
    module.numbers = lambda: {"a": float("nan")}
    with pytest.raises(ValueError, match="not JSON compliant"):
        figures.draw("part/apart")


def change(little: Path, *names: str) -> None:
    for name in names:
        figures.module_path(name).write_text("changed = True\n", encoding="utf-8")


def text(name: str, language: str = "en") -> str:
    return figures.svg_path(name, language).read_text(encoding="utf-8").removesuffix("\n")


def test_what_is_out_of_date_is_drawn_and_nothing_else(little, drawing):
    change(little, "part/apart", "part/direct")
    code, out, err = main()
    assert (code, err) == (0, "") and [line.split()[:3] for line in out.splitlines()] == [
        ["figure", "1/2", "part/apart"],
        ["figure", "2/2", "part/direct"],
    ]
    assert re.search(r"\(\d+\.\d s\b.*\)$", out.splitlines()[0]), "and how long it took"
    assert {text(name, language) for name in ("part/apart", "part/direct") for language in LANGUAGES} == {
        f"<svg>part/{name} {language}</svg>" for name in ("apart", "direct") for language in LANGUAGES
    }
    assert text("part/indirect") == "<svg></svg>"
    assert figures.stale() == []
    assert main() == (0, "all figures are up to date\n", "")


def test_what_is_named_is_drawn_whether_out_of_date_or_not(little, drawing):
    change(little, "part/apart")
    assert main("part/direct")[0] == 0
    assert text("part/direct") == "<svg>part/direct en</svg>" and figures.stale() == ["part/apart"]


def test_a_figure_that_cannot_be_drawn_is_named_and_the_others_are_drawn(little, drawing):
    change(little, "part/apart", "part/direct", "part/relative")
    drawing.add("part/direct")
    code, out, err = main()
    assert code == 1 and "FAILED" in out and "could not draw: part/direct" in err and "part/apart" not in err
    assert "ZeroDivisionError: part/direct" in err and "up to date" not in out
    assert text("part/direct") == "<svg></svg>" and text("part/relative", "ko") == "<svg>part/relative ko</svg>"
    assert figures.stale() == ["part/direct"]


def test_the_first_drawing_makes_the_directories(little, drawing, monkeypatch):
    monkeypatch.setattr(figures, "DRAWN", little / "elsewhere" / "figures")
    assert main("part/apart")[0] == 0 and text("part/apart", "ko") == "<svg>part/apart ko</svg>"


def test_a_figure_of_a_new_part_makes_its_directory(little, drawing):
    figures.svg_path("part/apart", "en").unlink()
    new = figures.module_path("new/one")
    new.parent.mkdir()
    new.write_text("")
    assert main("new/one")[0] == 0 and text("new/one") == "<svg>new/one en</svg>"


def test_a_name_that_there_is_not_is_answered_with_the_nearest(little, drawing):
    code, out, err = main("part/apart", "part/aparts")
    assert (code, out) == (2, "") and "no snippets/figures/part/aparts.py; did you mean part/apart?" in err
    assert text("part/apart") == "<svg></svg>", "something was drawn all the same"


# ---- in a page

SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9">
<g id="unused"><path id="mark"/><use xlink:href="#mark"/><use href="#mark"/></g>
<clipPath id="clip-1"/><rect id="r" clip-path="url(#clip-1)"/><text>수 &lt; 2</text>
<svg id="inner"/></svg>
"""


@pytest.fixture
def drawn(little):
    for language in LANGUAGES:
        figures.svg_path("part/apart", language).write_text(SVG.replace("수", f"in {language}"), encoding="utf-8")
    return little


def test_ids_that_are_used_get_the_name_of_the_figure_and_others_go(drawn):
    root = ElementTree.fromstring(inline_svg("part/apart", "en", "alt"))
    assert [element.get("id") for element in root.iter() if element.get("id")] == [
        "part-apart-mark",
        "part-apart-clip-1",
    ]
    uses = [value for element in root.iter() for key, value in element.attrib.items() if key.endswith(("href", "path"))]
    assert uses == ["#part-apart-mark", "#part-apart-mark", "url(#part-apart-clip-1)"]


@pytest.mark.parametrize("alt", ["A picture", 'a < b & "c" > d', "값 'x'", ""])
def test_the_figure_is_one_image_with_the_alternative_text_as_its_name(drawn, alt):
    root = ElementTree.fromstring(inline_svg("part/apart", "ko", alt))
    assert (root.get("role"), root.get("aria-label"), root.get("width")) == ("img", alt, "9")
    assert [element.get("role") for element in root.iter() if element.get("role")] == ["img"]
    assert "in ko < 2" in "".join(root.itertext())


def test_a_figure_without_module_or_drawing_is_refused_with_what_to_do(drawn):
    with pytest.raises(FigureError, match=r"no snippets/figures/part/aparts\.py; did you mean part/apart\?"):
        inline_svg("part/aparts", "en", "alt")
    figures.module_path("part/direct").unlink()
    with pytest.raises(FigureError, match=r"no snippets/figures/part/direct\.py"):
        inline_svg("part/direct", "en", "alt")
    figures.svg_path("part/indirect", "en").unlink()
    with pytest.raises(FigureError, match="run: python -m book figures part/indirect"):
        inline_svg("part/indirect", "en", "alt")
    assert inline_svg("part/indirect", "ko", "alt")


def test_a_book_that_is_served_waits_for_a_drawing_but_not_for_a_module(drawn, monkeypatch):
    figures.svg_path("part/apart", "en").unlink()
    monkeypatch.setattr(FigureExtension, "waits", True)
    for mark in ("", touch.MARK):
        one, other = (f"../assets/figures/part/{name}.svg" for name in ("apart", "direct"))
        soup = page(f"![two *and* three]({one}){mark} ![]({other})")
        assert soup.find(class_="waits")["aria-label"] == "two *and* three" and not soup.find("button")
        assert soup.find(class_="waits").text == inlined.WAITS["en"] and touch.MARK not in soup.text
        assert len(soup.find_all("svg")) == 1, "the one that is drawn"
    with pytest.raises(FigureError, match=r"no snippets/figures/part/aparts\.py"):
        page("![a](../assets/figures/part/aparts.svg)")


def page(source: str, *language: str) -> BeautifulSoup:
    extensions = ["md_in_html", "tables", FigureExtension(*language)]
    return BeautifulSoup(Markdown(extensions=extensions).convert(source), "html.parser")


@pytest.mark.parametrize(("arguments", "language"), [(["ko"], "ko"), (["en"], "en"), ([], "en")])
def test_an_image_of_a_figure_becomes_the_figure_in_the_language_of_the_page(drawn, arguments, language):
    soup = page("Before ![An image](../assets/figures/part/apart.svg) after.", *arguments)
    box = soup.select_one("p > label.figure")
    assert box.has_attr("data-search-exclude") and not soup.find("img")
    assert f"in {language} < 2" in box.svg.get_text() and box.svg["aria-label"] == "An image"
    assert [str(part).strip() for part in soup.p.children if isinstance(part, str)] == ["Before", "after."]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_can_be_enlarged_without_scripts(drawn, language):
    box = page("![A](../assets/figures/part/apart.svg)", language).select_one("label.figure > input.enlarge")
    assert (box["type"], box["aria-label"]) == ("checkbox", inlined.ENLARGE[language])
    assert box.find_next_sibling().name == "svg" and len(box.find_next_siblings()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_has_both_drawings_and_says_once_what_they_show(drawn, language):
    narrow("part/apart")
    path = figures.svg_path("part/apart", language + figures.NARROW)
    with pytest.raises(FigureError, match=r"run: python -m book figures part/apart"):
        page("![A picture](../assets/figures/part/apart.svg)", language)
    path.write_text(SVG.replace("수", "narrow"), encoding="utf-8")
    soup = page("![A picture](../assets/figures/part/apart.svg)", language)
    small, large = soup.select("label.figure > svg")
    assert small["class"] == ["narrow"] and "narrow" in small.get_text() and f"in {language}" in large.get_text()
    assert small["role"] == large["role"] == "img" and small["aria-labelledby"] == large["id"]
    assert large["aria-label"] == "A picture" and str(soup).count("A picture") == 1
    ids = [element["id"] for element in soup.find_all(id=True)]
    assert len(ids) == len(set(ids)) == 5
    assert {use["xlink:href"] for use in small.find_all("use", {"xlink:href": True})} == {"#part-apart-narrow-mark"}


def test_every_figure_of_a_page_is_taken_in_and_other_images_stay(drawn):
    figures.svg_path("part/direct", "en").write_text("<svg>direct</svg>")
    figures.module_path("part/a-b").write_text("")
    figures.svg_path("part/a-b", "en").write_text("<svg>hyphen</svg>")
    assert page("![A](assets/figures/part/a-b.svg)").svg.get_text() == "hyphen"
    image, other = "![One](assets/figures/part/apart.svg)", "![Two](../../assets/figures/part/direct.svg)"
    soup = page(f"{image} {other}\n\n| a |\n|---|\n| {image} |\n\n- **{other}**")
    assert [box.parent.name for box in soup.select("label.figure")] == ["p", "p", "td", "strong"]
    assert not soup.find("img")
    for address in ("photo.png", "assets/figures/part/apart.png", "figures/part/apart.svg", "assets/figures/a.svg.png"):
        assert page(f"![A](../{address})").img["src"] == f"../{address}"
    assert page('<div markdown>\n<a src="assets/figures/part/apart.svg">x</a>\n</div>').find("a")


def test_only_images_become_figures_with_or_without_alternative_text(drawn):
    md = Markdown(extensions=[FigureExtension("en")])
    address = "assets/figures/part/apart.svg"
    root = ElementTree.fromstring(f'<div><img src="{address}"/><embed src="{address}"/><img/></div>')
    md.treeprocessors["figures"].run(root)
    assert [element.tag for element in root] == ["label", "embed", "img"]
    assert BeautifulSoup(md.htmlStash.rawHtmlBlocks[-1], "html.parser").svg["aria-label"] == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_that_is_marked_has_a_button_below_its_caption(drawn, language):
    def figure(mark: str) -> BeautifulSoup:
        image = f"![An image](../assets/figures/part/apart.svg){mark}"
        caption = {"pymdownx.blocks.caption": {"types": ["figure-caption"]}}
        extensions = [*caption, "attr_list", FigureExtension(language)]
        text = f"{image}\n\n/// figure-caption\nA caption.\n///\n\nMore.\n"
        soup = BeautifulSoup(Markdown(extensions=extensions, extension_configs=caption).convert(text), "html.parser")
        return soup.find("figure")

    assert figure("").select_one("label.figure svg") and not figure("").find("button")
    marked = figure(touch.MARK)
    assert [child.name for child in marked.find_all(recursive=False)] == ["p", "button", "figcaption"]
    assert marked.button["data-touch"] == "part/apart" and [*marked.button.strings] == [*touch.LABEL[language]]
    assert marked.select_one("p > label")["class"] == ["figure"] and "{" not in marked.get_text()


def test_a_button_stands_behind_a_figure_without_caption(drawn):
    soup = page("Before ![An image](../assets/figures/part/apart.svg){.touch} after.\n\nMore.")
    assert soup.select_one("p > label.figure ~ button") and soup.p.get_text().split()[:1] == ["Before"]
    assert "{" not in soup.get_text()


# ---- in processes, and with matplotlib

#: Stands for the command that draws: says how it was called, and what it may write.
COMMAND = """
import json, os, sys
from pathlib import Path

words = [sys.dont_write_bytecode, os.environ.get("A_WORD")]
open("called.json", "w").write(json.dumps([sys.argv[1:], *words, os.getcwd()]))
sys.exit(int(Path("code").read_text()))
"""


@pytest.fixture
def command(little, monkeypatch):
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("A_WORD", "of the caller")
    room = little / "book" / "artifacts"
    room.mkdir(parents=True)
    for folder in (room, room.parent):
        (folder / "__init__.py").write_text("")
    (room / "figures.py").write_text(COMMAND)
    (little / "code").write_text("0")
    return little


def called(command: Path) -> list | None:
    path = command / "called.json"
    return json.loads(path.read_text()) if path.exists() else None


def test_a_build_draws_in_a_process_of_its_own_what_is_out_of_date(command):
    figures.draw_anew(figures.stale())
    assert called(command) is None, "nothing is out of date"
    change(command, "part/apart", "part/relative")
    figures.draw_anew(figures.stale())
    arguments, no_byte_code, word, directory = called(command)
    assert [name for name in arguments if not name.startswith("-")] == ["part/apart", "part/relative"]
    assert not no_byte_code, "each process would compile the libraries anew where nobody has"
    assert word == "of the caller" and Path(directory) == command


def test_a_build_names_what_could_not_be_drawn(command):
    change(command, "part/apart", "part/relative")
    (command / "code").write_text("1")
    with pytest.raises(FigureError, match="part/apart, part/relative"):
        figures.draw_anew(figures.stale())


@pytest.mark.parametrize("copies, cores", [(True, 2), (True, 3), (False, 3)])
@pytest.mark.parametrize(
    ("names", "started"),
    [(["part/apart"], 0), (["part/apart", "part/direct"], 0), (["part/apart", "part/direct", "part/indirect"], 1)],
)
def test_processes_are_started_for_more_than_two(little, drawing, monkeypatch, names, started, copies, cores):
    pools = []
    monkeypatch.setattr(figures.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(figures, "COPIES", copies)
    monkeypatch.setattr(figures, "processes", lambda: pools.append(ThreadPoolExecutor(1)) or pools[-1])
    assert main(*names)[0] == 0 and len(pools) == started
    assert all(text(name) == f"<svg>{name} en</svg>" for name in names)


@pytest.mark.parametrize("copies, cores", [(True, 1), (True, None), (False, 1), (False, 2), (False, None)])
def test_one_process_draws_all_where_another_one_would_not_pay(little, drawing, monkeypatch, copies, cores):
    """With labs on the second core, the libraries would have to be loaded again."""
    monkeypatch.setattr(figures.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(figures, "COPIES", copies)
    monkeypatch.setattr(figures, "processes", lambda: pytest.fail("another one was started"))
    loaded = []
    monkeypatch.setattr(figures, "_load", lambda: loaded.append("once"))
    names = ["part/apart", "part/direct", "part/indirect"]
    assert main(*names)[0] == 0 and all(text(name) == f"<svg>{name} en</svg>" for name in names)
    assert loaded == ["once"]


@pytest.mark.parametrize("copies, method", [(True, "forkserver"), (False, "spawn")])
def test_there_are_as_many_processes_as_cores_and_where_they_can_be_copies_they_are(monkeypatch, copies, method):
    asked = []
    context = SimpleNamespace(set_forkserver_preload=asked.append)
    monkeypatch.setattr(figures, "COPIES", copies)
    monkeypatch.setattr(figures.os, "cpu_count", lambda: 5)
    monkeypatch.setattr(figures.multiprocessing, "get_context", lambda name: asked.append(name) or context)
    monkeypatch.setattr(
        figures, "ProcessPoolExecutor", lambda workers, context, initializer: (workers, context, initializer)
    )
    assert figures.processes() == (5, context, figures._prepare)
    assert asked == [method, list(figures.LOADED)][: 1 + copies]


def test_a_process_that_draws_has_loaded_what_all_figures_use_before_the_first_one(monkeypatch):
    done = []
    monkeypatch.setattr(in_parallel, "prepare", lambda: done.append("prepare"))
    monkeypatch.setattr(figures.importlib, "import_module", done.append)
    monkeypatch.setattr(figures.gc, "freeze", lambda: done.append("freeze"))
    figures._prepare()
    assert done == ["prepare", "snippets.figures.style", "freeze"]


def test_drawing_trains_nothing(little, drawing, monkeypatch):
    monkeypatch.delenv("BOOK_TRAINS_NOTHING")
    assert main()[0] == 0 and figures.os.environ["BOOK_TRAINS_NOTHING"] == "1"


def test_of_those_that_are_out_of_date_only_those_that_were_asked_for_are_named(command):
    change(command, "part/apart", "part/relative")
    (command / "code").write_text("1")
    with pytest.raises(FigureError, match="could not draw: part/apart \\("):
        figures.draw_anew(["part/apart", "part/direct"])


def test_a_build_killed_between_two_files_of_a_figure_leaves_it_out_of_date(little, monkeypatch):
    """Also when its code is taken back meanwhile, and is that of the file which was not written."""
    source, write = little / "snippets" / "figures" / "part" / "apart.py", figures.files.write
    before = source.read_text(encoding="utf-8")
    source.write_text(f"{before}NEW = 1\n", encoding="utf-8")

    def killed(path, content):
        if path == figures.svg_path("part/apart", LANGUAGES[1]):
            raise KeyboardInterrupt
        write(path, content)

    monkeypatch.setattr(figures, "_load", lambda: None)
    monkeypatch.setattr(figures, "draw", lambda name: dict.fromkeys(LANGUAGES, "<svg>new</svg>\n"))
    monkeypatch.setattr(figures.files, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        figures.main(["part/apart"])
    source.write_text(before, encoding="utf-8")
    assert figures.stale() == ["part/apart"]
    monkeypatch.setattr(figures.files, "write", write)
    assert figures.main([]) == 0 and figures.stale() == []
    assert {figures.svg_path("part/apart", language).read_text() for language in LANGUAGES} == {"<svg>new</svg>\n"}


def test_half_a_picture_for_shared_links_never_stands_where_a_whole_one_does(tmp_path, monkeypatch):
    def killed(part, whole):
        raise KeyboardInterrupt

    monkeypatch.setattr(figures, "CARDS", tmp_path)  # again, where mutants run it without the fixture
    first = figures.card_path(LANGUAGES[0])
    first.write_bytes(b"before")
    monkeypatch.setattr(card, "drawn", lambda *arguments: b"PNG")
    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        figures.draw(figures.ON_CARD)
    assert first.read_bytes() == b"before"


def test_how_long_it_took(little, monkeypatch):
    monkeypatch.setattr(figures, "draw", lambda name: {"en": f"<svg>{name}</svg>"})
    svgs, code, took, problem = figures._drawn("part/apart", versions(figures.LIBRARIES))
    assert (svgs, code, problem) == ({"en": "<svg>part/apart</svg>"}, figures.fingerprint("part/apart"), "")
    assert re.fullmatch(r"\d\.\d s", took), took


@pytest.mark.parametrize(
    "known, hangul", [(["DejaVu Sans", "NanumGothic"], True), (["DejaVu Sans", "Noto Sans CJK JP"], True), ([], False)]
)
def test_one_figure_is_also_the_picture_for_shared_links(tmp_path, monkeypatch, known, hangul):
    """In each language, and in English where no font could set the Korean one."""
    taken = []
    monkeypatch.setattr(figures, "CARDS", tmp_path / "cards")
    monkeypatch.setattr(card, "installed", lambda: known)
    monkeypatch.setattr(card, "drawn", lambda *arguments: taken.append(arguments) or b"PNG")
    assert "<svg" in figures.draw(figures.ON_CARD)["en"] and figures.draw("attention/context_shift")
    assert len(taken) == len(LANGUAGES)
    for language, (figure, title, subtitle, fonts) in zip(LANGUAGES, taken, strict=True):
        assert figures.card_path(language).read_bytes() == b"PNG"
        words = " ".join(text.get_text() for text in figure.findobj(style.plt.Text))
        korean = language == "ko" and hangul
        assert [bool(re.search("[가-힣]", text)) for text in (words, title, subtitle)] == [korean] * 3, language
        assert re.search("[a-z]{4}", title) or korean
        assert fonts == ([known[-1]] if korean else ["DejaVu Sans"])


def test_a_figure_is_drawn_in_each_language():
    drawn = figures.draw("attention/context_shift")
    assert list(drawn) == list(LANGUAGES) and drawn["ko"] != drawn["en"]
    assert all("<svg" in svg for svg in drawn.values())
