"""Speculative decoding says what the model says: the same text when greedy, the same distribution when drawn."""

from __future__ import annotations

from itertools import product

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from snippets.families.llama import LlamaConfig
from snippets.llm import speculative
from snippets.llm.speculative import (
    RewindingLlama,
    at_temperature,
    by_model,
    expected_tokens,
    first_layers,
    greedy,
    improvement,
    intensity,
    look_up,
    passes,
    residual,
    verified,
)
from tests.llm.test_cached_llama import little_llama


def a_prompt(number: int = 12) -> list[int]:
    return torch.randint(40, (number,), generator=torch.Generator().manual_seed(0)).tolist()


def one_by_one(model, ids: list[int], number: int) -> list[int]:
    ids, new = list(ids), []
    for _ in range(number):
        new.append(model(torch.tensor([ids]))[0, -1].argmax().item())
        ids.append(new[-1])
    return new


def test_what_p_has_more_of():
    p, q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.2, 0.5, 0.3])
    assert_close(residual(p, q), torch.tensor([1.0, 0, 0]))
    assert_close(residual(q, p), torch.tensor([0, 2 / 3, 1 / 3]))


def outcomes(p, q, drafted):
    """Each result of verified with its probability, by hand: which token is rejected, and what is drawn instead."""
    found, before = {}, 1.0
    for i, token in enumerate(drafted):
        accept = min(1.0, (p[i, token] / q[i, token]).item())
        for other, share in enumerate(residual(p[i], q[i]).tolist()):
            found[*drafted[:i], other] = before * (1 - accept) * share
        before *= accept
    for other, share in enumerate(p[len(drafted)].tolist()):
        found[*drafted, other] = before * share
    return found


def test_a_draft_is_accepted_up_to_the_first_rejection_and_one_token_comes_on_top():
    generator = torch.Generator().manual_seed(3)
    p, q = (torch.randn(n, 3, generator=generator).double().softmax(-1) for n in (3, 2))
    drafted, number, counts = [2, 0], 4_000, {}
    for _ in range(number):
        new = tuple(verified(p, q, drafted, generator))
        counts[new] = counts.get(new, 0) + 1
    wanted = outcomes(p, q, drafted)
    assert sum(wanted.values()) == pytest.approx(1)
    for new, share in wanted.items():
        error = (share * (1 - share) / number) ** 0.5
        assert abs(counts.get(new, 0) / number - share) < 4.5 * error + 1e-9, new


def test_by_enumeration_the_distribution_is_that_of_the_model():
    """All drafts of two tokens, all rejections, and the passes after them: the joint of three tokens is the product."""
    generator = torch.Generator().manual_seed(5)
    p, q = (torch.randn(3, 3, generator=generator).double().softmax(-1) for _ in "pq")  # by the token before
    found = torch.zeros(3, 3, 3, dtype=torch.double)
    for a, b in product(range(3), repeat=2):
        for new, share in outcomes(p[[0, a, b]], q[[0, a]], [a, b]).items():
            for rest in product(range(3), repeat=3 - len(new)):  # one by one, as later passes may do
                tokens, weight = [*new, *rest], share * q[0, a] * q[a, b]
                for i in range(len(new), 3):
                    weight = weight * p[tokens[i - 1], tokens[i]]
                found[tuple(tokens)] += weight
    assert_close(found, p[0][:, None, None] * p[:, :, None] * p[None])


def test_no_draft_is_a_token_by_its_probability():
    p = torch.tensor([[0.0, 1.0, 0.0]])
    assert verified(p, torch.zeros(0, 3), [], torch.Generator()) == [1]


