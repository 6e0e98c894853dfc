"""The labs: pages that are notebooks as well, and what they say of their trainings."""

from __future__ import annotations

import importlib
import itertools
import linecache
import os
import re
import shutil
import statistics
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from book import ROOT
from book.artifacts import cells, downloads, exercises, kernels, labs
from book.source import editions
from snippets.figures.labs.broken_losses import LOOKS
from snippets.labs import broken_translator, post_pre_ln
from snippets.labs.broken_translator import VARIANTS, WithoutScaling
from snippets.labs.post_pre_ln import longer, results
from snippets.tools import kept
from tests.the_book import BOOK

LABS = labs.names()
PAGES = [(name, language) for name in LABS for language in labs.LANGUAGES]
each_lab = pytest.mark.parametrize("name", LABS)
each_page = pytest.mark.parametrize(("name", "language"), PAGES)
#: Bytes of HTML that a lab may have, without the contents of the book around it, which grow with each page.
HEAVIEST = 190_000


# ---- from a page to a notebook


def code(cells) -> list[str]:
    return [cell.text for cell in cells if cell.kind == "code"]


@each_lab
def test_both_languages_have_the_same_cells(name):
    korean, english = (labs.cells(name, language) for language in labs.LANGUAGES)
    editions.compare(code(korean), code(english))
    assert len(code(korean)) > 5
    assert [cell.kind for cell in korean] == [cell.kind for cell in english]


@each_page
def test_a_notebook_is_valid_and_holds_no_mark_up_of_the_book(name, language):
    notebook = labs.notebook(name, language, "https://book.example/")
    nbformat.validate(notebook)
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.search(r"///|\{[#:]|--8<--|^!\[|\\T\b", prose, re.M)
    assert len(re.findall(r"^#+ ", prose, re.M)) >= len(BOOK.pages[language][f"labs/{name}.md"].headings())
    relative = [link for link in re.findall(r"\]\(([^)]+)\)", prose) if not link.startswith("https://")]
    assert not relative, "links lead back to the site"
    assert all(prose.count(mark) % 2 == 0 for mark in ("**", "$"))
    assert notebook.cells[-1].source.endswith((f"(https://book.example/labs/{name}/).", f"/labs/{name}/)"))


def test_links_of_a_notebook_lead_to_the_pages_of_the_site():
    def link(target: str) -> str:
        return cells.jupyter_markdown(f"[x]({target})", "https://book.example/en/labs/one/")[4:-1]

    assert link("two.md") == "https://book.example/en/labs/two/"
    assert link("two.md#part") == "https://book.example/en/labs/two/#part"
    assert link("index.md") == "https://book.example/en/labs/"
    assert link("../model/cost.md#a") == "https://book.example/en/model/cost/#a"
    assert link("../index.md") == "https://book.example/en/"
    assert link("#here") == "https://book.example/en/labs/one/#here"
    assert link("https://paper.example/x.pdf") == "https://paper.example/x.pdf"


def first_cell(language: str = "en", repository: str = "") -> str:
    return labs.notebook(LABS[0], language, repository=repository).cells[0].source


