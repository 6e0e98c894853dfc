"""Runs the worked examples, ``snippets/PART/*.md``, through pytest-codeblocks: a plugin of pytest.

Stock, each block has a namespace of its own. Here the blocks of a file share one, in order,
and each is still a test of its own, named after its section: ``snippets/attention/masks.md::causal``.

``pytest --accept`` runs them and nothing else, writes what they print now into their files, and shows the
difference. Not for the cells of labs, whose output depends on a training and stands in the executed notebook.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import sys
import types
from collections.abc import Callable

import pytest
from pytest_codeblocks import extract_from_file, plugin

from book import examples, values
from book.pages import lines_of, parse, read, read_sections

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
        return MarkdownFile.from_parent(parent, path=file_path)
    return None


class MarkdownFile(plugin.MarkdownFile):
    """A file of worked examples: its blocks, and the module in which they run."""

    def collect(self):
        self.source = self.written = self.path.read_bytes()
        self.accepted: dict[int, str] = {}  # what blocks print now, by position
        self.blocks = extract_from_file(self.path)
        fences = [fence for fence in parse(self.path, "en", self.path.name).fences if fence.info != "text"]
        runnable = [block for block in self.blocks if block.syntax == "python"]
        if len(runnable) != len(fences) or len(fences) == 0:
            lines = sorted({fence.line for fence in fences} ^ {block.lineno for block in runnable})
            raise self.CollectError(
                f"{self.path}: a fence in line {', '.join(map(str, lines))} would not be run: "
                "write ```python, not indented, without options"
            )
        self.blocks = runnable
        self.module: types.ModuleType | None = None
        names = itertools.count(2)
        seen: set[str] = set()
        self.names = self._names()
        for position, (block, name) in enumerate(zip(runnable, self.names, strict=True)):
            while name in seen:
                name = f"{name}-{next(names)}"
            seen.add(name)
            test = TestBlock.from_parent(self, name=name, obj=block, position=position)
            if why := examples.missing(self.path):
                test.add_marker(pytest.mark.skip(reason=why))
            yield test

    def _names(self) -> list[str]:
        """The section in which each block stands."""
        sections, _ = read_sections(lines_of(read(self.path)))
        return [
            next((s.name for s in sections if s.line <= block.lineno < s.end), f"line {block.lineno}")
            for block in self.blocks
        ]

    def start(self) -> None:
        """A fresh module. It is a real one, so that its classes can be pickled."""
        self.printed: list[str] = []  # by the blocks that have run
        self.broken: str | None = None  # what the first that raised said
        self.undo = contextlib.ExitStack()
        self.undo.callback(os.chdir, os.getcwd())
        os.chdir(self.config.rootpath)  # where a reader starts Python
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
        self.module = types.ModuleType(f"examples_{self.path.parent.name}_{self.path.stem}")
        self.module.__file__ = str(self.path)
        sys.modules[self.module.__name__] = self.module
        if self.path.parent.name == "labs" and self.path.with_suffix(".py").is_file():
            # the first cells of a lab are what its module holds
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
            path = self.path.relative_to(self.config.rootpath).as_posix()
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
        path, line = self.path.relative_to(self.config.rootpath).as_posix(), self.obj.lineno
        if self.config.option.accept and printed != (self.obj.expected_output or ""):
            if printed and not examples.fits(printed):
                raise examples.ExampleError(
                    f"{path}:{line}: no fence can hold what the example prints: "
                    "let it end with a newline, and have no line that starts with ```"
                )
            self.parent.accepted[self.position] = printed
            self.user_properties.append((ACCEPTED, examples.difference(self.obj.expected_output, printed)))
        else:
            examples.compare(self.obj.expected_output, printed, path, line)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, (examples.ExampleError, pytest.fail.Exception)):
            return str(excinfo.value)
        return pytest.Item.repr_failure(self, excinfo)

    def reportinfo(self):
        return self.path, self.obj.lineno - 1, f"{self.path.name}: {self.name}"
