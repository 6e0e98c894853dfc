"""A beam of one is greedy, a beam of all is exhaustive search, and what is written ends where it should."""

from __future__ import annotations

import itertools
import math

import pytest
import torch

from snippets.before.vocabulary import BOS, EOS, PAD
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.training.decoding import beam_search, generate, greedy, inference, length_penalty

VOCABULARY = 5  # <pad>, <s>, </s> and two words


def model(seed: int) -> Transformer:
    torch.manual_seed(seed)
    small = (
        Transformer(
            TransformerConfig(vocab_size=VOCABULARY, num_layers=1, d_model=8, num_heads=2, d_ff=16, dropout=0.0)
        )
        .double()
        .eval()
    )
    with torch.no_grad():
        small.embedding.table.mul_(0.6)  # not so sure of itself
    return small


def source(seed: int, batch: int = 1) -> torch.Tensor:
    return torch.randint(2, VOCABULARY, (batch, 3), generator=torch.Generator().manual_seed(seed))


def whole(ids: list[int]) -> list[int]:
    return ids[: ids.index(EOS) + 1] if EOS in ids else ids


@torch.no_grad()
def log_probability(small: Transformer, src: torch.Tensor, ids: list[int]) -> float:
    """By teacher forcing: another way than the search takes."""
    logits = small(src, torch.tensor([[BOS, *ids[:-1]]]))[0]
    logits[:, PAD] = -math.inf
    return sum(row.log_softmax(-1)[i].item() for row, i in zip(logits, ids, strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_a_beam_of_one_is_greedy(seed):
    small, src = model(seed), source(seed)
    for alpha in (0.0, 0.6):
        assert beam_search(small, src, 1, 6, alpha)[0] == whole(greedy(small, src, 6)[0].tolist())


@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_is_exhaustive_search(seed, alpha):
    small, src, most = model(seed), source(seed), 3
    everything = {tuple(whole(list(ids))) for ids in itertools.product(range(1, VOCABULARY), repeat=most)}
    scores = {ids: log_probability(small, src, list(ids)) / ((5 + len(ids)) / 6) ** alpha for ids in everything}
    best = max(scores, key=scores.get)
    ids, score = beam_search(small, src, VOCABULARY**most, most, alpha)
    assert tuple(ids) == best and score == pytest.approx(scores[best])


def test_a_wider_beam_finds_nothing_worse_in_these():
    better = 0
    for seed in range(8):
        small, src = model(seed), source(seed)
        narrow, wide = (beam_search(small, src, size, 5, 0.0) for size in (1, 125))
        assert wide[1] >= narrow[1] - 1e-12
        better += wide[0] != narrow[0]
    assert better, "in none of these models does a beam make a difference: the test says nothing"


def test_the_penalty_is_that_of_the_paper():
    assert length_penalty(1, 0.6) == 1 == length_penalty(9, 0.0)
    assert length_penalty(7, 0.6) == pytest.approx(2**0.6) and length_penalty(13, 1.0) == pytest.approx(3)


def test_a_longer_sentence_is_preferred_with_a_larger_penalty():
    lengths = set()
    for seed in range(10):
        small, src = model(seed), source(seed)
        short, long = (len(beam_search(small, src, 200, 5, alpha)[0]) for alpha in (0.0, 5.0))
        assert short <= long
        lengths.add(short < long)
    assert True in lengths


def test_by_default_the_penalty_is_that_of_the_2017_paper():
    scores = {}
    for alpha in ((), (0.6,), (1.6,), (0.5,)):
        found = [beam_search(model(seed), source(seed), 8, 4, *alpha)[1] for seed in range(6)]
        scores[alpha] = found
    assert scores[()] == scores[0.6,] and scores[()] != scores[1.6,] and scores[()] != scores[0.5,]


@pytest.mark.parametrize("seed", range(3))
def test_greedy_takes_the_likeliest_word_and_pads_behind_the_end(seed):
    small, src = model(seed), source(seed, batch=6)
    written = greedy(small, src, 7)
    assert written.shape[1] <= 7
    for row, one in zip(written.tolist(), src, strict=True):
        ids = whole(row)
        assert set(row[len(ids) :]) <= {PAD}
        logits = small(one[None], torch.tensor([[BOS, *ids[:-1]]]))[0]
        logits[:, PAD] = -math.inf
        assert logits.argmax(dim=-1).tolist() == ids
        assert len(ids) == written.size(1) or EOS in ids


def test_a_sentence_of_a_batch_is_written_as_alone():
    lengths = set()
    for seed in range(8):
        small, src = model(seed), source(seed, batch=6)
        for row, one in zip(greedy(small, src, 7).tolist(), src, strict=True):
            assert whole(row) == whole(greedy(small, one[None], 7)[0].tolist())
            lengths.add((seed, len(whole(row))))
    assert len(lengths) > 8, "all sentences of a batch are of one length: the test says nothing"


@pytest.mark.parametrize("seed", range(10))
def test_a_sentence_ends_at_its_end_however_long_ones_are_preferred(seed):
    small = model(seed)
    with torch.no_grad():
        small.embedding.table[BOS] = 0.0
        small.embedding.table[EOS] *= 2.0  # whoever goes on behind an end will write ends
    ids, _ = beam_search(small, source(seed), 400, 3, alpha=40.0)
    assert len(ids) <= 3 and EOS not in ids[:-1]


def test_greedy_stops_when_all_have_ended_or_at_the_limit():
    small, src = model(0), source(0)
    with torch.no_grad():
        small.decoder.layers[0].residual_3.norm.gamma.zero_()
        small.decoder.layers[0].residual_3.norm.beta.copy_(small.embedding.table[EOS] * 50)
    assert greedy(small, src, 7).tolist() == [[EOS]]
    assert beam_search(small, src, 2, 7)[0] == [EOS]
    with torch.no_grad():
        small.embedding.table[EOS] = 0.0  # scores 0, and so do padding and all that is not 3
        small.embedding.table[[BOS, 4]] = 0.0
        small.decoder.layers[0].residual_3.norm.beta.copy_(small.embedding.table[3] * 50)
    assert greedy(small, src, 4).tolist() == [[3] * 4]
    assert beam_search(small, src, 2, 4, 0.0)[0] == [3] * 4


@pytest.mark.parametrize(("beam_size", "batch", "most"), [(0, 1, 3), (2, 2, 3), (2, 1, 0)])
def test_what_beam_search_cannot_do_is_named(beam_size, batch, most):
    with pytest.raises(ValueError, match=rf"one sentence .*\({batch}, 3\), {beam_size}, {most}"):
        beam_search(model(0), source(0, batch), beam_size, most)


@pytest.mark.parametrize("training", [False, True])
def test_what_is_generated_depends_on_no_dropout_and_the_mode_stays(training):
    torch.manual_seed(0)
    sizes = {"vocab_size": VOCABULARY, "num_layers": 1, "d_model": 8, "num_heads": 2, "d_ff": 16}
    small = Transformer(TransformerConfig(**sizes, dropout=0.5)).train(training)
    for decode in (greedy, lambda *arguments: torch.tensor(beam_search(*arguments, 3, 8)[0])):
        arguments = (small, source(0)) if decode is not greedy else (small, source(0), 8)
        first = decode(*arguments)
        assert all(torch.equal(decode(*arguments), first) for _ in range(5))
        assert small.training is training and torch.is_grad_enabled()


def test_the_mode_stays_when_something_fails():
    small = model(0).train()
    with pytest.raises(ZeroDivisionError), inference(small):
        assert not small.training and not torch.is_grad_enabled()
        raise ZeroDivisionError
    assert small.training and torch.is_grad_enabled()


def test_the_padding_of_the_model_is_never_generated():
    for seed in range(6):
        torch.manual_seed(seed)
        sizes = {"vocab_size": VOCABULARY, "num_layers": 1, "d_model": 8, "num_heads": 2, "d_ff": 16}
        small = Transformer(TransformerConfig(**sizes, dropout=0.0, pad_id=4)).eval()
        with torch.no_grad():
            small.embedding.table[4] *= 9  # what it would like best
        generated = greedy(small, source(seed, batch=3) % 4, 6)
        for row in generated.tolist():
            assert 4 not in whole(row) and set(row[len(whole(row)) :]) <= {4}
        assert 4 not in beam_search(small, source(seed) % 4, 3, 6)[0]


def test_generating_goes_on_from_what_is_given():
    table = torch.eye(VOCABULARY).roll(1, dims=1)  # after i comes i + 1
    added = generate(lambda tgt: table[tgt[:, -1]], torch.tensor([[1, 3], [3, 2]]), 3, PAD)
    assert added.tolist() == [[4, 1, 2], [3, 4, 1]], "after 4 comes padding, which is never generated"


def test_a_beam_may_be_wider_than_all_there_is():
    ids, score = beam_search(model(1), source(1), 10**6, 1, 0.0)
    assert len(ids) == 1 and score <= 0 and math.isfinite(score)


def test_a_part_in_another_mode_stays_in_it():
    one = model(0).train()
    one.encoder.eval()  # such as a frozen one
    with inference(one):
        assert not any(module.training for module in one.modules())
    assert one.training and one.decoder.layers[0].training
    assert not any(module.training for module in one.encoder.modules())


def test_no_tokens_are_none_and_fewer_are_refused():
    src = torch.tensor([[3, 4, EOS]])
    assert greedy(model(0), src, 0).shape == (1, 0)
    with pytest.raises(ValueError, match="no number of tokens: -1"):
        greedy(model(0), src, -1)


@pytest.mark.parametrize("alpha", [math.nan, math.inf, -math.inf])
def test_a_length_penalty_needs_a_number(alpha):
    with pytest.raises(ValueError, match=f"alpha is a number, not {alpha}"):
        beam_search(model(0), torch.tensor([[3, 4, EOS]]), 2, 3, alpha=alpha)
