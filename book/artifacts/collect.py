"""Runs the worked examples, ``snippets/PART/*.md``, through pytest-codeblocks: a plugin of pytest.

Stock, each block has a namespace of its own. Here the blocks of a file share one, in order,
and each is still a test of its own, named after its section: ``snippets/attention/masks.md::causal``.

``pytest --accept`` runs them and nothing else, writes what they print now into their files, and shows the
difference. Not for the cells of labs, whose output depends on a training and stands in the executed notebook.

An overlay, ``snippets/PART/x.en.md``, is run as the edition that it makes of ``x.md``: see ``book/source/editions.py``.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_codeblocks import extract_from_file, plugin

from book.artifacts import examples
from book.source import editions, values
from book.source.page import read_sections
from book.source.parser import parse
from book.source.text import lines_of, read

ACCEPTED = "accepted output"


def pytest_addoption(parser):
    parser.addoption(
        "--accept",
        action="store_true",
        help="run the worked examples only, and write what they print now into snippets/PART/NAME.md",
    )


def pytest_ignore_collect(collection_path, config):
    return True if config.option.accept and collection_path.suffix == ".py" else None


def pytest_terminal_summary(terminalreporter):
    """What ``--accept`` has written; the reports bring it from whatever process ran the example."""
    if not terminalreporter.config.option.accept:
        return
    terminalreporter.section("accepted outputs")
    accepted = [
        (report.nodeid, difference)
        for report in terminalreporter.getreports("passed")
        for key, difference in report.user_properties
        if key == ACCEPTED
    ]
    for nodeid, difference in accepted:
        terminalreporter.line(f"{nodeid}\n{difference}\n")
    terminalreporter.line(f"{len(accepted)} outputs have changed" if accepted else "every output stands as it was")


def pytest_configure(config):
    config.option.codeblocks = False  # the plugin itself would collect every file a second time


def pytest_collect_file(file_path, parent):
    examples = file_path.suffix == ".md" and not file_path.name.startswith(".")
    if examples and file_path.is_relative_to(parent.config.rootpath / "snippets"):
        if editions.language_of(file_path):
            return EditionFile.from_parent(parent, path=file_path)
        return MarkdownFile.from_parent(parent, path=file_path)
    return None


class MarkdownFile(plugin.MarkdownFile):
    """A file of worked examples: its blocks, and the module in which they run."""

    def collect(self):
        self.source = self.written = self.path.read_bytes()
        self.accepted: dict[int, str] = {}  # what blocks print now, by position
        self.blocks, self.names = self._all()
        self.module: types.ModuleType | None = None
        names = itertools.count(2)
        seen: set[str] = set()
        for position, (block, name) in enumerate(zip(self.blocks, self.names, strict=True)):
            while name in seen:
                name = f"{name}-{next(names)}"
            seen.add(name)
            test = TestBlock.from_parent(self, name=name, obj=block, position=position)
            if why := examples.missing(self.path):
                test.add_marker(pytest.mark.skip(reason=why))
            yield test

    def _all(self) -> tuple[list, list[str]]:
        """The blocks, and the section in which each stands."""
        return self._of(self.path)

    def _of(self, path: Path) -> tuple[list, list[str]]:
        fences = [fence for fence in parse(path, "en", path.name).fences if fence.info != "text"]
        runnable = [block for block in extract_from_file(path) if block.syntax == "python"]
        if len(runnable) != len(fences) or len(fences) == 0:
            lines = sorted({fence.line for fence in fences} ^ {block.lineno for block in runnable})
            raise self.CollectError(
                f"{path}: a fence in line {', '.join(map(str, lines))} would not be run: "
                "write ```python, not indented, without options"
            )
        sections, _ = read_sections(lines_of(read(path)))
        return runnable, [
            next((s.name for s in sections if s.line <= block.lineno < s.end), f"line {block.lineno}")
            for block in runnable
        ]

    def file_of(self, position: int) -> Path:
        """Where a block stands."""
        return self.path

    def where(self, position: int) -> str:
        return self.file_of(position).relative_to(self.config.rootpath).as_posix()

    def start(self) -> None:
        """A fresh module. It is a real one, so that its classes can be pickled."""
        self.printed: list[str] = []  # by the blocks that have run
        self.broken: str | None = None  # what the first that raised said
        self.undo = contextlib.ExitStack()
        self.undo.callback(os.chdir, os.getcwd())
        os.chdir(self.config.rootpath)  # where a reader starts Python
        if any("speak(" in block.code for block in self.blocks):
            from exercises import speak

            self.undo.callback(speak, None)
        if any("torch" in block.code for block in self.blocks):
            import torch

            self.undo.callback(torch.set_rng_state, torch.get_rng_state())
            self.undo.callback(torch.set_default_dtype, torch.get_default_dtype())
            self.undo.callback(torch.set_num_threads, torch.get_num_threads())
            self.undo.callback(torch.set_grad_enabled, torch.is_grad_enabled())
            self.undo.callback(torch.set_printoptions, profile="default")
            # An example that draws without a seed of its own gives other numbers here than on its page.
            torch.manual_seed(1)
            torch.set_default_dtype(torch.float32)
            torch.set_printoptions(profile="default")
        stem = self.path.stem.replace(".", "_")
        self.module = types.ModuleType(f"examples_{self.path.parent.name}_{stem}")
        self.module.__file__ = str(self.path)
        sys.modules[self.module.__name__] = self.module
        lab_module = editions.base(self.path).with_suffix(".py")
        if self.path.parent.name == "labs" and lab_module.is_file():
            # the first cells of a lab are what its module holds, in this edition
            if language := editions.language_of(self.path):
                lab = vars(editions.module(lab_module, language))
            else:
                lab = vars(importlib.import_module(f"snippets.labs.{self.path.stem}"))
            vars(self.module).update({name: value for name, value in lab.items() if not name.startswith("__")})

    def run_up_to(self, position: int) -> str:
        """Run the blocks that have not run yet, and return what the one at ``position`` prints."""
        if self.module is None:
            self.start()
        while len(self.printed) <= position:
            if self.broken:
                raise examples.ExampleError(f"not run, because an example before it failed: {self.broken}")
            block = self.blocks[len(self.printed)]
            path = self.where(len(self.printed))
            try:
                raises, namespace = examples.raises(block), self.module.__dict__
                with contextlib.ExitStack() as apart:
                    if self._has_values(len(self.printed)):
                        namespace = {**namespace, "shown": self.shown}
                        apart.callback(self._set_back())
                    printed = examples.run(block.code, namespace, path, block.lineno + 1, raises)
            except examples.ExampleError as error:
                self.broken = str(error).splitlines()[0]
                raise
            self.printed.append(printed)
        return self.printed[position]

    def _has_values(self, position: int) -> bool:
        """Whether a block prints values for prose: what it does changes nothing for the blocks below."""
        return bool(values.SECTION.fullmatch(self.names[position]))

    def _set_back(self) -> Callable[[], None]:
        """What undoes drawing from torch's random numbers."""
        if "torch" not in sys.modules:
            return lambda: None
        import torch

        state = torch.get_rng_state()
        return lambda: torch.set_rng_state(state)

    def shown(self, section: str, line: str, which: int = -1) -> str:
        """For values: a number that the example ``section`` has printed above, in the only line that holds ``line``.

        ``which`` of the numbers of that line; the last one unless told.
        """
        before = zip(self.names, self.printed, strict=False)
        output = "".join(printed for name, printed in before if name == section)
        if not output:
            raise LookupError(f"no section {section} above has printed anything: its examples come first")
        return values.numbers(output, line)[which]

    def write(self) -> None:
        """Put what was accepted into the file as it was read, from the last block to the first."""
        if not self.accepted:
            return
        if self.path.read_bytes() != self.written:
            raise examples.ExampleError(f"{self.path} has been edited while its examples ran: accept them once more")
        text = self.source.decode()
        for position, printed in sorted(self.accepted.items(), reverse=True):
            text = examples.with_output(text, self.blocks[position], printed)
        self.written = text.encode()
        self.path.write_bytes(self.written)

    def teardown(self):
        """What an example has set is set back, for the files and tests that follow."""
        if self.module is not None:
            sys.modules.pop(self.module.__name__, None)
            self.module = None
            self.undo.close()
        self.write()


