"""The stages of an exercise as tests of the learner's file: ``pytest exercises/attention``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if (root := str(Path(__file__).resolve().parents[1])) not in sys.path:
    sys.path.insert(0, root)

from exercises import blanks  # noqa: E402
from exercises.checking import EXERCISES, HERE, PARTS, explain, load, read_parts, run  # noqa: E402
from exercises.language import LANGUAGES, say, speak  # noqa: E402


def pytest_addoption(parser):
    parser.addoption(
        "--language", choices=LANGUAGES, help="what the checks speak; else the language of the environment"
    )


def pytest_configure(config):
    """Write the blanks that are asked for and missing."""
    if config.rootpath != HERE:
        return  # a run of the book's own tests, which are elsewhere
    speak(config.getoption("language"))
    read_parts()
    asked = [Path(config.invocation_params.dir, argument.partition("::")[0]).resolve() for argument in config.args]
    for exercise in EXERCISES.values():
        if any(folder in (HERE, HERE / exercise.part) for folder in asked) and (path := blanks.write(exercise)):
            print(say("wrote {path}: yours to complete", path=f"exercises/{path.relative_to(HERE).as_posix()}"))


def pytest_collect_file(file_path, parent):
    if parent.config.rootpath != HERE or not file_path.is_relative_to(HERE):
        return None
    name = file_path.relative_to(HERE).with_suffix("").as_posix()
    return Answer.from_parent(parent, path=file_path) if name in EXERCISES else None


def pytest_ignore_collect(collection_path, config):
    return True if collection_path.is_dir() and collection_path.name not in (HERE.name, *PARTS) else None


def pytest_collection_modifyitems(items):
    order = {name: number for number, name in enumerate(EXERCISES)}
    items.sort(key=lambda item: order[item.parent.exercise.name])  # stages stay in order


def pytest_terminal_summary(terminalreporter, config):
    if config.rootpath != HERE:
        return
    right, tests = len(terminalreporter.getreports("passed")), terminalreporter._session.testscollected
    terminalreporter.write_line(say("{right} of {tests} stages are right", right=right, tests=tests))


class Answer(pytest.File):
    """A file of the learner's."""

    def collect(self):
        self.exercise = EXERCISES[self.path.relative_to(HERE).with_suffix("").as_posix()]
        self.module = None
        for stage in self.exercise.stages:
            yield StageItem.from_parent(self, name=stage.item, stage=stage)


class StageItem(pytest.Item):
    def __init__(self, stage, **kwargs):
        super().__init__(**kwargs)
        self.stage = stage

    def runtest(self):
        if self.parent.module is None:
            self.parent.module = load(self.path, self.parent.exercise.name)
        run(self.stage, self.parent.module)

    def repr_failure(self, excinfo):
        exercise, stage = self.parent.exercise, self.stage
        text = "{of} in exercises/{name}.py; it is explained on the page {page}"
        about = say(text, of=stage.of, name=exercise.name, page=exercise.page)
        said = explain(excinfo.value, exercise, str(self.path))
        return f"{stage.name}: {say(stage.says)}\n\n{said}\n\n{about}"

    def reportinfo(self):
        return self.path, None, f"{self.parent.exercise.name}: {self.stage.name}"