@pytest.mark.parametrize("draft", ["look up", "first layer", "itself", "nothing"])
def test_greedy_says_token_for_token_the_same(draft):
    model, ids = little_llama(), a_prompt()
    drafts = {
        "look up": look_up(40, 4),
        "first layer": by_model(first_layers(model, 1), 3),
        "itself": by_model(model, 3),
        "nothing": lambda ids: ([], torch.zeros(0, 40)),
    }
    new = list(passes(model, ids, 14, drafts[draft]))
    assert sum(new, []) == one_by_one(model, ids, 14)
    if draft == "itself":  # everything is accepted: three and one more
        assert [len(some) for some in new] == [4] * 3 + [2]
    if draft == "nothing":
        assert [len(some) for some in new] == [1] * 14


@pytest.mark.parametrize("lengths", [(9,), (1, 2, 9), (4, 9)])
def test_logits_after_each_new_token_are_those_of_the_whole_text(lengths):
    model, ids = little_llama(), torch.randint(40, (2, 9), generator=torch.Generator().manual_seed(1))
    cached, read = RewindingLlama(model), 0
    for n in lengths:
        assert_close(cached.new_logits(ids[:, :n]), model(ids[:, :n])[:, read:])
        read = n


def test_after_rewinding_it_reads_on_as_if_nothing_had_been():
    model, ids = little_llama(), torch.randint(40, (1, 9), generator=torch.Generator().manual_seed(1))
    cached = RewindingLlama(model)
    cached.rewind(0)
    cached.new_logits(torch.cat([ids[:, :5], ids[:, :3] + 1 - 2 * (ids[:, :3] == 39).long()], dim=1))
    cached.rewind(5)
    assert cached.length == 5 and {cache.keys.size(2) for cache in cached.caches} == {5}
    assert_close(cached.new_logits(ids), model(ids)[:, 5:])
    cached.rewind(20)
    assert cached.length == 9


def test_look_up_finds_what_followed_the_longest_match_first():
    draft = look_up(10, gamma=3)
    assert draft([1, 2, 3, 7, 4, 9, 2, 3])[0] == [7, 4, 9]  # two tokens match
    assert draft([5, 3, 8, 1, 2, 3, 7, 1, 2, 3])[0] == [7, 1, 2]  # three do, though one did earlier
    assert draft([4, 6, 4, 5, 4])[0] == [6, 4, 5]  # the first of two
    found, q = draft([1, 2, 1])
    assert found == [2, 1] and q.tolist() == greedy(q).tolist() and q.argmax(-1).tolist() == [2, 1]
    assert draft([1, 2, 3])[0] == [] and draft([1, 2, 3])[1].shape == (0, 10)
    assert look_up(10, gamma=1)([1, 2, 3, 7, 1])[0] == [2]
    assert look_up(10, gamma=2, longest=1)([3, 8, 1, 3, 7, 1, 3])[0] == [8, 1]


def test_first_layers_share_the_weights():
    model = little_llama()
    shallow = first_layers(model, 1)
    assert len(shallow.layers) == 1 and len(model.layers) == 2
    assert shallow.layers[0] is model.layers[0] and shallow.head is model.head
    ids = torch.tensor([[1, 2]])
    x = model.layers[0](model.tokens(ids), torch.ones(2, 2, dtype=torch.bool).tril())
    assert_close(shallow(ids), model.head(model.norm(x)))


def test_choices():
    logits = torch.tensor([[1.0, 3, 2]])
    assert greedy(logits).tolist() == [[0, 1, 0]]
    assert_close(at_temperature(2.0)(logits), (logits / 2).softmax(-1))


def test_expected_tokens_are_those_of_the_geometric_series():
    for alpha, gamma in [(0.0, 3), (0.5, 4), (0.8, 1)]:
        assert expected_tokens(alpha, gamma) == pytest.approx((1 - alpha ** (gamma + 1)) / (1 - alpha))
    assert expected_tokens(1.0, 4) == 5
    assert improvement(0.8, 5, 0.0) == pytest.approx(expected_tokens(0.8, 5))
    assert improvement(0.8, 5, 0.2) == pytest.approx(expected_tokens(0.8, 5) / 2)