class EditionFile(MarkdownFile):
    """An overlay: the blocks of its sections, and those of the file beside it for all other sections."""

    def _all(self) -> tuple[list, list[str]]:
        its = editions.base(self.path)
        if not its.is_file():
            raise self.CollectError(f"{self.path}: there is no {its.name} beside this: rename it, or remove it")
        found: dict[str, list] = {}
        for block, name in zip(*self._of(self.path), strict=True):
            found.setdefault(name, []).append(block)
        blocks: list = []
        names: list[str] = []
        self.files: list[Path] = []
        for block, name in zip(*self._of(its), strict=True):
            if name not in found:
                blocks, names = [*blocks, block], [*names, name]
                self.files.append(its)
            elif name not in names:
                blocks, names = [*blocks, *found[name]], [*names, *[name] * len(found[name])]
                self.files += [self.path] * len(found[name])
        return blocks, names

    def file_of(self, position: int) -> Path:
        return self.files[position]

    def write(self) -> None:
        """Besides: sections of the other file that print something else in this edition come into this one."""
        if not self.accepted:
            return
        its = editions.base(self.path)
        missing = {self.names[i]: "" for i in self.accepted if self.files[i] == its}
        text = its.read_bytes().decode()
        for position, printed in sorted(self.accepted.items(), reverse=True):
            if self.files[position] == its:
                text = examples.with_output(text, self.blocks[position], printed)
        self.accepted = {i: printed for i, printed in self.accepted.items() if self.files[i] == self.path}
        super().write()
        if missing:
            copied, there = editions.sections(text), editions.parts(its)
            own = editions.sections(self.written.decode())
            found = {name: copied[name] if name in missing else own.get(name) for name in there}
            title = self.written.decode().partition("\n")[0]
            text = "\n".join([f"{title}\n", *(part.text for part in found.values() if part)])
            self.written = text.encode()
            self.path.write_bytes(self.written)