def start(folder: Path, cell: str, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a first cell, and some lines after it, in a directory. Nothing is installed, and nothing is fetched."""
    program = "\n".join([cell, *more])
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PIP_NO_INDEX": "1", "GIT_ALLOW_PROTOCOL": "file", **environment},
        capture_output=True,
        encoding="utf-8",
    )


WHERE = "from snippets.tools import fingerprint; print(fingerprint.__file__, os.environ['BOOK_LANGUAGE'])"


@pytest.mark.parametrize("language", labs.LANGUAGES)
def test_the_first_cell_finds_the_book_from_below_and_does_nothing_else(tmp_path, language):
    watched = """
def refuse(*arguments, **options):
    raise SystemExit(f"the first cell starts {arguments}")

subprocess.run = refuse
"""
    cell = first_cell(language, "file:///nowhere").replace('REPOSITORY = "', watched + '\nREPOSITORY = "')
    done = start(ROOT / "docs" / "ko" / "labs", cell, WHERE)
    assert done.stdout.split() == [str(ROOT / "snippets" / "tools" / "fingerprint.py"), language], done.stderr


@pytest.mark.parametrize("language", labs.LANGUAGES)
def test_elsewhere_it_says_what_to_do_if_there_is_no_address_or_none_that_answers(tmp_path, language):
    assert cells.WORDS[language]["error"] in start(tmp_path, first_cell(language)).stderr
    gone = start(tmp_path, first_cell(language, (tmp_path / "gone").as_uri())).stderr
    assert cells.WORDS[language]["failed"] in gone and "gone" in gone


def test_what_a_notebook_needs_is_what_its_cells_import_and_is_pinned():
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.M)
    ours = {"book", "snippets", "IPython", "PIL", *sys.stdlib_module_names}  # PIL: what matplotlib needs
    for name, language in PAGES:
        texts = [
            *code(labs.cells(name, language)),
            *(f.read_text(encoding="utf-8") for f in labs.modules(name, language)),
        ]
        found = re.findall(r"^ *(?:from|import) (\w+)", "\n".join(texts), re.M)
        assert set(found) - ours <= set(cells.NEEDED), name
    assert set(cells.NEEDED) <= set(pinned)


def repository(folder: Path) -> str:
    """A repository of what would be committed now, by its address."""
    copy = folder / "repository"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0"):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    who = ["-c", "user.name=a", "-c", "user.email=a@book.example", "-c", "commit.gpgsign=false"]
    for command in (["init", "--quiet"], ["add", "--all"], [*who, "commit", "--quiet", "--message", "All"]):
        subprocess.run(["git", *command], cwd=copy, check=True, capture_output=True)
    return copy.as_uri()


def run_through(book: nbformat.NotebookNode, folder: Path) -> list[str]:
    """What the cells print that the page has, when Jupyter runs all of them in a directory."""
    client = NotebookClient(book, timeout=1200, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    return ["".join(labs.printed(cell)) for cell in labs.code_cells(book)[1:]]


@pytest.fixture
def alone(monkeypatch):
    """Kernels know nothing of this repository, compute in one thread, and install nothing."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    for name, value in {"OMP_NUM_THREADS": "1", "PIP_NO_INDEX": "1", "GIT_ALLOW_PROTOCOL": "file"}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.thorough
@each_lab
def test_a_notebook_runs_in_an_empty_folder_with_what_it_gets_from_the_repository(tmp_path, alone, name):
    kernels.execute_stale()
    folder = tmp_path / "empty"
    folder.mkdir()
    told = run_through(labs.notebook(name, "ko", repository=repository(tmp_path)), folder)
    assert (folder / "transformer-book" / "snippets" / "labs").is_dir()
    assert re.search("방금 (한 것 0번|계산한 것: 0)\n", "\n".join(told))
    assert told == labs.outputs(labs.notebook_path(name, "ko"), "ko")


@pytest.mark.thorough
@each_lab
def test_a_notebook_runs_where_its_archive_was_unpacked(tmp_path, alone, name, monkeypatch):
    kernels.execute_stale()
    downloads.write_download(name, "en", "")
    with zipfile.ZipFile(downloads.write_archive(name, "en")) as archive:
        archive.extractall(tmp_path)
        assert archive.testzip() is None
    folder = tmp_path / name
    assert {path.name for path in folder.iterdir()} == {
        *(f"{name}.ipynb", "LICENSE", "constraints.txt", "requirements.txt", "snippets")
    }
    told = run_through(nbformat.read(folder / f"{name}.ipynb", as_version=4), folder)
    assert told == labs.outputs(labs.notebook_path(name, "en"), "en")


# ---- what a cell shows is what runs

#: A setting in a cell, another value, what the call of the lab is then, and what has to come out of it.
CHANGES = {
    "broken-translator": ("NUM_HEADS = 4", "NUM_HEADS = 2", 'train(*VARIANTS["the baseline"], 1, 3)'),
    "post-pre-ln": ("STEPS, PEAK = 150, 3e-3", "STEPS, PEAK = 3, 1e-3", "train(False, 0, 0)"),
    "small-language-model": ('"steps": 1200,', '"steps": 150,', "train(TEXT, **SETTINGS, seed=0)"),
}


def curve(run: dict) -> list[float]:
    """What a run has noted as it went on: its losses, or bits per character every fifty steps."""
    return run["losses"] if "losses" in run else run["train"]


def played(name: str, old: str, new: str, *more: str) -> dict:
    """The names of a notebook whose cells up to the first output were run, with a change in one of them."""
    texts = code(labs.cells(name, "en"))
    first = next(i for i, text in enumerate(texts) if text.startswith("runs = results("))
    assert sum(old in text for text in texts[:first]) == 1
    names: dict = {"__name__": "__main__"}
    for number, text in enumerate([*(text.replace(old, new) for text in texts[:first]), *more]):
        file = f"<{name} {number} {hash(text)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec", dont_inherit=True), names)  # a cell knows nothing of __future__
    return names


