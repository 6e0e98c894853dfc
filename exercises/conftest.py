"""The stages of an exercise as tests of the learner's file: ``pytest exercises/attention``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

if (root := str(Path(__file__).resolve().parents[1])) not in sys.path:
    sys.path.insert(0, root)

from exercises import hints  # noqa: E402
from exercises.checking import HERE, PARTS, TO_TRY, Exercise, explain, is_blank, load, run, told  # noqa: E402
from exercises.language import LANGUAGES, say, speak  # noqa: E402
from exercises.repair.stages import FOLDER, Repair, begin, read_everything  # noqa: E402
from exercises.watching import Missing  # noqa: E402

#: An answer, by the name of its exercise, as far as it has been checked.
FILES: dict[str, Answer] = {}


def pytest_addoption(parser):
    parser.addoption(
        "--language", choices=LANGUAGES, help="what the checks speak; else the language of the environment"
    )
    parser.addoption(
        "--hint",
        nargs="?",
        type=int,
        choices=range(1, hints.STEPS + 1),
        const=1,
        default=0,
        help="where the next stage is explained; --hint=2: what it is made of; --hint=3: its lines without values",
    )
    parser.addoption(
        "--solution",
        action="store_true",
        help="for the next stage: the book's own code, and another way; once a file is right, the other ways",
    )


def _of_a_learner(config) -> bool:
    """Not a run of the book's own tests, which are elsewhere."""
    return config.rootpath == HERE


def pytest_configure(config):
    """Write the blanks that are asked for and missing."""
    if not _of_a_learner(config):
        return
    speak(config.getoption("language"))
    torch.set_num_threads(1)  # for tensors as small as these, a second one is only waited for
    asked = _asked(config)
    for exercise in read_everything().values():
        wanted = [HERE / exercise.part, HERE / f"{exercise.name}.py", *[HERE] * (exercise.part != FOLDER)]
        if any(path in wanted for path in asked) and (written := begin(exercise)):
            print(written)


def _asked(config) -> list[Path]:
    """The files and folders that the command names."""
    return [Path(config.invocation_params.dir, argument.partition("::")[0]).resolve() for argument in config.args]


def _named(path: Path) -> Exercise | None:
    """The exercise or the repair that a file of the learner's is an answer to."""
    return read_everything().get(path.relative_to(HERE).with_suffix("").as_posix())


def pytest_collect_file(file_path, parent):
    if not _of_a_learner(parent.config) or not file_path.is_relative_to(HERE):
        return None
    return Answer.from_parent(parent, path=file_path) if _named(file_path) else None


def pytest_ignore_collect(collection_path, config):
    """Other folders than those of the parts; repairs come only for whoever asks for them."""
    repairs = any(path.is_relative_to(HERE / FOLDER) for path in _asked(config))
    known = (HERE.name, *PARTS, *[FOLDER] * repairs)
    return True if collection_path.is_dir() and collection_path.name not in known else None


def pytest_collection_modifyitems(items):
    order = {name: number for number, name in enumerate(read_everything())}
    items.sort(key=lambda item: order[item.parent.exercise.name])  # stages stay in order
    FILES.clear()
    for item in items:
        FILES.setdefault(item.parent.exercise.name, item.parent).asked.append(item.stage)


def pytest_report_teststatus(report, config):
    """No letters and no list of names: there is a line for each file, or for each stage of a single one."""
    if not _of_a_learner(config):
        return None
    return (report.outcome if report.when == "call" or report.failed else "", "", "")


class Answer(pytest.File):
    """A file of the learner's."""

    def collect(self):
        self.exercise = _named(self.path)
        self.module, self.asked, self.right = None, [], 0
        self.stopped_at = None  # the first stage that is not right
        self.said, self.begun = "", True
        for stage in self.exercise.stages:
            yield StageItem.from_parent(self, name=stage.item, stage=stage)

    def line(self) -> str:
        """How far it is right, in one line."""
        text = f"{self.exercise.name:<32}{self.right:>3} / {len(self.asked):<3}"
        if self.stopped_at is None:
            return text
        name = self.stopped_at.item
        return text + (say("  wrong: {stage}", stage=name) if self.begun else say("  not written: {stage}", stage=name))


