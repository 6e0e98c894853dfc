"""Each edition counts in the constitution of its own country."""

from __future__ import annotations

import pytest

from snippets.before import corpus
from snippets.before.two_constitutions import constitution


def test_each_language_has_its_own():
    assert constitution("ko") == corpus.constitution()
    lines = constitution("en")
    assert lines[0] == "Constitution of the United States of America"
    assert lines[2].startswith("We the People of the United States, in Order to form a more perfect Union")
    assert [line for line in lines if line.startswith("Article ")] == [
        f"Article {n}" for n in "I II III IV V VI VII".split()
    ]
    assert all(line and line == line.strip() for line in lines)


def test_another_language_is_refused_by_name():
    with pytest.raises(ValueError, match="not 'fr'"):
        constitution("fr")
