"""The figures: what is in them, when they are drawn, and how a page takes them in."""

from __future__ import annotations

import base64
import importlib
import inspect
import io
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from types import ModuleType
from unittest.mock import patch
from xml.etree import ElementTree

import numpy as np
import pytest
from filelock import FileLock
from PIL import Image

from book import LANGUAGES, ROOT
from book.artifacts import figures, made, store
from book.markdown import inlined
from snippets.figures import style
from tests.machinery.little_book import copy_machinery

NAMES = figures.names()
DRAWN = [(name, kind) for name in NAMES for kind in figures.kinds(name)]
XMLNS = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def for_all(*cases: tuple[str, ...]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of a rule that holds for many figures. It names each that breaks the rule, and not only the first.

    ``cases``: what the rule is called with after its fixture, which is ``svg`` or none.
    """

    def decorated(rule: Callable[..., None]) -> Callable[..., None]:
        def broken(*fixture: Callable[[str, str], str]) -> str:
            said = []
            for case in cases:
                try:
                    rule(*fixture, *case)
                except AssertionError as error:
                    said.append(f"{'.'.join(case)}: {error}")
            return "\n".join(said)

        if "svg" in inspect.signature(rule).parameters:

            def test(svg):
                assert not (said := broken(svg)), said
        else:

            def test():
                assert not (said := broken()), said

        test.__name__, test.__doc__ = rule.__name__, rule.__doc__
        test.pytestmark = getattr(rule, "pytestmark", [])  # type: ignore[attr-defined]
        return test

    return decorated


for_all_figures = for_all(*((name,) for name in NAMES))
for_all_drawings = for_all(*DRAWN)


@pytest.fixture(scope="module")
def drawn() -> Path:
    """The figures of this repository, drawn in a process of their own where they are out of date."""
    with FileLock(made.LOCK):  # a build that another process tests draws them too
        run = subprocess.run(
            [sys.executable, "-m", "book.artifacts.figures"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
    assert run.returncode == 0, run.stderr
    assert run.stderr == "", "drawing the figures is not silent"
    return figures.DRAWN


@pytest.fixture
def svg(drawn, monkeypatch):
    """``svg(name, kind)``: the text of a drawn figure."""
    monkeypatch.setattr(figures, "DRAWN", drawn)
    return lambda name, kind: figures.svg_path(name, kind).read_text(encoding="utf-8")


def module(name: str) -> ModuleType:
    return importlib.import_module(f"snippets.figures.{name.replace('/', '.')}")


def every(root: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    return root.findall(f".//{{*}}{tag}")


def labels(svg: str) -> list[str]:
    """Each text of the figure, as a reader would copy it."""
    return ["".join(text.itertext()) for text in every(ElementTree.fromstring(svg), "text")]


def strings(text) -> Iterator[str]:
    """All strings in what a module has in TEXT for a language."""
    if isinstance(text, str):
        yield text
    else:
        for part in text.values() if isinstance(text, dict) else text:
            yield from strings(part)


def pattern(string: str) -> re.Pattern[str]:
    """What a string of TEXT becomes: d_k is set as d with a small k, and {} filled with a number."""
    plain = re.sub(r"[_^](?=[A-Za-z0-9])", "", string)
    return re.compile(r"[-\d.,]+".join(map(re.escape, re.split(r"\{[^}]*\}", plain))))


def own_strings(name: str) -> dict[str, list[str]]:
    text = module(name).TEXT
    assert set(text) == set(LANGUAGES), f"snippets/figures/{name}.py: TEXT needs {LANGUAGES}"
    return {language: [string for string in strings(text[language]) if string] for language in text}


def css_of(element: ElementTree.Element) -> dict[str, str]:
    """The style of an element itself, from its attributes and its style attribute."""
    declarations = (part.partition(":") for part in element.get("style", "").split(";") if part.strip())
    return dict(element.attrib) | {name.strip(): value.strip() for name, _, value in declarations}


def is_a_line(path: ElementTree.Element) -> bool:
    """Whether a path goes from one point to another and no further: it has a stroke, and nothing to fill."""
    return re.fullmatch(r"\s*M[-\d. ]+L[-\d. ]+", path.get("d", "")) is not None


# ---- what is in a figure


@pytest.mark.thorough  # the build has drawn all of them
@for_all_figures
def test_drawn_again_it_has_the_same_bytes(svg, name):
    """Here in this process, in ``svg`` in another one with other hashes of strings."""
    again = figures.draw(name)
    for kind in figures.kinds(name):
        assert again[kind] == svg(name, kind), f"snippets/figures/{name}.py: seed what is random, sort what is a set"


def other(measured, count):
    """The same with other numbers."""
    if isinstance(measured, dict):
        return {key: other(value, count) for key, value in measured.items()}
    if isinstance(measured, list):
        return [other(value, count) for value in measured]
    return measured * next(count)


@pytest.mark.thorough
@for_all(*((name,) for name in NAMES if "def measured" in figures.module_path(name).read_text(encoding="utf-8")))
def test_a_figure_shows_the_times_that_were_kept(name):
    figure, first = module(name), figures.draw(name)
    kept = figure.measured()
    with patch.object(figure, "measured", lambda: other(kept, itertools.count(1))):
        assert all(svg != first[language] for language, svg in figures.draw(name).items())


@for_all_drawings
def test_labels_are_text_in_the_language_of_the_page(svg, name, kind):
    texts, language = own_strings(name), kind.removesuffix(figures.NARROW)
    shown = labels(svg(name, kind))
    for string in texts[language]:
        assert any(pattern(string).fullmatch(label) for label in shown), f"{string!r} is not in the figure: {shown}"
    foreign = {string for other in texts for string in texts[other]} - set(texts[language])
    for string in foreign:
        found = [label for label in shown if pattern(string).fullmatch(label)]
        assert not found, f"{name}.{kind}.svg says {found}, which is in the other language"
    if language == "en" and not hasattr(module(name), "SHOWS_KOREAN"):
        assert not re.search("[가-힣]", svg(name, kind))


#: What is called the same in both languages.
OWN_NAMES = r"\b(BLEU|SGD|Adam|GPT|ViT|CNN|LoRA|ReLU|GELU|SwiGLU|GEGLU|GeGLU|RMSNorm|RoPE|\d-gram)\b"


def test_what_matters_most_has_a_drawing_for_phones():
    """The figures that carry the argument of a part."""
    parts = {name.partition("/")[0] for name in NAMES if figures.has_narrow(name)}
    assert parts == {"before", "attention", "positions", "block", "model", "training", "families", "llm"}
    assert sum(map(figures.has_narrow, NAMES)) >= 30


@for_all_figures
def test_every_word_is_translated(name):
    texts = own_strings(name)
    assert len(texts["ko"]) == len(texts["en"]), f"snippets/figures/{name}.py: TEXT has more in one language"
    for korean, english in zip(texts["ko"], texts["en"], strict=True):
        words = re.sub(OWN_NAMES, "", english)
        assert korean != english or not re.search("[A-Za-z]{3}", words), f"{english!r} is not translated"


@for_all_drawings
def test_nothing_else_is_in_the_file(svg, name, kind):
    # a heatmap of thousands of cells is a picture within the figure
    text = re.sub(r'xlink:href="data:image/png;base64,\s*[A-Za-z0-9+/=\s]*"', 'xlink:href="#"', svg(name, kind))
    assert text.startswith("<svg ") and text.endswith("</svg>\n")
    for unwanted in ("font-family", "<script", "<style", "<metadata", "<!--", "data:", "@import"):
        assert unwanted not in text, f"{name}.{kind}.svg has {unwanted}"
    assert set(re.findall(r"https?:[^\"' ]*", text)) <= XMLNS
    for element in ElementTree.fromstring(text).iter():
        for attribute, value in element.attrib.items():
            assert not attribute.lower().startswith("on"), f"{attribute} is a script"
            if attribute.rpartition("}")[2] == "href":
                assert value.startswith("#"), f"{attribute}={value!r} leads out of the figure"


@for_all_drawings
def test_labels_are_large_enough_and_within_the_figure(svg, name, kind):
    root = ElementTree.fromstring(svg(name, kind))
    _, _, width, height = map(float, root.get("viewBox").split())
    inches = style.NARROW if kind.endswith(figures.NARROW) else style.WIDTH
    assert width == pytest.approx(72 * inches, abs=0.01), "a page has one width for all figures: style.WIDTH"
    for text in every(root, "text"):
        size = re.search(r"\b([\d.]+)px", text.get("style"))
        least = style.SMALL if inches == style.NARROW else 8
        assert float(size[1]) >= least, f"{''.join(text.itertext())!r} is too small to read on a phone"
        turned = re.search(r"rotate\(\S+ (\S+) (\S+)\)", text.get("transform", ""))
        x, y = turned.groups() if turned else (text.get("x"), text.get("y"))
        assert 0 <= float(x) <= width and 0 <= float(y) <= height, f"{''.join(text.itertext())!r} is outside"


def test_geometry_is_rounded_and_labels_are_not():
    figure, ax = style.canvas(50)
    ax.plot([1.23456, 100], [2.34567, 20], color=style.INK)
    ax.text(10, 20, "0.1361234")
    text = style.to_svg(figure)
    assert labels(text) == ["0.1361234"]
    geometry = re.sub(r">[^<]*<", "><", text)
    assert re.search(r"\d\.\d\d\b", geometry) and not re.search(r"\d\.\d{3}", geometry)


def test_a_picture_of_many_cells_is_as_wide_as_its_axes():
    figure, ax = style.canvas(40, style.NARROW)
    ax.imshow(np.zeros((4, 512)), aspect="auto", extent=(0, 72 * style.NARROW, 40, 0), interpolation="none")
    width, scale = re.search(r'width="(\d+)" height="4" transform="matrix\(([\d.]+) ', style.to_svg(figure)).groups()
    assert int(width) * float(scale) == pytest.approx(72 * style.NARROW, abs=1)


@pytest.mark.parametrize("label", ["d_k", "√d_k로 나눔", "QK^T", "x_1^T y_2 z", "d_model = 6"])
def test_subscripts_are_low_and_what_follows_is_not(label):
    figure, ax = style.canvas(50)
    ax.text(10, 20, label)
    text = style.to_svg(figure)
    assert labels(text) == [re.sub("[_^]", "", label)]
    marked = dict(zip(re.findall(r"[_^](\w)", label), re.findall(r"[_^]", label), strict=False))
    level, low_or_high = 0.0, []
    for span in every(ElementTree.fromstring(text), "tspan"):
        small = re.search(r"font-size: (\d+)%", span.get("style", ""))
        size = float(small[1]) / 100 if small else 1.0
        level += float(span.get("dy").removesuffix("em")) * size
        if small:
            low_or_high.append("_" if level > 0.1 else "^" if level < -0.1 else "")
        else:
            assert abs(level) < 0.02, f"{span.text!r} is not back on the line"
    assert low_or_high == re.findall(r"[_^]", label) and marked


# ---- the numbers


def rounded(number: float, places: int) -> str:
    return str(Decimal(number).quantize(Decimal(1).scaleb(-places)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_attention_steps_shows_every_number_correctly_rounded(svg, language):
    from snippets.attention.scaled_dot_product import scaled_dot_product_attention
    from snippets.figures.attention.attention_steps import W_K, W_Q, W_V, X

    query, key, value = X @ W_Q, X @ W_K, X @ W_V
    output, weights = scaled_dot_product_attention(query, key, value)
    exact = [X, query, key, value, query @ key.T]
    expected = [str(int(number)) for matrix in exact for number in matrix.flatten().tolist()]
    expected += [rounded(number, 4) for matrix in (weights, output) for number in matrix.flatten().tolist()]
    shown = [label for label in labels(svg("attention/attention_steps", language)) if re.fullmatch(r"-?[\d.]+", label)]
    assert sorted(shown) == sorted(expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_soft_lookup_shows_weights_and_answer(svg, language):
    shown = labels(svg("attention/soft_lookup", language))
    assert {"0.3569", "0.5324", "0.0534", "0.0178", "0.0395"} <= set(shown)
    assert any({"ko": "1876.2", "en": "161.0"}[language] in label for label in shown)


@for_all_drawings
def test_no_number_is_minus_zero(svg, name, kind):
    for label in labels(svg(name, kind)):
        assert not re.fullmatch(r"[-−]0(\.0*)?", label)


# ---- colours

#: What Material has where book.css sets nothing: --md-default-bg-color of the light scheme.
WHITE = "#ffffff"


def css_variables(selector: str) -> dict[str, str]:
    """The colours, #rrggbb, that book.css gives to variables in the block of ``selector``."""
    css = (ROOT / "docs" / "assets" / "css" / "book.css").read_text(encoding="utf-8")
    block = css[css.index(selector + " {") :].partition("}")[0]
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", block))


LIGHT, DARK = (css_variables(f'[data-md-color-scheme="{scheme}"]') for scheme in ("default", "slate"))
THEMES = {"light": LIGHT, "dark": DARK}


def channels(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def luminance(colour: list[float]) -> float:
    """Relative luminance, WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: list[float], other: list[float]) -> float:
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def background(theme: dict[str, str]) -> list[float]:
    return channels(theme.get("--md-default-bg-color", WHITE))


def variable(value: str) -> str | None:
    """The variable that a fill or stroke of a figure names, if its fallback is the colour in style.py."""
    found = re.fullmatch(r"var\((--[\w-]+), (#[0-9a-f]{6})\)", value)
    return found[1] if found and style.VARIABLES.get(found[2]) == found[1] else None


def test_contrast_is_measured_as_wcag_says():
    assert contrast(channels("#000000"), channels("#ffffff")) == pytest.approx(21)
    assert contrast(channels("#767676"), channels("#ffffff")) == pytest.approx(4.54, abs=0.005)


def test_a_figure_without_the_style_sheet_has_the_colours_of_the_light_theme():
    assert {name: LIGHT.get(name) for name in style.VARIABLES.values()} == {
        name: colour for colour, name in style.VARIABLES.items()
    }


@for_all(*itertools.product(THEMES, style.VARIABLES.values()))
def test_colours_can_be_told_from_the_page(theme, name):
    colours = THEMES[theme]
    assert name in colours, f"docs/assets/css/book.css does not set {name}"
    least = 4.5 if name == style.VARIABLES[style.INK] else 3
    assert contrast(channels(colours[name]), background(colours)) >= least


@for_all_drawings
def test_every_colour_is_a_variable(svg, name, kind):
    root = ElementTree.fromstring(svg(name, kind))
    hidden = {id(element) for defs in every(root, "defs") for element in defs.iter()}
    by_id = {element.get("id"): element for element in root.iter() if element.get("id")}

    def look(element: ElementTree.Element, fill: str, opacity: str) -> None:
        css = css_of(element)
        fill, opacity = css.get("fill", fill), css.get("fill-opacity", opacity)
        for value in (css.get("fill", "none"), css.get("stroke", "none")):
            assert value == "none" or variable(value), f"{value} is not in style.VARIABLES: {element.tag} {css}"
        kind = element.tag.rpartition("}")[2]
        if kind in ("path", "text", "tspan") and id(element) not in hidden:
            seen = opacity != "0" and fill != "none" and not is_a_line(element)
            assert not seen or variable(fill), f"black, since nothing is said: {element.tag} {css}"
        for child in element:
            look(child, fill, opacity)
        if kind == "use":  # what it refers to inherits from it
            used = by_id[css["{http://www.w3.org/1999/xlink}href"].removeprefix("#")]
            hidden.discard(id(used))
            look(used, fill, opacity)
            hidden.add(id(used))

    look(root, "black", "1")  # as SVG starts


@for_all(*((*drawing, theme) for drawing in DRAWN for theme in THEMES))
def test_labels_can_be_read_where_they_stand(svg, name, kind, theme):
    """On the page, and on cells and boxes of half-transparent colour."""
    root = ElementTree.fromstring(svg(name, kind))
    boxes = []
    for path in every(root, "path"):
        css = css_of(path)
        points = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", path.get("d"))]
        if variable(css.get("fill", "none")) and len(set(points)) == 4:
            xs, ys = zip(*points, strict=True)
            opacity = float(css.get("opacity", css.get("fill-opacity", 1)))
            boxes.append((min(xs), max(xs), min(ys), max(ys), channels(THEMES[theme][variable(css["fill"])]), opacity))
    for text in every(root, "text"):
        x, y, under = float(text.get("x", -1)), float(text.get("y", -1)), background(THEMES[theme])
        for left, right, top, bottom, colour, opacity in boxes:
            if left <= x <= right and top <= y <= bottom:
                under = [opacity * c + (1 - opacity) * u for c, u in zip(colour, under, strict=True)]
        ink = channels(THEMES[theme][variable(css_of(text)["fill"])])
        measured = contrast(ink, under)
        assert measured >= 4.5, f"{''.join(text.itertext())!r}: contrast {measured:.2f}; see style.DEEPEST"


# ---- the code behind a figure


@pytest.mark.thorough
@for_all_figures
def test_sources_are_the_modules_that_python_loads(name):
    def take_out() -> dict[str, ModuleType]:
        return {key: sys.modules.pop(key) for key in list(sys.modules) if key.partition(".")[0] == "snippets"}

    before = take_out()
    try:
        module(name)
    finally:
        loaded = {Path(module.__file__) for module in take_out().values()}
        sys.modules.update(before)
    expected = set(figures.sources(name))
    assert {path for path in loaded if path.name != "__init__.py"} == expected


@for_all_figures
def test_a_figure_imports_no_other_figure(name):
    below = {path for path in figures.sources(name) if path.is_relative_to(figures.MODULES)}
    shared = set(figures.MODULES.glob("*.py"))  # what several figures draw
    assert below <= {figures.module_path(name), *shared}


# ---- drawing

FIGURE = """\
from snippets.figures import style

TEXT = {"ko": "수", "en": "number"}


def draw(text):
    figure, ax = style.canvas(50)
    ax.text(10, 20, text)
    return figure
"""
BROKEN = FIGURE.replace("return figure", "return figure if text == '수' else 1 / 0")


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """The machinery of the figures with three of them, of which none is drawn and one cannot be."""
    modules = tmp_path / "snippets" / "figures"
    (modules / "part").mkdir(parents=True)
    copy_machinery(tmp_path)
    for name, text in {"first": FIGURE, "second": BROKEN, "third": FIGURE}.items():
        (modules / "part" / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(figures, "ROOT", tmp_path)
    monkeypatch.setattr(figures, "MODULES", modules)
    monkeypatch.setattr(figures, "DRAWN", tmp_path / "docs" / "assets" / "figures")
    monkeypatch.setattr(store, "FOLDER", tmp_path / ".cache" / "artifacts")
    return tmp_path


@pytest.mark.thorough
def test_drawing_draws_what_it_can_and_names_what_it_cannot(project, capfd):
    with pytest.raises(figures.FigureError) as error:
        figures.draw_anew(figures.stale())
    assert "second" in str(error.value) and "first" not in str(error.value) and "third" not in str(error.value)
    told = capfd.readouterr()
    lines = [line.split()[:3] for line in told.out.splitlines()]
    assert [line[:2] for line in lines] == [["figure", f"{number}/3"] for number in (1, 2, 3)]
    assert sorted(line[2] for line in lines) == ["part/first", "part/second", "part/third"]
    assert "ZeroDivisionError" in told.err and "second.py" in told.err
    assert sorted(path.name for path in figures.DRAWN.glob("part/*.svg")) == [
        f"{name}.{language}.svg" for name in ("first", "third") for language in ("en", "ko")
    ], "half a figure was written"
    assert figures.stale() == ["part/second"]

    (figures.MODULES / "part" / "second.py").write_text(FIGURE, encoding="utf-8")
    before = {path.name: path.stat().st_mtime_ns for path in figures.DRAWN.glob("part/*.svg")}
    figures.draw_anew(figures.stale())
    told = capfd.readouterr().out.splitlines()
    assert len(told) == 1 and told[0].startswith("figure 1/1  part/second")
    assert figures.stale() == []
    assert {name: (figures.DRAWN / "part" / name).stat().st_mtime_ns for name in before} == before

    figures.draw_anew(figures.stale())
    assert capfd.readouterr() == ("", "")


NOTING = """
import os
import time
from pathlib import Path

import torch

{}
_draw = draw


def draw(text):
    start = time.monotonic()
    time.sleep(0.7)
    with Path("notes").open("a") as file:
        print(os.getpid(), torch.get_num_threads(), start, time.monotonic(), file=file)
    return _draw(text)
"""


@pytest.mark.thorough
def test_figures_are_drawn_in_several_processes_where_there_are_cores_for_them(project, capfd, monkeypatch):
    (project / "sitecustomize.py").write_text("import os\n\nos.cpu_count = lambda: 3\n")  # which Python loads first
    monkeypatch.setenv("PYTHONPATH", str(project))
    for name in ("first", "second", "third"):
        (figures.MODULES / "part" / f"{name}.py").write_text(NOTING.format(FIGURE), encoding="utf-8")
    figures.draw_anew(figures.stale())
    assert figures.stale() == []
    notes = [line.split() for line in (project / "notes").read_text().splitlines()]
    assert {threads for _, threads, _, _ in notes} == {"1"}
    assert len({process for process, *_ in notes}) > 1, "one after the other, although there are cores"
    *_, last = capfd.readouterr().out.splitlines()
    assert re.fullmatch(r"figure 3/3  part/\w+ \([\d.]+ s\)", last)


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """The real figures, to be drawn into an empty directory."""
    monkeypatch.setattr(figures, "DRAWN", tmp_path / "drawn")
    monkeypatch.setattr(store, "FOLDER", tmp_path / "store")
    return tmp_path / "drawn"


def test_a_figure_can_be_drawn_by_name(here, capsys):
    assert figures.main(["attention/context_shift"]) == 0
    assert sorted(path.name for path in here.glob("attention/*.svg")) == [
        "context_shift.en.svg",
        "context_shift.ko.svg",
    ]
    assert capsys.readouterr().out.startswith("figure 1/1  attention/context_shift")
    assert set(figures.stale()) == set(NAMES) - {"attention/context_shift"}


def test_an_unknown_name_is_refused_with_what_may_have_been_meant(here, capsys):
    assert figures.main(["attention/context_shift", "attention/context_shaft"]) == 2
    told = capsys.readouterr().err
    assert "snippets/figures/attention/context_shaft.py; did you mean attention/context_shift?" in told
    assert not here.exists(), "something was drawn all the same"


def test_what_changes_while_it_is_drawn_is_drawn_again(here, monkeypatch):
    def draw(name):
        monkeypatch.setattr(figures, "fingerprint", lambda name, libraries=None: "of changed code")
        return dict.fromkeys(LANGUAGES, "<svg></svg>\n")

    monkeypatch.setattr(figures, "draw", draw)
    assert figures.main(["attention/context_shift"]) == 0
    assert "attention/context_shift" in figures.stale()


# ---- in a page


@for_all_drawings
def test_an_inlined_figure_is_an_image_with_a_name(svg, name, kind):
    alt = 'a < b & "c" > d'
    root = ElementTree.fromstring(inlined.inline_svg(name, kind, alt))
    assert root.tag.endswith("svg") and root.get("role") == "img" and root.get("aria-label") == alt
    assert "".join(root.itertext()) == "".join(ElementTree.fromstring(svg(name, kind)).itertext())


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_of_one_page_share_no_id_and_lead_nowhere_else(svg, language):
    within = {name: inlined.boxed(name, language, name) for name in NAMES}
    ids = {name: re.findall(r'\sid="([^"]+)"', text) for name, text in within.items()}
    used = {name: set(re.findall(r'(?:url\(#|href="#|labelledby=")([^)"]+)', text)) for name, text in within.items()}
    assert any(used.values()), "no figure refers to anything: this test says nothing"
    for name in NAMES:
        assert len(set(ids[name])) == len(ids[name])
        assert used[name] == set(ids[name]), "an id that is used is missing, or one is there that nobody uses"
    for one, other in permutations(NAMES, 2):
        assert not set(ids[one]) & set(ids[other])


def test_an_unknown_figure_is_refused(svg):
    figures.svg_path("removed", "en").write_text("<svg></svg>")  # drawn once, from a module that is gone
    try:
        for name in ("fancy", "removed"):
            with pytest.raises(figures.FigureError, match=f"no snippets/figures/{name}.py"):
                inlined.inline_svg(name, "en", "alt")
    finally:
        figures.svg_path("removed", "en").unlink()


def test_a_figure_that_is_not_drawn_says_how(here):
    with pytest.raises(figures.FigureError, match="python -m book figures attention/context_shift"):
        inlined.inline_svg("attention/context_shift", "en", "alt")


@pytest.mark.parametrize("language", LANGUAGES)
def test_markdown_takes_the_figure_in_the_language_of_the_page(svg, language):
    from markdown import markdown

    source = "Before ![It's *so*: a < b](../assets/figures/attention/context_shift.svg) after, ![photo](photo.png)."
    html = markdown(source, extensions=[inlined.FigureExtension(language)])
    shown = html[html.index("<svg") : html.index("</svg>") + len("</svg>")]
    assert labels(shown) == labels(svg("attention/context_shift", language))
    assert ElementTree.fromstring(shown).get("role") == "img"
    assert 'src="photo.png"' in html and "context_shift.svg" not in html and " after" in html


# ---- what the figures share


def test_means_are_those_of_the_steps_around_their_middle():
    steps, means = style.means([1, 3, 5, 7, 100], 2)
    assert steps.tolist() == [1.0, 3.0] and means.tolist() == [2.0, 6.0], "what is left over is left out"
    _, rows = style.means([[1.0, 3.0], [5.0, 5.0]], 2)
    assert rows.tolist() == [[2.0], [5.0]]


def named(*ends, label="one\nline {}"):
    """Axes with a line for each of some ends, all of them named, and the texts of that, from above for each."""
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2))
    for number, (end, colour) in enumerate(zip(ends, style.VARIABLES, strict=False)):
        ax.plot([1, 10, 100], [1, 1, end], color=colour, label=label.format(number))
    style.log_axes(ax, x=[1, 10, 100])
    ax.set_ylim(0, 10)
    style.name_lines(ax)
    return ax, [text for text in ax.texts if text.get_text()]


def in_points(ax, text):
    """Where a label starts, from the lower left corner of the axes."""
    return text.xy[1] * ax.bbox.height * 72 / ax.figure.dpi + text.xyann[1]


def test_a_line_is_named_at_its_end_in_its_colour_with_room_to_the_right():
    ax, texts = named(2, 8)
    assert [text.get_text() for text in texts] == ["one", "line 0", "one", "line 1"]
    assert [text.get_color() for text in texts] == [style.QUERY, style.QUERY, style.KEY, style.KEY]
    for upper, lower, end in zip(texts[::2], texts[1::2], (2, 8), strict=True):
        assert upper.xy == lower.xy == (1, pytest.approx(end / 10))
        assert upper.xyann[1] - lower.xyann[1] == style.LINE
        middle = (upper.xyann[1] + lower.xyann[1]) / 2 + 0.36 * style.SMALL
        assert abs(middle) < 0.01, "it is where the line ends"
    room = ax.figure.bbox.x1 - ax.bbox.x1
    assert room * 72 / ax.figure.dpi > texts[0].xyann[0] + style.width_of("line 0") * 0.94
    last, edge = ax.transData.transform([(100, 0), (ax.get_xlim()[1], 0)])[:, 0] - ax.bbox.x0
    assert last / edge == pytest.approx(1 / 1.015), "so much more, on an axis of either kind"
    style.plt.close(ax.figure)


@pytest.mark.parametrize("ends", [(5, 5.1, 5.05), (0, 0.1, 9), (10, 9.9, 9.8), (0, 10), (-50, 60)])
def test_labels_of_ends_that_are_close_move_apart_in_their_order_and_stay_in_the_axes(ends):
    ax, texts = named(*ends, label="{}")
    heights = {int(text.get_text()): in_points(ax, text) for text in texts}
    ranked = sorted(range(len(ends)), key=ends.__getitem__)
    for lower, upper in itertools.pairwise(ranked):
        assert heights[upper] - heights[lower] > style.LINE - 0.01
    height = ax.bbox.height * 72 / ax.figure.dpi
    assert -style.LINE < min(heights.values()) and max(heights.values()) < height
    strokes = [text for text in ax.texts if not text.get_text()]
    assert len(strokes) == (0 if len(ends) == 2 else 3), "a stroke to each end, if one has moved"
    style.plt.close(ax.figure)


def test_what_a_reader_draws_may_be_empty_or_end_before():
    ax, texts = named(5, float("nan"), float("inf"))
    assert [text.xy[1] for text in texts[::2]] == pytest.approx([0.1, 0.1, 0.5]), "the last that is finite"
    style.plt.close(ax.figure)
    figure, ax = style.plt.subplots()
    ax.plot([], [], label="nothing")
    style.name_lines(ax)
    assert not ax.texts
    style.plt.close(figure)


def test_what_is_named_where_it_is_alone_is_not_named_again():
    figure, ax = style.plt.subplots()
    ax.plot([0, 1], [0, 1], color=style.KEY, label="rising\nline")
    ax.plot([0, 1], [1, 0], label="falling")
    style.name_line(ax, "rising\nline", (0.8, 0.8), ha="right")
    assert ax.get_legend_handles_labels()[1] == ["falling"]
    lower, upper = ax.texts
    assert (upper.get_text(), lower.get_text()) == ("rising", "line") and upper.get_color() == style.KEY
    assert upper.xyann[1] - lower.xyann[1] == style.LINE and lower.get_ha() == "right"
    style.plt.close(figure)


@pytest.mark.parametrize(("language", "label"), [(None, "step"), ("en", "step"), ("ko", "스텝")])
def test_a_notebook_shows_a_figure_in_its_language_on_a_ground_of_its_own(monkeypatch, language, label):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.delenv("BOOK_LANGUAGE", raising=False)
    if language:
        monkeypatch.setenv("BOOK_LANGUAGE", language)
    style.show(
        importlib.import_module("snippets.figures.labs.broken_losses"),
        {"whole": [{"losses": [2.0] * 20}], "mine": [{"losses": [1.0] * 20}, {"losses": [1.5] * 20}]},
    )
    (picture,) = shown
    assert label in labels(picture.data) and "mine" in labels(picture.data), (
        "also a variant that the book does not know"
    )
    assert re.match(r'<svg [^>]*style="background: white; ', picture.data)


@pytest.mark.parametrize("colours, less", [(16, True), (300, False)])
def test_a_picture_of_few_colours_keeps_each_of_them_in_fewer_bytes(colours, less):
    values = np.arange(300 * 40).reshape(300, 40) % colours
    pixels = np.stack([values % 256, values // 256, 7 * values % 256, np.full_like(values, 255)], -1).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels, "RGBA").save(file, "png")
    before = base64.b64encode(file.getvalue()).decode()
    after = style._with_palette(before)
    assert (len(after) < len(before)) is less and (less or after == before)
    assert (np.asarray(Image.open(io.BytesIO(base64.b64decode(after))).convert("RGBA")) == pixels).all()


def test_a_picture_that_is_seen_through_stays_as_it_is():
    file = io.BytesIO()
    Image.new("RGBA", (4, 4), (1, 2, 3, 100)).save(file, "png")
    before = base64.b64encode(file.getvalue()).decode()
    assert style._with_palette(before) == before