class StageItem(pytest.Item):
    def __init__(self, stage, **kwargs):
        super().__init__(**kwargs)
        self.stage = stage

    def runtest(self):
        answer = self.parent
        if answer.stopped_at is not None:
            pytest.skip("a stage before it is not right")
        try:
            if answer.module is None:
                answer.module = load(self.path, answer.exercise.name)
            run(self.stage, answer.module)
        except (Exception, SystemExit) as error:
            answer.stopped_at = self.stage
            answer.begun = not is_blank(error)
            answer.said = self._said(error)
            raise
        answer.right += 1

    def _said(self, error: Exception) -> str:
        exercise, stage = self.parent.exercise, self.stage
        text = "{of} in exercises/{name}.py; it is explained on the page {page}"
        about = say(text, of=stage.of, name=exercise.name, page=exercise.page)
        if self.parent.begun and getattr(error, "call", None):
            line = TO_TRY.format(of=f'"{exercise.name}", "{stage.item}"')
            about += "\n" + say("To try it in Python: {line}", line=line)
        step = self.config.getoption("hint")
        hidden = isinstance(exercise, Repair) and not step  # what is wrong is to be found
        said = explain(error, exercise, str(self.path), named=not hidden)
        parts = [f"{stage.name}: {say(stage.says)}"] if not hidden else []
        if isinstance(exercise, Repair):
            parts.insert(0, say("noticed: {symptom}", symptom=say(exercise.symptom)))
        if isinstance(error, Missing):  # there is nothing to be written in this file
            return "\n\n".join([*parts, said])
        parts += [said, about]
        if step:
            parts.append(hints.hint(exercise, stage, step))
        if self.config.getoption("solution"):
            parts.append(hints.solution(exercise, stage))
        return "\n\n".join(parts)

    def repr_failure(self, excinfo):
        return self.parent.said if self.parent.stopped_at is self.stage else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, f"{self.parent.exercise.name}: {self.stage.name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """After the last stage of a file, its line; of a single file, a line for each stage."""
    result = yield
    if isinstance(item, StageItem):
        answer, reporter = item.parent, item.config.pluginmanager.getplugin("terminalreporter")
        if len(FILES) == 1 and answer.stopped_at in (None, item.stage):
            verdict = "right" if answer.stopped_at is None else "wrong" if answer.begun else "not written"
            reporter.write_line(told(verdict, item.stage))
        elif len(FILES) > 1 and item.stage is answer.asked[-1]:
            reporter.write_line(answer.line())
    return result


def pytest_terminal_summary(terminalreporter, config):
    """What is to be done next: of what is begun, the first that is wrong; else the first that is to be written."""
    if not _of_a_learner(config) or not FILES:
        return
    left = [answer for answer in FILES.values() if answer.stopped_at is not None]
    left.sort(key=lambda answer: not answer.begun)
    if left:
        first = left[0]
        terminalreporter.write_sep("-", say("next"))
        terminalreporter.write_line(first.said)
        for report in terminalreporter.getreports("failed"):
            if report.nodeid.endswith(f"{first.exercise.name.partition('/')[2]}.py::{first.stopped_at.item}"):
                terminalreporter.write(report.capstdout)
        terminalreporter.write_line("")
    elif len(FILES) == 1 and config.getoption("solution"):
        (exercise,) = (answer.exercise for answer in FILES.values())
        for way in hints.other_ways(exercise, [stage.of for stage in exercise.stages]):
            terminalreporter.write_line(way + "\n")
    right, tests = sum(a.right for a in FILES.values()), sum(len(a.asked) for a in FILES.values())
    terminalreporter.write_line(say("{right} of {tests} stages are right", right=right, tests=tests))
