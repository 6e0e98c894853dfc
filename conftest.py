"""Which tests run, and how they are shared out to one process for each core of the machine.

``pytest`` alone shares out; with files or tests named, and with ``-n 0``, everything runs in this process,
one after the other. What takes long and is needed by several files is made by one of the processes.

Tests marked ``thorough`` take long and rarely find what no other test finds; so does all that builds the whole
site or opens a browser. They run with ``--thorough``, by themselves with ``-m thorough``, and when their file is named.
What tries the machinery, and not this book, runs then too, and when its folder is named: ``pytest tests/machinery``;
and so do examples that show with English text what others show with Korean.
"""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

from exercises import asked

# A learner's file that is not there: before what a learner need not have is loaded, and in the learner's language.
asked.begin()

# Of torch and numpy, here and in what is started from here: the other cores have tests too. Before either is loaded.
os.environ["OMP_NUM_THREADS"] = "1"
# What is said in a reader's language is English in tests, wherever they run. LC_ALL would outdo LC_MESSAGES.
os.environ |= {"LC_MESSAGES": "C", "LANG": os.environ.pop("LC_ALL", os.environ.get("LANG", ""))}

import pytest  # noqa: E402
from xdist.scheduler import LoadScopeScheduling  # noqa: E402

from book import ROOT  # noqa: E402
from book.artifacts import machines  # noqa: E402
from snippets.tools.kept import NOTHING  # noqa: E402

os.environ[NOTHING] = "1"  # nobody starts tests in order to train
machines.imitate()  # another machine, if one is named
pytest_plugins = ["book.artifacts.collect"]

#: Files that need the same thing, which is made once: all tests of a file run in the same process anyway.
TOGETHER = {
    "tests/machinery/test_browser.py": "the site",
    "tests/machinery/test_engines.py": "the site",
    "tests/machinery/test_gpt_browser.py": "the site",
    "tests/machinery/test_inside_browser.py": "the site",
    "tests/machinery/test_inside_gpt_browser.py": "the site",
    "tests/machinery/test_labs.py": "the site",
    "tests/machinery/test_offline_browser.py": "the site",
    "tests/machinery/test_pdf_book.py": "the site",
    "tests/machinery/test_questions_browser.py": "the site",
    "tests/machinery/test_search_browser.py": "the site",
    "tests/machinery/test_site.py": "the site",
    "tests/machinery/test_touch_browser.py": "the site",
    "tests/machinery/test_translator_browser.py": "the site",
    "tests/machinery/test_zensical.py": "the site",
    "tests/machinery/test_build.py": "the little book",
    "tests/machinery/test_pdf.py": "the little book",
    "tests/machinery/test_serve.py": "the little book",
    # to load Kiwi takes some seconds, and so do models of transformers
    "snippets/before/korean_tokens.md": "Kiwi",
    "tests/before/test_korean_tokens.py": "Kiwi",
    **{
        f"snippets/families/{name}.md": "the library"
        for name in (
            "bert",
            "bert_outputs",
            "gpt",
            "gpt_2",
            "kcbert",
            "published_encoder",
            "same_numbers",
            "t5",
            "t5_block",
            "todays_block",
            "vision_transformer",
            "weight_traps",
        )
    },
    **{
        f"tests/families/test_{name}.py": "the library"
        for name in (
            "bert",
            "gpt",
            "kcbert",
            "library",
            "llama",
            "published_gpt",
            "real_encoder",
            "same_numbers",
            "sampling",
            "t5",
            "t5_block",
            "vision_transformer",
        )
    },
}
#: A test is a thorough one if it builds a site, even a little one, needs all figures, or a browser.
THOROUGH = {"site", "little_book", "_little_book", "drawn", "browser", "printed_little_book"}
#: Of the tests of the machinery, those that look at this book. The others try it on little books made for it, and are
#: thorough ones unless they are asked for: whoever changes a page or a module of the book cannot make them fail.
OF_THE_BOOK = {
    f"tests/machinery/test_{name}.py"
    for name in (
        "figures",
        "glossary",
        "hangul",
        "labs",
        "opening_figures",
        "page_notebooks",
        "pages",
        "repository",
        "results",
        "scripts",
        "wording",
    )
}
#: What the file of the same name shows with Korean text, shown with English text: the same code.
TWIN = ".en.md"
#: Files whose tests have nothing in common, and take long together.
APART = {f"tests/machinery/test_{name}.py" for name in ("mutations", "book_mutations", "machines")}
#: Files of which each test takes seconds of a browser, a build or a training: with a shard, a third of their tests.
IN_THIRDS = {
    f"tests/machinery/test_{name}.py"
    for name in (
        "build",
        "capstones",
        "gpt_browser",
        "inside_browser",
        "inside_gpt_browser",
        "labs",
        "questions_browser",
        "search_browser",
        "touch_browser",
        "translator_browser",
    )
}
#: In this order come what takes longest, and last what fills the gaps: everything else.
FIRST = [
    *TOGETHER,
    "tests/machinery/test_machines.py",
    "tests/machinery/test_figures.py",
    "tests/model/test_model_pages.py",
    "snippets/training/translator.md",
    "tests/machinery/test_pages.py",
    *sorted(APART),  # the same in every process
]


