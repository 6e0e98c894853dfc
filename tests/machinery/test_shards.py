"""The shards of what is tried are all of it, and nobody tries a part without having said so."""

import pytest

from tests.machinery.shards import NUMBER, SHARDS, VARIABLE, in_third, ours


@pytest.fixture(autouse=True)
def _no_shard(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv(NUMBER, raising=False)


def test_all_shards_are_the_whole_and_have_nothing_in_common(monkeypatch):
    assert ours("abcdefghijklmn") == "abcdefghijklmn"
    found = []
    for shard in range(SHARDS):
        monkeypatch.setenv(VARIABLE, str(shard))
        found.append(ours("abcdefghijklmn"))
    assert found == ["am", "bn", *"cdefghijkl"]


@pytest.mark.parametrize("shard", ["12", "-1", "", "all"])
def test_a_shard_that_is_none_is_refused(monkeypatch, shard):
    monkeypatch.setenv(VARIABLE, shard)
    with pytest.raises(SystemExit, match=f"SHARD={shard}: a shard is 0 to 11"):
        ours("abc")


def test_a_slow_machine_takes_smaller_ones(monkeypatch):
    monkeypatch.setenv(NUMBER, "6")
    monkeypatch.setenv(VARIABLE, "5")
    assert ours("abcdefg") == "f"


@pytest.mark.parametrize("shards", ["0", "-4", "", "some"])
def test_a_number_of_shards_that_is_none_is_refused(monkeypatch, shards):
    monkeypatch.setenv(NUMBER, shards)
    with pytest.raises(SystemExit, match=f"SHARDS={shards}: the number of shards is 1 or more"):
        ours("abc")


def test_three_shards_in_turn_try_all_thirds(monkeypatch):
    assert all(map(in_third, range(5)))
    thirds = []
    for shard in "345":
        monkeypatch.setenv(VARIABLE, shard)
        thirds.append([number for number in range(5) if in_third(number)])
    assert thirds == [[0, 3], [2], [1, 4]]