each_training = pytest.mark.parametrize("name", CHANGES)


def test_each_lab_is_played():
    """The lab on a published encoder trains nothing: tests/labs plays it."""
    assert {*CHANGES, "inside-an-encoder"} == set(LABS)


@each_training
def test_with_unchanged_settings_nothing_is_trained(name):
    of = "LINES" if name == "small-language-model" else ""
    names = played(name, CHANGES[name][0], CHANGES[name][0], f"runs = results({of})")
    module = importlib.import_module(f"snippets.labs.{name.replace('-', '_')}")
    kept = module.results(names["LINES"]) if of else module.results()
    assert names["train"].computed == set() and names["train"].asked
    assert [list(map(curve, runs)) for runs in names["runs"].values()] == [
        list(map(curve, runs)) for runs in kept.values()
    ]


@pytest.mark.thorough
@each_training
def test_with_another_setting_another_model_is_trained(name, tmp_path, monkeypatch):
    old, new, call = CHANGES[name]
    monkeypatch.setattr(kept, "CACHE", tmp_path)
    before = played(name, old, old, f"run = {call.replace(', 1, 3)', ', 1)')}")["run"]
    monkeypatch.delenv(kept.NOTHING)  # a reader may train
    names = played(name, old, new, f"run = {call}")
    assert len(names["train"].computed) == 1 and len(curve(names["run"])) == 3
    assert curve(names["run"]) != curve(before)[:3]
    again = played(name, old, new, f"run = {call}")
    assert again["train"].computed == set() and curve(again["run"]) == curve(names["run"])


@pytest.mark.thorough
@each_training
def test_a_change_in_the_code_of_a_cell_trains_too(name, tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "CACHE", tmp_path)
    monkeypatch.delenv(kept.NOTHING)
    old, new = {
        "broken-translator": (
            "return self.dropout(self.embedding(ids))",
            "return self.dropout(2 * self.embedding(ids))",
        ),
        "post-pre-ln": ("return peak * max(", "return 0.5 * peak * max("),
        "small-language-model": ("return 2e-3 * min(", "return 1e-3 * min("),
    }[name]
    call = {
        "broken-translator": "run = train(WithoutPositions, whole_schedule, 4, 0, 3)",
        "post-pre-ln": "run = train(False, 0, 0, 3)",
        "small-language-model": "run = train(TEXT, 8, 1, 16, 0.0, 50, 0)",
    }[name]
    one, other = (curve(played(name, old, to, call)["run"]) for to in (old, new))
    assert one != other


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
    monkeypatch.setattr(cells, "ROOT", tmp_path)
    with pytest.raises(labs.LabError, match=r"docs/ko/labs/x\.md:6: .*" + re.escape(said)):
        labs.cells("x", "ko")


