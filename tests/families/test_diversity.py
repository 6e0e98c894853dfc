"""A text that repeats itself has few distinct n-grams, and one that copies has many known ones."""

from __future__ import annotations

from dataclasses import replace

import torch

from snippets.families import diversity
from snippets.families.constitution_gpt import Text, text_of
from snippets.families.diversity import by_temperature, distinct, grams, known, samples
from snippets.families.gpt import GPT

KO = text_of("ko")
VOCAB = KO.vocab


def model() -> GPT:
    torch.manual_seed(0)
    small = GPT(replace(KO.config, num_layers=1, d_model=12, d_ff=20, num_heads=3)).eval()
    with torch.no_grad():
        small.tokens.weight.mul_(20)
    return small


def test_n_grams_are_all_there_is_from_the_first_to_the_last():
    assert grams("abcd", 2) == [("a", "b"), ("b", "c"), ("c", "d")]
    assert grams("abcd", 4) == [tuple("abcd")] and grams("abc", 4) == []


def test_distinct_n_grams_are_counted_within_each_text():
    assert distinct(["aaaa"], 1) == 1 / 4 and distinct(["aaaa"], 2) == 1 / 3
    assert distinct(["abcd"], 3) == 1 and distinct([[5, 6, 5, 6, 5]], 2) == 2 / 4
    assert distinct(["aaaa", "bcd"], 2) == (1 + 2) / (3 + 2)
    assert distinct(["abc", "abc"], 2) == 1, "another text with the same words repeats nothing"


def test_known_n_grams_occur_in_one_of_the_lines():
    assert known(["abcd"], 2, ["xab", "cd"]) == 2 / 3
    assert known(["ab", "ba"], 2, ["ab"]) == 1 / 2
    assert known(["국민은"], 3, [list("모든 국민은")]) == 1


def test_samples_follow_the_prompt_without_it_and_the_seed_decides():
    texts = samples(model(), VOCAB, "모든 ", 0.5, texts=3)
    assert len(texts) == 3 and all(0 < len(text) <= 60 for text in texts)
    assert max(map(len, texts)) == 60
    assert len(set(texts)) == 3 and texts == samples(model(), VOCAB, "모든 ", 0.5, texts=3)
    assert texts != samples(model(), VOCAB, "모든 ", 0.5, texts=3, seed=1)
    assert texts != samples(model(), VOCAB, "제1", 0.5, texts=3)
    assert len(samples(model(), VOCAB, "모든 ", 0.5)) == 16, "as many as a group of by_temperature"


def test_at_a_temperature_near_zero_all_samples_are_the_same():
    assert len(set(samples(model(), VOCAB, "모든 ", 1e-4, texts=4))) == 1


def test_temperatures_rise_in_equal_steps_around_one():
    assert diversity.TEMPERATURES == [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4]


def test_each_temperature_has_its_measures(monkeypatch):
    monkeypatch.setattr(diversity, "TEMPERATURES", [0.3, 2.0])
    small, own = model(), Text("ko")
    texts = [samples(small, VOCAB, "법률", temperature, texts=64) for temperature in (0.3, 2.0)]
    assert len(texts[0]) == 64
    own.train = [one[i : i + 20] for i, one in enumerate(texts[0] + texts[1])]
    groups = [[part[i : i + 16] for i in (0, 16, 32, 48)] for part in texts]
    assert by_temperature(small, own, "법률") == [
        {"distinct": [distinct(g, 3) for g in of], "known": [known(g, 5, own.train) for g in of]} for of in groups
    ]
