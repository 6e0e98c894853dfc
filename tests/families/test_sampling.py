"""What is drawn has the probabilities it should have, and the candidates are those of the library."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from torch import Generator
from torch.testing import assert_close

from snippets.before.vocabulary import EOS, PAD
from snippets.families.gpt import GPT, GPT2, GPT_NAMES, unfused
from snippets.families.library import load_renamed
from snippets.families.sampling import draw, min_p, sample, top_k, top_p, with_temperature
from tests.families.gpt2_twin import gpt2

LOGITS = torch.tensor([[1.0, 3.0, 2.0, -1.0, 0.0]])
P = torch.tensor([0.5, 0.2, 0.15, 0.1, 0.05])  # of five tokens

rows = st.integers(0, 2**31).map(lambda seed: 3 * torch.randn(4, 30, generator=Generator().manual_seed(seed)))


def kept(logits) -> list[list[int]]:
    return [[i for i, x in enumerate(row) if x > -math.inf] for row in logits.tolist()]


@given(rows, st.floats(0.05, 5), st.integers(1, 40), st.floats(0.01, 0.99), st.floats(0, 1))
def test_candidates_and_their_logits_are_those_of_the_library(logits, temperature, k, p, ratio):
    for ours, theirs in [
        (with_temperature(logits, temperature), transformers.TemperatureLogitsWarper(temperature)),
        (top_k(logits, k), transformers.TopKLogitsWarper(k)),
        (top_p(logits, p), transformers.TopPLogitsWarper(p)),
        (min_p(logits, ratio), transformers.MinPLogitsWarper(ratio)),
    ]:
        assert torch.equal(ours, theirs(None, logits))


@given(rows, st.floats(0.2, 3), st.integers(2, 20), st.floats(0.1, 0.95))
def test_one_after_the_other_they_give_what_they_give_in_the_library(logits, temperature, k, p):
    ours, theirs = top_p(top_k(with_temperature(logits, temperature), k), p), logits
    for warper in (
        transformers.TemperatureLogitsWarper(temperature),
        transformers.TopKLogitsWarper(k),
        transformers.TopPLogitsWarper(p),
    ):
        theirs = warper(None, theirs)
    assert torch.equal(ours, theirs)


def test_the_order_matters_a_higher_temperature_afterwards_leaves_fewer_candidates():
    first, last = top_p(with_temperature(LOGITS, 3.0), 0.8), with_temperature(top_p(LOGITS, 0.8), 3.0)
    assert (len(kept(first)[0]), len(kept(last)[0])) == (4, 2)


def test_known_candidates():
    logits = P.log().unsqueeze(0)[:, [3, 0, 4, 2, 1]]  # in another order: 0.1 0.5 0.05 0.15 0.2
    assert kept(top_k(logits, 2)) == [[1, 4]]
    assert [kept(top_p(logits, p))[0] for p in (0.3, 0.49, 0.51, 0.69, 0.71, 0.86, 0.99)] == [
        [1],
        [1],
        [1, 4],
        [1, 4],
        [1, 3, 4],
        [0, 1, 3, 4],
        [0, 1, 2, 3, 4],
    ]
    assert [kept(min_p(logits, p))[0] for p in (0.09, 0.19, 0.21, 0.31, 0.5)] == [
        [0, 1, 2, 3, 4],
        [0, 1, 3, 4],
        [1, 3, 4],
        [1, 4],
        [1],
    ]


@given(rows, st.floats(0.01, 1))
def test_the_nucleus_is_the_smallest_set_that_reaches_p(logits, p):
    for row, left in zip(logits.double().softmax(-1), kept(top_p(logits.double(), p)), strict=True):
        inside = sorted(row[left].tolist())
        assert sum(inside) >= p - 1e-9
        assert sum(inside[1:]) < p + 1e-9, "it would reach p without the least probable one"
        assert len(inside) == len(row) or inside[0] >= max(x for i, x in enumerate(row.tolist()) if i not in left)


def test_at_the_edges_nothing_is_cut_or_all_but_one():
    for same in (top_p(LOGITS, 1.0), top_k(LOGITS, 5), top_k(LOGITS, 99), min_p(LOGITS, 0.0)):
        assert torch.equal(same, LOGITS)
    assert torch.equal(with_temperature(LOGITS, 1.0), LOGITS)
    for one in (top_k(LOGITS, 1), top_p(LOGITS, 1e-9), min_p(LOGITS, 1.0), top_p(LOGITS, 0.6)):
        assert kept(one) == [[1]]


def test_of_equally_probable_tokens_top_k_keeps_all_and_top_p_as_many_as_it_takes():
    equal = torch.zeros(1, 4)
    assert kept(top_k(equal, 1)) == kept(top_k(equal, 3)) == [[0, 1, 2, 3]]
    assert kept(min_p(equal, 1.0)) == [[0, 1, 2, 3]]
    assert [len(kept(top_p(equal, p))[0]) for p in (0.2, 0.3, 0.6, 0.9)] == [1, 2, 3, 4]
    assert [len(kept(top_p(equal, p))[0]) for p in (0.25, 0.5, 0.75)] == [1, 2, 3], "p has just been reached"


def test_what_is_cut_stays_cut():
    cut = top_k(LOGITS, 3)
    for again in (top_p(cut, 1.0), top_k(cut, 5), min_p(cut, 1e-6), with_temperature(cut, 0.5)):
        assert kept(again) == [[0, 1, 2]]


@given(rows, st.floats(0.1, 5))
def test_the_temperature_is_the_exponent_of_the_probabilities(logits, temperature):
    logits = logits.double()
    powers = logits.softmax(-1) ** (1 / temperature)
    assert_close(with_temperature(logits, temperature).softmax(-1), powers / powers.sum(-1, keepdim=True))


def test_towards_zero_it_is_argmax_and_towards_infinity_uniform():
    assert_close(with_temperature(LOGITS, 1e-3).softmax(-1), torch.tensor([[0.0, 1, 0, 0, 0]]))
    assert_close(with_temperature(LOGITS, 1e6).softmax(-1), torch.full((1, 5), 0.2), rtol=0, atol=1e-5)


def entropy(logits) -> float:
    p = logits.softmax(-1)
    return -(p * p.log()).sum().item()


def test_the_higher_the_temperature_the_higher_the_entropy():
    entropies = [entropy(with_temperature(LOGITS, t)) for t in (0.3, 0.5, 1.0, 1.5, 3.0)]
    assert entropies == sorted(entropies) and entropies[-1] < math.log(5)


#: 0.1 % quantiles from above of chi-square, by degrees of freedom: so unlikely is a statistic beyond them.
BEYOND = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47}


@pytest.mark.parametrize(
    "cut",
    [
        lambda logits: logits,
        lambda logits: with_temperature(logits, 0.5),
        lambda logits: with_temperature(logits, 2.0),
        lambda logits: top_k(logits, 3),
        lambda logits: top_p(with_temperature(logits, 1.5), 0.8),
    ],
    ids=["as it is", "0.5", "2", "top-3", "1.5, top-p 0.8"],
)
def test_tokens_are_drawn_with_their_probabilities(cut):
    n = 20_000
    logits = cut(LOGITS).expand(n, -1)
    expected = n * logits[0].softmax(-1)
    drawn = torch.bincount(draw(logits, Generator().manual_seed(0)), minlength=5)
    candidates = expected > 0
    assert drawn[~candidates].sum() == 0
    statistic = ((drawn - expected) ** 2 / expected)[candidates].sum().item()
    assert 0 < statistic < BEYOND[candidates.sum().item() - 1]


def test_whole_samples_have_the_probability_of_the_model():
    """Two tokens after each other, or the end: each text as often as the chain rule says."""
    table = torch.tensor([[0.0, 0, 0.3, 0.7], [0, 0, 0.3, 0.7], [0, 0, 0.3, 0.7], [0, 0, 0.6, 0.4]]).log()
    n = 4000
    new = sample(lambda ids: table[ids[:, -1]], torch.ones(n, 1).long(), 2, lambda x: x, Generator().manual_seed(0))
    texts = Counter(map(tuple, new.tolist()))
    expected = {(EOS, PAD): 0.3, (3, EOS): 0.42, (3, 3): 0.28}
    assert set(texts) == set(expected), "padding behind the end, and no more tokens than asked for"
    statistic = sum((texts[text] - n * p) ** 2 / (n * p) for text, p in expected.items())
    assert statistic < BEYOND[2]


def test_it_stops_when_all_have_ended():
    end = torch.tensor([0.0, 0.0, 1.0]).log()
    new = sample(lambda ids: end.expand(3, -1), torch.ones(3, 2).long(), 9, lambda x: x, Generator().manual_seed(0))
    assert new.tolist() == [[EOS]] * 3


def test_the_seed_decides_and_the_prompt_is_not_repeated():
    def run(seed):
        return sample(
            lambda x: torch.zeros(1, 50), torch.tensor([[7, 7]]), 9, lambda x: x, Generator().manual_seed(seed)
        )

    assert torch.equal(run(0), run(0)) and run(0).tolist() != run(1).tolist() and run(1).size(1) <= 9


@pytest.mark.parametrize("seed", range(2))
def test_with_the_same_seed_it_draws_what_generate_draws(seed):
    config = replace(GPT2, vocab_size=40, num_layers=1, d_model=12, num_heads=3, d_ff=20, max_length=32)
    theirs, ours = gpt2(config, seed, PAD), GPT(config).eval()
    load_renamed(ours, unfused(theirs.state_dict()), GPT_NAMES)
    prompt = torch.tensor([[1, 5, 7], [1, 6, 3]])
    torch.manual_seed(seed)
    form = {"do_sample": True, "temperature": 0.8, "top_k": 12, "top_p": 0.9, "max_new_tokens": 20}
    whole = theirs.generate(prompt, attention_mask=torch.ones_like(prompt), **form)

    def cut(logits):
        return top_p(top_k(with_temperature(logits, 0.8), 12), 0.9)

    with torch.no_grad():
        new = sample(lambda ids: ours(ids)[:, -1], prompt, 20, cut, Generator().manual_seed(seed))
    assert torch.equal(whole[:, 3:], new)


def test_what_makes_no_distribution_is_refused():
    for temperature in (0, -1.0):
        with pytest.raises(ValueError, match="temperature is positive"):
            with_temperature(LOGITS, temperature)
    with pytest.raises(ValueError, match="at least one token is kept, not 0"):
        top_k(LOGITS, 0)
    for p in (0, 1.1):
        with pytest.raises(ValueError, match="share of the probability"):
            top_p(LOGITS, p)
    for p in (-0.1, 1.1):
        with pytest.raises(ValueError, match="ratio of probabilities"):
            min_p(LOGITS, p)


def test_no_tokens_are_none_and_fewer_are_refused():
    def from_nothing(most: int) -> torch.Tensor:
        return sample(lambda ids: torch.zeros(1, 5), torch.tensor([[3]]), most, lambda x: x, torch.Generator())

    assert from_nothing(0).shape == (1, 0)
    with pytest.raises(ValueError, match="no number of tokens: -1"):
        from_nothing(-1)


def test_a_single_row_needs_no_batch():
    assert draw(torch.tensor([0.0, 50.0, 0.0])).tolist() == 1
    assert draw(torch.tensor([[0.0, 50.0], [50.0, 0.0]])).tolist() == [1, 0]


def test_a_temperature_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="positive, not nan"):
        with_temperature(torch.zeros(3), math.nan)