# ---- on the site


def pre(soup) -> str:
    return "\n".join(block.get_text() for block in soup.find_all("pre"))


@each_page
def test_the_page_shows_what_the_cells_printed(site, name, language):
    page = site.documents(language)[f"labs/{name}/"]
    printed = [output for output in labs.outputs(labs.notebook_path(name, language), language) if output]
    assert len(printed) >= 3
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
    figures = page.select(".figure > svg:not(.narrow)")
    assert len(pictures) == len(figures) and (figures or name in ("inside-an-encoder", "small-language-model"))
    for picture, figure in zip(pictures, figures, strict=True):
        labels = re.findall(r">([^<>\s][^<>]*)</text>", picture.data["image/svg+xml"])
        assert labels == [text.get_text() for text in figure.find_all("text")], "the page shows the same picture"


@each_page
def test_the_page_offers_its_notebook_with_all_that_it_needs(site, name, language):
    page = site.documents(language)[f"labs/{name}/"]
    (button,) = page.find_all("a", class_="archive")
    assert button.has_attr("download") and button.get_text(strip=True)
    folder = site.directory / ("" if language == "ko" else "en") / "labs" / name
    with zipfile.ZipFile(folder / button["href"]) as archive:
        held = set(archive.namelist())
        assert archive.read(f"{name}/{name}.ipynb") == (folder / f"{name}.ipynb").read_bytes()
    results = downloads._trained(name, language)
    assert results and {f"{name}/snippets/results/{result}.json" for result in results} <= held
    assert f"{name}/snippets/__init__.py" in held
    assert {f"{name}/{file.relative_to(ROOT).as_posix()}" for file in labs.modules(name, language)} <= held
    assert not page.find_all("a", class_="colab"), "nobody knows where Colab would get the book from"


@each_page
def test_the_page_is_light(site, name, language):
    root = "" if language == "ko" else "en/"
    html = (site.directory / root / f"labs/{name}/index.html").read_text(encoding="utf-8")
    article = re.search("<article.*</article>", html, flags=re.S)[0]
    size = len(re.sub("<style>.*?</style>", "", article, flags=re.S).encode())
    assert size <= HEAVIEST, f"{size:,} bytes of HTML: draw fewer points, or show less"


def test_pages_that_are_no_labs_offer_no_notebook(site):
    for path, page in site.documents("en").items():
        if path.removeprefix("labs/").rstrip("/") not in LABS and path.rstrip("/") != exercises.PAGE:
            assert not page.find_all("a", class_=["notebook", "archive", "colab"]), path


# ---- what the labs say


def final(losses: list[float]) -> float:
    return sum(losses[-10:]) / 10


@pytest.fixture(scope="module")
def broken() -> dict[str, list[dict]]:
    return dict(zip(LOOKS, broken_translator.results().values(), strict=True))


def test_without_positions_a_part_is_right_and_without_mask_nothing(broken):
    assert all(run["exact match"] >= 0.99 and final(run["losses"]) < 0.01 for run in broken["baseline"])
    for run in broken["no positions"]:
        assert 0.05 < run["exact match"] < 0.17 and 0.2 < final(run["losses"]) < 0.4
    for run in broken["no mask"]:
        assert run["exact match"] < 0.02 and final(run["losses"]) < 0.01, "its loss does not show it"


def test_with_more_time_a_model_without_positions_gets_as_far_as_one_can():
    assert 0.16 < broken_translator.longer()["exact match"] < 0.25


def test_two_layers_and_four_heads_do_without_scaling_and_without_warm_up(broken):
    for name in ("no scaling", "no warm-up"):
        assert all(run["exact match"] > 0.98 and final(run["losses"]) < 0.01 for run in broken[name]), name
    for whole, other in zip(broken["baseline"], broken["no warm-up"], strict=True):
        assert all(final(other["losses"][:step]) < final(whole["losses"][:step]) for step in (20, 60, 100, 150))


