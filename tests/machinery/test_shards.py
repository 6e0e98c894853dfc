"""The shards of what is tried are all of it, and nobody tries a part without having said so."""

import pytest

from tests.machinery.shards import SHARDS, VARIABLE, ours


def test_all_shards_are_the_whole_and_have_nothing_in_common(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert ours("abcdef") == "abcdef"
    found = []
    for shard in range(SHARDS):
        monkeypatch.setenv(VARIABLE, str(shard))
        found.append(ours("abcdef"))
    assert found == ["ae", "bf", "c", "d"]


@pytest.mark.parametrize("shard", ["4", "-1", "", "all"])
def test_a_shard_that_is_none_is_refused(monkeypatch, shard):
    monkeypatch.setenv(VARIABLE, shard)
    with pytest.raises(SystemExit, match=f"SHARD={shard}: a shard is 0 to 3"):
        ours("abc")