def test_expected_tokens_agree_with_a_simulation():
    generator = torch.Generator().manual_seed(0)
    accepted = torch.rand(20_000, 4, generator=generator) < 0.7
    lengths = accepted.int().cumprod(dim=1).sum(dim=1) + 1
    assert lengths.double().mean().item() == pytest.approx(expected_tokens(0.7, 4), abs=0.05)


def test_flops_for_each_byte_by_hand():
    config = LlamaConfig(vocab_size=10, num_layers=3, d_model=8, num_heads=2, num_kv_heads=1, d_ff=6)
    weights = 3 * (2 * 8 * 8 + 2 * 8 * 4 + 3 * 8 * 6) + 10 * 8
    assert intensity(config, 1, 1, 0) == pytest.approx(1)  # each number, of two bytes, in one product and one sum
    assert intensity(config, 1, 5, 0) == pytest.approx(5)
    cache = 2 * 3 * 4 * 7 * 2  # keys and values, layers, numbers of each, tokens, bytes
    scores = 2 * 3 * 7 * 8  # the head's queries with keys, and weights with values
    wanted = 2 * 4 * 5 * (weights + scores) / (2 * weights + 4 * cache)
    assert intensity(config, 4, 5, 7) == pytest.approx(wanted)


def test_a_pass_drafts_no_more_than_is_left(monkeypatch):
    asked = []

    def noted(p, q, drafted, generator):
        asked.append((len(p), len(q), list(drafted)))
        return verified(p, q, drafted, generator)

    monkeypatch.setattr(speculative, "verified", noted)
    model = little_llama()
    assert [len(new) for new in passes(model, a_prompt(), 3, by_model(model, 8))] == [3]
    assert [(p, q, len(drafted)) for p, q, drafted in asked] == [(3, 2, 2)]


def test_the_longest_match_counts_and_the_first_one_of_that_length():
    found, q = look_up(9, 2)([1, 2, 3, 4, 7, 2, 3, 5, 8, 1, 2, 3])  # three tokens occurred, before 4
    assert found == [4, 7] and q.tolist() == F.one_hot(torch.tensor([4, 7]), 9).tolist()
    assert look_up(9, 1)([6, 3, 4, 0, 2, 3, 5, 1, 2, 3])[0] == [5]  # two did
    assert look_up(9, 1, longest=2)([6, 3, 4, 1, 3])[0] == [4] and look_up(9, 1, longest=1)([2, 3, 5, 3, 4, 2, 3])[
        0
    ] == [5]
    # of four, the last three occurred earlier than all four
    assert look_up(9, 1)([2, 3, 4, 5, 1, 2, 3, 4, 6, 1, 2, 3, 4])[0] == [5]
    # and the last two earlier than the last three
    assert look_up(9, 1)([3, 4, 7, 2, 3, 4, 5, 2, 3, 4])[0] == [5]


def test_keys_and_values_of_each_group_count():
    config = LlamaConfig(vocab_size=10, num_layers=1, d_model=8, num_heads=4, num_kv_heads=2, d_ff=3, rope_theta=1e4)
    weights = 8 * 8 + 8 * 4 + 8 * 4 + 8 * 8 + 3 * 8 * 3 + 10 * 8  # W_Q, W_K, W_V, W_O, SwiGLU, embedding
    assert intensity(config, 1, 1, 0) == pytest.approx(2 * weights / (2 * weights))
    more = intensity(config, 1, 1, 5)
    assert more == pytest.approx(2 * (weights + 2 * 5 * 8) / (2 * (weights + 2 * 5 * 2 * 2)))


def test_a_draft_forgets_what_was_rejected():
    model, ids = little_llama(), a_prompt()
    draft = by_model(model, 3)
    draft(ids)
    for other in ([*ids[:4], *reversed(ids[4:])], [*ids[:6], 1, 2], ids):
        found, q = draft(other)
        expected, theirs = by_model(model, 3)(other)
        assert found == expected
        assert_close(q, theirs)
