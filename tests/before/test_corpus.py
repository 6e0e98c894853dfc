"""What the texts are: whole, in lines without empty ones, and the same in both languages."""

from __future__ import annotations

import re

import pytest

from snippets.before.corpus import constitution, declaration


def test_the_constitution_has_all_its_articles_in_order():
    lines = constitution()
    assert lines[0] == "대한민국헌법"
    places = [next(i for i, line in enumerate(lines) if line.startswith(f"제{n}조 ")) for n in range(1, 131)]
    assert places == sorted(places)
    assert lines[places[0]] == "제1조 ① 대한민국은 민주공화국이다."


def test_no_line_is_empty_or_has_spaces_around_it():
    for lines in (constitution(), declaration("ko"), declaration("en")):
        assert all(line and line == line.strip() for line in lines)


def test_the_declaration_says_the_same_line_by_line():
    korean, english = declaration("ko"), declaration("en")
    assert len(korean) == len(english)
    articles = [i for i, line in enumerate(english) if re.fullmatch(r"Article \d+", line)]
    assert len(articles) == 30
    assert [i for i, line in enumerate(korean) if re.fullmatch(r"제 ?\d+ ?조", line)] == articles


def test_another_language_is_refused_by_name():
    with pytest.raises(ValueError, match="not 'fr'"):
        declaration("fr")