class TestBlock(plugin.TestBlock):
    """One example. Alone, it first runs the ones before it."""

    __test__ = False

    def __init__(self, name, parent, obj=None, position=0):
        super().__init__(name, parent, obj)
        self.position = position

    def runtest(self):
        __tracebackhide__ = True
        printed = self.parent.run_up_to(self.position)
        if self.path.parent.name == "labs" and not self.parent._has_values(self.position):
            return  # cells of a lab: what they print depends on a training, and stands in the executed notebook
        path, line = self.parent.where(self.position), self.obj.lineno
        if self.config.option.accept and printed != (self.obj.expected_output or ""):
            if printed and not examples.fits(printed):
                raise examples.ExampleError(
                    f"{path}:{line}: no fence can hold what the example prints: "
                    "let it end with a newline, and have no line that starts with ```"
                )
            self.parent.accepted[self.position] = printed
            self.user_properties.append((ACCEPTED, examples.difference(self.obj.expected_output, printed)))
        else:
            try:
                examples.compare(self.obj.expected_output, printed, path, line)
            except examples.ExampleError as error:
                if self.parent.file_of(self.position) == self.path:
                    raise
                name, own = self.parent.names[self.position], self.path.name
                add = f"put section {name} into {own}, with what it prints in this edition (`pytest --accept` does it)."
                raise examples.ExampleError(f"{error}\n{add}") from None

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, (examples.ExampleError, pytest.fail.Exception)):
            return str(excinfo.value)
        return pytest.Item.repr_failure(self, excinfo)

    def reportinfo(self):
        return self.path, self.obj.lineno - 1, f"{self.path.name}: {self.name}"
