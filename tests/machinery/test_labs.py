"""The labs: pages that are notebooks as well, and what they say of their trainings."""

from __future__ import annotations

import itertools
import re
import statistics
import subprocess
import sys

import nbformat
import pytest

from book import ROOT, labs
from book.pages import Book
from snippets.labs.broken_translator import VARIANTS, trained_variant
from snippets.labs.post_pre_ln import results, run
from snippets.training.translator import date_exact_match, trained

LABS = labs.names()
PAGES = [(name, language) for name in LABS for language in labs.LANGUAGES]
each_lab = pytest.mark.parametrize("name", LABS)
each_page = pytest.mark.parametrize(("name", "language"), PAGES)
#: Bytes of HTML that the page of a lab may have.
HEAVIEST = 200_000


# ---- from a page to a notebook


def code(cells) -> list[str]:
    return [cell.text for cell in cells if cell.kind == "code"]


@each_lab
def test_both_languages_have_the_same_cells(name):
    korean, english = (labs.cells(name, language) for language in labs.LANGUAGES)
    assert code(korean) == code(english) and len(code(korean)) > 5
    assert [cell.kind for cell in korean] == [cell.kind for cell in english]


@each_page
def test_a_notebook_is_valid_and_holds_no_mark_up_of_the_book(name, language):
    notebook = labs.notebook(name, language, "https://book.example/")
    nbformat.validate(notebook)
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.search(r"///|\{[#:]|--8<--|^!\[|\\T\b", prose, re.M)
    assert len(re.findall(r"^#+ ", prose, re.M)) >= len(Book.read(ROOT).pages[language][f"labs/{name}.md"].headings())
    relative = [link for link in re.findall(r"\]\(([^)]+)\)", prose) if not link.startswith("https://")]
    assert not relative, "links lead back to the site"
    assert all(prose.count(mark) % 2 == 0 for mark in ("**", "$"))
    assert notebook.cells[-1].source.endswith((f"(https://book.example/labs/{name}/).", f"/labs/{name}/)"))


def test_links_of_a_notebook_lead_to_the_pages_of_the_site():
    def link(target: str) -> str:
        return labs.jupyter_markdown(f"[x]({target})", "https://book.example/en/labs/one/")[4:-1]

    assert link("two.md") == "https://book.example/en/labs/two/"
    assert link("two.md#part") == "https://book.example/en/labs/two/#part"
    assert link("index.md") == "https://book.example/en/labs/"
    assert link("../model/cost.md#a") == "https://book.example/en/model/cost/#a"
    assert link("../index.md") == "https://book.example/en/"
    assert link("#here") == "https://book.example/en/labs/one/#here"
    assert link("https://paper.example/x.pdf") == "https://paper.example/x.pdf"


def test_the_first_cell_finds_the_book_from_below_and_says_so_from_elsewhere(tmp_path):
    for language in labs.LANGUAGES:
        setup = labs.SETUP.format(language=language, **labs.WORDS[language])
        program = setup + "\nfrom snippets.tools import kept\nprint(kept.__file__, os.environ['BOOK_LANGUAGE'])"

        def start(folder, program=program):
            return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, encoding="utf-8")

        assert start(ROOT / "docs" / "ko" / "labs").stdout.split() == [
            str(ROOT / "snippets" / "tools" / "kept.py"),
            language,
        ]
        assert labs.WORDS[language]["error"] in start(tmp_path).stderr


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['--8<-- "attention/scaled_dot_product.md:scores"'], "no output"),
        (['--8<-- "training/trainer.py:save"'], "one ```python block"),
    ],
)
def test_an_include_that_is_no_single_cell_is_refused(tmp_path, monkeypatch, lines, said):
    page = tmp_path / "docs" / "ko" / "labs" / "x.md"
    page.parent.mkdir(parents=True)
    page.write_text("\n".join(["---", "title: X", "---", "# X {#x}", "", *lines]) + "\n", encoding="utf-8")
    (tmp_path / "snippets").symlink_to(ROOT / "snippets")
    monkeypatch.setattr(labs, "ROOT", tmp_path)
    with pytest.raises(labs.LabError, match=r"docs/ko/labs/x\.md:6: .*" + re.escape(said)):
        labs.cells("x", "ko")


# ---- on the site


def pre(soup) -> str:
    return "\n".join(block.get_text() for block in soup.find_all("pre"))


@each_page
def test_the_page_shows_what_the_cells_printed(site, name, language):
    page = site.documents(language)[f"labs/{name}/"]
    printed = [output for output in labs.outputs(labs.notebook_path(name, language)) if output]
    assert len(printed) >= 4
    for output in printed:
        assert output.strip() in pre(page)