class Scheduling(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return nodeid if file in APART else TOGETHER.get(file, file)


def pytest_xdist_make_scheduler(config, log):
    return Scheduling(config, log)


def pytest_xdist_auto_num_workers(config):
    """None of its own to start for a test or two; else what the plugin finds."""
    return None if config.args_source is pytest.Config.ArgsSource.TESTPATHS else 0


def pytest_addoption(parser):
    parser.addoption(
        "--thorough",
        action="store_true",
        help="run the tests that are marked thorough too; `-m thorough` runs them alone, and so does naming their file",
    )
    parser.addoption(
        "--stop-after",
        type=int,
        metavar="SECONDS",
        help="begin no test after that long, say what has failed and what took longest until then, and fail",
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: takes long; runs with --thorough, or when its file is named")
    if seconds := config.option.stop_after:  # in each process that tests are shared out to as well
        config.pluginmanager.register(StopAfter(config, seconds))

    # Parsed pages are millions of objects, none of them garbage: to look for some after each seven hundred new ones
    # takes as long as to parse the pages.
    gc.set_threshold(100_000, 50, 100)


class StopAfter:
    """Stops the tests when their time is over: whoever kills them instead is not told what has failed so far."""

    def __init__(self, config, seconds: int) -> None:
        self.config, self.seconds, self.end = config, seconds, time.monotonic() + seconds

    def pytest_runtest_logreport(self):
        if time.monotonic() > self.end:
            session = self.config.pluginmanager.get_plugin("session")
            session.shouldstop = f"not all tests ran in {self.seconds} s: look at those that took longest"


@pytest.hookimpl(trylast=True)  # the processes that tests are shared out to have been started, and begin meanwhile
def pytest_sessionstart(session):
    """What would have to be trained is said at once, and not by each test that needs it."""
    config = session.config
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    if everything and not hasattr(config, "workerinput"):
        from book.artifacts import results  # here, since a learner's tests need no package of the site

        try:
            results.check_trained()
        except results.ResultsError as error:
            pytest.exit(str(error), returncode=pytest.ExitCode.TESTS_FAILED)


def pytest_ignore_collect(collection_path, config):
    """Half the files of tests try the machinery: where none of them will run, they are not even imported."""
    file = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    if _of_the_machinery(file) and _everything(config) and not _thorough(config):
        config.stash[FILES_LEFT_OUT] = config.stash.get(FILES_LEFT_OUT, 0) + 1
        return True
    return None


def pytest_itemcollected(item):
    fixtures = set(getattr(item, "fixturenames", ()))  # examples have none
    file = item.nodeid.partition("::")[0]
    if THOROUGH & fixtures or ((_of_the_machinery(file) or file.endswith(TWIN)) and _everything(item.config)):
        item.add_marker("thorough")


def _of_the_machinery(file: str) -> bool:
    return file.startswith("tests/machinery/test_") and file not in OF_THE_BOOK


def _thorough(config) -> bool:
    return config.option.thorough or "thorough" in config.option.markexpr


def _everything(config) -> bool:
    """Whether no file is named; a process that tests are shared out to is told the folders by name."""
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS or config.args == config.getini("testpaths")


LEFT_OUT, FILES_LEFT_OUT = pytest.StashKey[int](), pytest.StashKey[int]()


@pytest.hookimpl(trylast=True)  # after -k and -m
def pytest_collection_modifyitems(config, items):
    named = {Path(argument.partition("::")[0]).resolve() for argument in config.args}
    everything = _thorough(config)
    sharded = "SHARD" in os.environ and _everything(config)
    chosen, left_out, other_thirds, number = [], [], [], 0
    for item in items:
        runs = everything or item.path in named or not item.get_closest_marker("thorough")
        if runs and sharded and item.nodeid.partition("::")[0] in IN_THIRDS:
            from tests.machinery.shards import in_third  # here, since a copy of this file may be without

            number += 1
            if not in_third(number):
                other_thirds.append(item)
                continue
        (chosen if runs else left_out).append(item)
    if left_out or other_thirds:
        config.hook.pytest_deselected(items=left_out + other_thirds)
    items[:] = sorted(chosen, key=_place) if config.args_source is pytest.Config.ArgsSource.TESTPATHS else chosen
    config.stash[LEFT_OUT] = len(left_out)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left out"] = len(left_out), config.stash.get(FILES_LEFT_OUT, 0)


def _place(item) -> int:
    file = item.nodeid.partition("::")[0]
    return FIRST.index(file) if file in FIRST else len(FIRST)


def pytest_testnodedown(node, error):
    """Each process has left out the same tests."""
    left_out = getattr(node, "workeroutput", {}).get("left out", (0, 0))
    node.config.stash[LEFT_OUT], node.config.stash[FILES_LEFT_OUT] = left_out


def pytest_terminal_summary(terminalreporter, config):
    tests, files = config.stash.get(LEFT_OUT, 0), config.stash.get(FILES_LEFT_OUT, 0)
    if tests or files:
        left_out = f"{tests} tests, and {files} of the files that try the machinery" if files else f"{tests} tests"
        terminalreporter.write_line(f"thorough ones left out: {left_out} (`pytest --thorough` runs them too)")
    shares: dict[str, list[int]] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name.startswith("share of "):  # a part of what many tests have counted, and of how many
                shares[name] = [a + b for a, b in zip(shares.get(name, (0, 0)), value, strict=True)]
    for name, (some, everything) in shares.items():
        terminalreporter.write_line(f"{some} of {everything} {name.removeprefix('share of ')}")


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """What the process has loaded is no garbage, and need not be looked through before it ends."""
    gc.freeze()
