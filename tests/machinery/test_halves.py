"""The two halves of what is tried are all of it, and nobody tries half without having said so."""

import pytest

from tests.machinery.halves import VARIABLE, ours


def test_two_halves_are_the_whole_and_have_nothing_in_common(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert ours("abcde") == "abcde"
    halves = []
    for half in "01":
        monkeypatch.setenv(VARIABLE, half)
        halves.append(ours("abcde"))
    assert halves == ["ace", "bd"]


def test_a_half_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv(VARIABLE, "2")
    with pytest.raises(SystemExit, match="HALF=2: a half is 0 or 1"):
        ours("abc")