@each_page
def test_the_page_offers_its_executed_notebook(site, name, language):
    page = site.documents(language)[f"labs/{name}/"]
    (button,) = page.find_all("a", class_="notebook")
    assert button.has_attr("download") and button.get_text(strip=True)
    root = "" if language == "ko" else "en/"
    notebook = nbformat.read(site.directory / root / f"labs/{name}" / button["href"], as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.source for cell in cells[1:]] == code(labs.cells(name, language))
    assert f'"{language}"' in cells[0].source
    pictures = [output for cell in cells for output in cell.outputs if "image/svg+xml" in output.get("data", {})]
    figures = page.select("span.figure svg")
    assert len(pictures) == len(figures) > 0
    for picture, figure in zip(pictures, figures, strict=True):
        labels = re.findall(r">([^<>\s][^<>]*)</text>", picture.data["image/svg+xml"])
        assert labels == [text.get_text() for text in figure.find_all("text")], "the page shows the same picture"


@each_page
def test_the_page_is_light(site, name, language):
    root = "" if language == "ko" else "en/"
    html = (site.directory / root / f"labs/{name}/index.html").read_text(encoding="utf-8")
    size = len(re.sub("<style>.*?</style>", "", html, flags=re.S).encode())
    assert size <= HEAVIEST, f"{size:,} bytes of HTML: draw fewer points, or show less"


def test_pages_that_are_no_labs_offer_no_notebook(site):
    for path, page in site.documents("en").items():
        if path.removeprefix("labs/").rstrip("/") not in LABS:
            assert not page.find_all("a", class_="notebook"), path


# ---- what the labs say


def final(losses: list[float]) -> float:
    return sum(losses[-10:]) / 10


@pytest.fixture(scope="module")
def broken() -> dict:
    return {name: trained_variant(name)[1] for name in VARIANTS}


def test_without_positions_a_part_is_right_and_without_mask_nothing(broken):
    assert date_exact_match(trained("dates").model) >= 0.99
    assert 0.03 < broken["no positions"]["exact match"] < 0.3
    assert final(broken["no positions"]["losses"]) > 0.1
    assert broken["no mask"]["exact match"] < 0.02
    assert final(broken["no mask"]["losses"]) < 0.02, "its loss does not show it"


def test_two_layers_do_without_scaling_and_without_warm_up(broken):
    for name in ("no scaling", "no warm-up"):
        assert broken[name]["exact match"] > 0.95, name
    whole = trained("dates").losses
    assert all(final(broken["no warm-up"]["losses"][:step]) < final(whole[:step]) for step in (20, 60, 100))


def test_only_post_ln_without_warm_up_gets_stuck():
    for setting, runs in results().items():
        stuck = [one for one in runs if final(one["losses"]) > 0.5]
        if setting == (False, 0):
            assert stuck, "post-LN without warm-up learns with every seed: the page says otherwise"
        else:
            assert not stuck and all(one["exact match"] > 0.4 for one in runs), setting


def test_what_is_stuck_does_not_look_at_the_source_and_its_encoder_gets_no_gradient():
    for one in itertools.chain(*results().values()):
        own, other = one["own sources"], one["other sources"]
        middle = statistics.median(one["gradients"]["first layer"][40:80])
        if own > 0.5:
            assert one["exact match"] < 0.2 and abs(other - own) < 0.4 and middle < 0.03
        else:
            assert other > own + 1 and middle > 0.03


def test_the_gradient_of_the_first_layer_falls_everywhere_and_comes_back_where_something_is_learned():
    for one in itertools.chain(*results().values()):
        first, *_ = norms = one["gradients"]["first layer"]
        smooth = [statistics.mean(norms[i : i + 5]) / first for i in range(len(norms) - 4)]
        assert min(smooth[:60]) < 0.1
        if one["own sources"] > 0.5:
            assert sum(share < 0.003 for share in smooth) > 10
        else:
            assert max(smooth[80:]) > 0.1


def test_the_first_gradient_does_not_tell_who_will_fail():
    first = {setting: [one["gradients"]["model"][0] for one in runs] for setting, runs in results().items()}
    for norm_first in (False, True):
        assert first[norm_first, 0] == pytest.approx(first[norm_first, 60], rel=1e-4)
    assert all(1 < a / b < 2 for a, b in zip(first[False, 0], first[True, 0], strict=True))


@pytest.mark.thorough
def test_with_a_third_of_the_rate_post_ln_learns_without_warm_up():
    assert final(run(False, 0, seed=0, peak=1e-3)["losses"]) < 0.5