def test_a_single_head_needs_scaling(broken):
    for one, other in zip(broken["1 head"], broken["1 head, no scaling"], strict=True):
        assert final(other["losses"]) > 2 * final(one["losses"]) and one["exact match"] > other["exact match"]
        assert one["exact match"] > 0.98


@pytest.mark.thorough
def test_trained_anew_a_single_head_without_scaling_says_the_same():
    train = broken_translator.train.function
    bare, scaled = (  # of two seeds: with one alone, a processor that rounds in another way may have luck
        sum(final(train(model, broken_translator.whole_schedule, 1, seed)["losses"]) for seed in (0, 3))
        for model in (WithoutScaling, [*VARIANTS.values()][0][0])
    )
    assert bare > 1.5 * scaled


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


def test_a_wrong_source_costs_seed_0_about_a_day_of_the_week_and_seed_1_nothing():
    zero, one, two = (run["other sources"] - run["own sources"] for run in results()[False, 0])
    assert 1.2 < 12 * zero < 3.2 and abs(12 * one) < 0.05 and 12 * two > 15


def test_in_600_steps_one_seed_is_late_and_another_is_stuck():
    late, stuck, early = longer()
    for run in (late, early):
        assert run["exact match"] > 0.95 and run["own sources"] < 0.05
    assert stuck["exact match"] < 0.01 and 1.08 < stuck["own sources"] < 1.16
    assert abs(stuck["other sources"] - stuck["own sources"]) < 0.01
    assert all(1.05 < final(stuck["losses"][:step]) < 1.2 for step in range(300, 601, 50))
    assert final(early["losses"][:150]) < 0.5 < final(late["losses"][:150]) and final(late["losses"][:350]) < 0.2


def test_the_gradient_tells_late_from_stuck_before_the_loss_does():
    late, stuck, _ = (run["gradients"]["first layer"] for run in longer())
    for gradients in (late, stuck):
        assert statistics.mean(gradients[:5]) > 0.1 and statistics.median(gradients[30:40]) < 0.01
    assert all(statistics.median(stuck[i : i + 10]) < 5e-4 for i in range(30, 590, 10))
    middle = [statistics.median(late[i : i + 10]) for i in (40, 70, 100)]
    assert 3 * middle[0] < middle[1] and 3 * middle[1] < middle[2] and statistics.mean(late[100:150]) > 0.03
    both = (final(run["losses"][:100]) for run in longer()[:2])
    assert all(1.5 < loss < 2.4 for loss in both)


def test_the_same_runs_begin_alike():
    for short, long in zip(results()[False, 0], longer(), strict=True):
        assert short["losses"][:20] == pytest.approx(long["losses"][:20], rel=1e-3)


def test_with_a_third_of_the_rate_post_ln_learns_without_warm_up():
    for run, warm in zip(post_pre_ln.with_lower_peak(), results()[False, 60], strict=True):
        assert 1.3 * final(warm["losses"]) < final(run["losses"]) < 0.5 and run["exact match"] > 0.4


def test_how_many_steps_of_warm_up_are_enough():
    trained = {**results(), **post_pre_ln.with_shorter_warm_up()}
    learned = {setting: [run["exact match"] > 0.3 for run in runs] for setting, runs in trained.items()}
    assert sum(learned[False, 20]) < 2 and all(learned[False, 50])
    assert all(learned[True, 0]) and sum(learned[True, 20]) == 1 and all(learned[True, 50])


@pytest.mark.thorough
def test_trained_anew_with_a_third_of_the_rate_post_ln_learns_too():
    assert final(post_pre_ln.train.function(False, 0, seed=3, peak=1e-3)["losses"]) < 0.5
