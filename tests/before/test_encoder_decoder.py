"""The translator reads in both directions, never sees padding, and generates what teacher forcing predicts."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from snippets.before.encoder_decoder import Encoder, RecurrentTranslator, greedy
from snippets.before.lstm import lstm_step
from snippets.before.vocabulary import BOS, EOS, PAD

SRC = torch.tensor([[8, 4, EOS, PAD, PAD], [4, 5, 6, 7, EOS], [6, EOS, PAD, PAD, PAD]])
TGT = torch.tensor([[BOS, 4, 5, 6], [BOS, 7, 7, 8], [BOS, 8, 6, 4]])


def model(model_class=RecurrentTranslator, d: int = 6, seed: int = 0) -> RecurrentTranslator:
    torch.manual_seed(seed)
    return model_class(10, d).double()


def test_the_encoder_is_two_lstms_one_of_them_backwards():
    encoder = model().encoder
    encoded = encoder(SRC)
    for row, ids in enumerate(SRC):
        x = encoder.embedding(ids[ids != PAD])
        for half, (inputs, suffix) in enumerate([(x, ""), (x.flip(0), "_reverse")]):
            names = [f"{name}_l0{suffix}" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
            w_x, w_h, b_x, b_h = (getattr(encoder.lstm, name) for name in names)
            h, c, states = torch.zeros(3).double(), torch.zeros(3).double(), []
            for token in inputs:
                h, c = lstm_step(token, h, c, w_x, w_h, b_x + b_h)
                states.append(h)
            part = slice(3 * half, 3 * half + 3)
            expected = torch.stack(states if half == 0 else states[::-1])
            assert_close(encoded.states[row, : len(x), part], expected)
            assert_close(encoded.h[0, row, part], h)
            assert_close(encoded.c[0, row, part], c)


def test_states_and_mask_are_as_long_as_the_source():
    wider = torch.cat([SRC, torch.full((3, 2), PAD)], dim=1)
    encoded = model().encoder(wider)
    assert encoded.states.shape == (3, 7, 6) and encoded.h.shape == encoded.c.shape == (1, 3, 6)
    assert encoded.mask.tolist() == [[row] for row in (wider != PAD).tolist()]


@given(st.integers(0, 2), st.integers(0, 4))
def test_padding_changes_nothing(row, more):
    one = model()
    alone = SRC[row : row + 1, : (SRC[row] != PAD).sum()]
    padded = torch.cat([alone, torch.full((1, more), PAD)], dim=1)
    assert_close(one(padded, TGT[row : row + 1]), one(alone, TGT[row : row + 1]))
    assert_close(one(SRC, TGT)[row], one(alone, TGT[row : row + 1])[0])


def test_everything_that_the_decoder_knows_is_one_state_of_fixed_size():
    one = model()
    encoded = one.encoder(SRC)
    scrambled = encoded._replace(states=torch.randn_like(encoded.states))
    state = (encoded.h, encoded.c)
    assert_close(one.decode(TGT, scrambled, state)[0], one.decode(TGT, encoded, state)[0])
    other = encoded._replace(h=torch.randn_like(encoded.h))
    assert (one.decode(TGT, other, state)[0] - one.decode(TGT, encoded, state)[0]).abs().amin(dim=1).max() > 1e-3
    assert_close(one.context(torch.zeros(3, 4, 6), encoded)[:, 2], encoded.h[0])


def test_a_prediction_depends_on_the_tokens_before_it_and_on_no_later_one():
    one, changed = model(), TGT.clone()
    changed[:, 2] = 9
    difference = (one(SRC, changed) - one(SRC, TGT)).abs().amax(dim=(0, 2))
    assert (difference[:2] == 0).all() and (difference[2:] > 1e-4).all()


def test_token_by_token_with_the_state_is_all_at_once():
    one = model()
    encoded = one.encoder(SRC)
    state, logits = (encoded.h, encoded.c), []
    for token in TGT.unbind(dim=1):
        step, state = one.decode(token.unsqueeze(1), encoded, state)
        logits.append(step)
    assert_close(torch.cat(logits, dim=1), one(SRC, TGT))


def test_logits_are_computed_from_context_and_hidden_state_together():
    one = model()
    encoded = one.encoder(SRC)
    hidden, _ = one.lstm(one.embedding(TGT), (encoded.h, encoded.c))
    both = torch.cat([encoded.h[0].unsqueeze(1).expand(3, 4, 6), hidden], dim=-1)
    expected = torch.tanh(both @ one.combine.weight.T + one.combine.bias) @ one.output.weight.T + one.output.bias
    assert_close(one(SRC, TGT), expected)


@pytest.mark.parametrize("seed", range(4))
def test_greedy_goes_on_from_its_own_most_probable_token(seed):
    one = model(seed=seed)
    generated = greedy(one, SRC, 6)
    inputs = torch.cat([torch.full((3, 1), BOS), generated], dim=1)[:, :-1]
    assert torch.equal(one(SRC, inputs).argmax(dim=-1), generated)


def test_greedy_ends_when_all_sentences_have_ended_or_are_as_long_as_allowed():
    one = model()
    with torch.no_grad():
        one.output.weight.zero_()
        one.output.bias.zero_()
        one.output.bias[EOS] = 1
    assert greedy(one, SRC, 6).tolist() == [[EOS]] * 3
    with torch.no_grad():
        one.output.bias[4] = 2
    assert greedy(one, SRC, 6).tolist() == [[4] * 6] * 3


def test_greedy_waits_for_the_last_sentence():
    """The first ends at once, the others go on: the context of each decides."""
    one = model()
    with torch.no_grad():
        one.embedding.weight[4:] += torch.randn(6, 6)
    for seed in range(200):
        torch.manual_seed(seed)
        torch.nn.init.normal_(one.output.weight, std=3)
        ends = [(row == EOS).any().item() for row in greedy(one, SRC, 3)]
        if any(ends) and not all(ends):
            assert greedy(one, SRC, 3).shape == (3, 3)
            return
    pytest.fail("no model was found that ends one sentence and not another")


def test_generating_leaves_no_gradients():
    assert not greedy(model(), SRC, 2).requires_grad and model()(SRC, TGT).requires_grad


def test_an_odd_size_is_refused():
    for d in (7, 9):
        with pytest.raises(ValueError, match=f"even, not {d}"):
            Encoder(10, d)
    assert Encoder(10, 4)(SRC).states.shape == (3, 5, 4)


@pytest.mark.parametrize("src", [[[0, 5, 6], [5, 6, 7]], [[5, 0, 6], [5, 6, 7]]])
def test_padding_before_a_token_is_refused(src):
    """torch packs the first so many tokens of each row: the sentence would be lost."""
    with pytest.raises(ValueError, match="padding comes last"):
        Encoder(9, 4)(torch.tensor(src))


def test_the_ids_of_a_text_alone_are_refused_in_plain_words():
    with pytest.raises(ValueError, match=r"unsqueeze\(0\)"):
        Encoder(9, 4)(torch.tensor([1, 2, 3]))
