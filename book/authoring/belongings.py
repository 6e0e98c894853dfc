"""What belongs to a page, and how all of it is run: ``python -m book page PART/NAME`` of a page that there is."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.structure.files import get_files
from mkdocs.structure.pages import Page as MkDocsPage

from book import LANGUAGES, ROOT
from book.artifacts import figures, labs
from book.checks import every
from book.checks.code import PYTHON
from book.checks.pictures import figures_of
from book.source import editions
from book.source.pages import Book


class Failed(Exception):
    """What is wrong with a page."""


@dataclass(frozen=True)
class Belongings:
    """What belongs to a page: its name, and paths from the root, or names of figures."""

    page: str
    pages: list[str]
    examples: list[str]
    modules: list[str]  # of its name, or that it is the first to show
    figures: list[str]

    @classmethod
    def of(cls, book: Book, page: str) -> Belongings:
        shown, first = {}, {f"{name.removesuffix('.md').replace('-', '_')}.py": name for name in book.nav}
        for name in book.nav:
            texts = [pages[name] for pages in book.pages.values() if name in pages]
            targets = [(target.partition(":")[0], fence) for text in texts for target, _, fence in text.includes]
            shown[name] = {file for file, fence in targets if fence is None or fence.language in PYTHON}
            for file in sorted(shown[name]):
                first.setdefault(file, name)
        own = page.removesuffix(".md").replace("-", "_")
        code = sorted({*shown.get(page, ()), f"{own}.py", f"{own}.md"})
        code = [file for file in code if (book.root / "snippets" / file).is_file()]
        texts = [pages[page] for pages in book.pages.values() if page in pages]
        files = [book.snippets_folder / file for file in code if file.endswith(".md")]
        examples = [path for file in files for path in (file, *(editions.overlay(file, one) for one in LANGUAGES))]
        return cls(
            page,
            [text.path.relative_to(book.root).as_posix() for text in texts],
            [path.relative_to(book.root).as_posix() for path in examples if path.is_file()],
            [file for file in code if file.endswith(".py") and first.get(file, page) == page],
            list(dict.fromkeys(name for text in texts for name, *_ in figures_of(text))),
        )

    @property
    def tests(self) -> list[str]:
        files = ((Path("tests") / file).with_name(f"test_{Path(file).name}") for file in self.modules)
        return [file.as_posix() for file in files if (ROOT / file).is_file()]

    def checked(self) -> str:
        """The checks, as far as they concern the page and the entries that lead to it."""
        files = {*self.pages, *self.examples, *(f"snippets/{file}" for file in self.modules)}
        files |= {f"snippets/figures/{name}.py" for name in self.figures}
        files |= {Path(page).with_name("index.md").as_posix() for page in self.pages}
        files.add(f"docs/questions/{self.page.partition('/')[0]}.yml")
        problems = every.check_pages(ROOT)
        entries = tuple(f"{Path(file).name}: " for file in (*self.modules, *self.examples))  # in a part's catalog
        ours = [
            problem
            for problem in problems
            if problem.path.as_posix() in files or self.page in problem.message or problem.message.startswith(entries)
        ]
        others = f"problems elsewhere: {len(problems) - len(ours)} (python -m book checks)"
        elsewhere = [others] if len(problems) > len(ours) else []
        if ours:
            raise Failed("\n".join([*map(str, ours), *elsewhere]))
        return "".join(["ok", *(f"; {text}" for text in elsewhere)])

    def styled(self) -> str:
        """ruff, as it runs before a change is published."""
        drawn = [f"snippets/figures/{name}.py" for name in self.figures]
        files = [*(f"snippets/{file}" for file in self.modules), *self.tests, *drawn]
        files = [file for file in files if (ROOT / file).is_file()]
        if not files:
            return "none"
        _run("ruff", "check", "--quiet", *files)
        if formatted := [file for file in files if not file.startswith("snippets/") or file in drawn]:
            _run("ruff", "format", "--diff", "--quiet", *formatted)
        return ""

    def drawn(self) -> str:
        if stale := [name for name in figures.stale() if name in self.figures]:
            _run("book.artifacts.figures", *stale)
        return f"{len(stale)} drawn, {len(self.figures) - len(stale)} as they were" if self.figures else "none"

    def executed(self) -> str:
        return _run("book.artifacts.kernels").splitlines()[-1]

    def mutated(self) -> str:
        modules = " or ".join(f"[{file}]" for file in self.modules)
        selection = f"(every_module_passes or fails_a_test_on_meaning) and ({modules})"
        return _pytest("tests/machinery/test_mutations.py", "-k", selection) if modules else "none"

    def pasted(self) -> str:
        return _pytest("tests/machinery/test_pages.py", "-k", f"pasted and [{self.page}]")

    def rendered(self) -> str:
        """Both languages as HTML: formulas, includes, figures and links, without the rest of the site."""
        handler = _Kept(logging.WARNING)
        logging.getLogger("mkdocs").addHandler(handler)
        try:
            for language in LANGUAGES:
                _render(self.page, language)
        except Exception as error:
            raise Failed(f"{type(error).__name__}: {error}") from None
        finally:
            logging.getLogger("mkdocs").removeHandler(handler)
        if handler.messages:
            raise Failed("\n".join(handler.messages))
        return ""


class _Kept(logging.Handler):
    """What is logged, in ``messages``."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _run(module: str, *arguments: str, fine: tuple[int, ...] = (0,)) -> str:
    """What a module prints that is run with one thread; ``Failed`` with all of it if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    if done.returncode not in fine:
        raise Failed(done.stdout.strip())
    return done.stdout


def _pytest(*arguments: str) -> str:
    """How many tests have passed, in one process. There may be none: the recipes of a training have no mutants."""
    said = _run("pytest", "-n", "0", "-q", "--no-header", *arguments, fine=(0, pytest.ExitCode.NO_TESTS_COLLECTED))
    return said.strip().splitlines()[-1].partition(" in ")[0]


def _render(name: str, language: str) -> str:
    """One page as MkDocs renders it, with the extensions and plugins of the site."""
    config = load_config(str(ROOT / "mkdocs.yml"), docs_dir=str(ROOT / "docs" / language))
    config.theme["language"] = language
    config.plugins.on_startup(command="build", dirty=False)
    config = config.plugins.on_config(config)
    files = get_files(config)
    source = files.get_file_from_path(name)
    assert source is not None, f"{name} is no page of docs/{language}"
    page = MkDocsPage(None, source, config)
    page.read_source(config)
    if name.startswith("labs/") and Path(name).stem in labs.names():
        page.file.abs_src_path = str(labs.notebook_path(Path(name).stem, language))  # where its outputs stand
    page.markdown = config.plugins.on_page_markdown(page.markdown or "", page=page, config=config, files=files)
    page.render(config, files)
    return config.extra["later"].put_in(page.content)


def run_page(name: str) -> bool:
    """Run all that belongs to a page, and print each result with its time; whether everything is right."""
    its = Belongings.of(Book.read(ROOT), f"{name}.md")
    lab = its.page.startswith("labs/") and name.partition("/")[2] in labs.names()
    steps: dict[str, Callable[[], str]] = {
        "checks": its.checked,
        "style": its.styled,
        "worked examples": lambda: _pytest(*its.examples) if its.examples else "none",
        "tests": lambda: _pytest("tests/test_rooms.py", *its.tests),
        "mutants": its.mutated,
        "figures": its.drawn,
        **({"notebook": its.executed} if lab else {"pasted whole": its.pasted} if its.examples else {}),
        "rendered": its.rendered,
    }
    failed = []
    for title, step in steps.items():
        print(f"{title:16}", end=" ", flush=True)
        start = time.perf_counter()
        try:
            detail, problem = step(), ""
        except Failed as error:
            detail, problem = "FAILED", str(error)
            failed.append(title)
        print(f"{time.perf_counter() - start:6.1f} s  {detail or 'ok'}", flush=True)
        if problem:
            print("\n".join(f"    {line}" for line in problem.splitlines()), flush=True)
    print(f"{name}: {', '.join(failed)} failed" if failed else f"{name}: everything is right")
    return not failed
