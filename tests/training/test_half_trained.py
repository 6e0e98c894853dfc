"""After a mistake the next tokens depend on whose tokens stand before them; a wider beam finds likelier sentences."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from snippets.before.vocabulary import BOS, EOS, PAD, pad
from snippets.training import half_trained, numbers
from snippets.training.decoding import beam_search
from snippets.training.half_trained import BEAMS, FEW, HELD_OUT, STOPS, after_a_mistake, by_beam, results
from snippets.training.translator import NUMBER_VOCAB, trained, translate

NEXT = {BOS: 3, 3: 4, 4: 5, 5: EOS}  # and after any other token the end


class Rule(nn.Module):
    """A translator that looks at the last token alone."""

    pad_id = PAD

    def encode(self, src):
        return src

    def decode(self, tgt, memory, src):
        after = torch.tensor([[NEXT.get(token, EOS) for token in row] for row in tgt.tolist()])
        return nn.functional.one_hot(after, 9).float()

    def forward(self, src, tgt):
        return self.decode(tgt, src, src)


@pytest.mark.parametrize(
    ("tgt", "tokens", "forced", "own", "as_long"),
    [
        ([3, 4, 5, EOS], 0, 0, 0, True),  # nothing is wrong
        ([6, 4, 5, EOS], 3, 2, 3, True),  # after the true 6 comes the end, after the own 3 a 4
        ([3, 7, 3, EOS], 2, 0, 1, True),  # 7 -> end, 3 -> 4; its own are 5 and the end
        ([3, 4, 5, 6, EOS], 1, 1, 0, False),  # its own ends too early
        ([3, 4, EOS], 0, 0, 0, False),  # nothing behind the mistake
        ([4, 5, EOS], 2, 2, 0, False),  # its own are 3, 4, 5: right, but one place later
    ],
)
def test_tokens_behind_the_first_mistake_are_counted_by_hand(tgt, tokens, forced, own, as_long):
    src = torch.ones(1, 2, dtype=torch.long)
    found = after_a_mistake(Rule(), src, torch.tensor([[BOS, *tgt]]))
    counted = {"tokens": tokens, "forced": forced, "own": own}
    assert found == {"all": counted, "as long": counted if as_long else dict.fromkeys(counted, 0)}


def test_sentences_are_counted_together_whatever_their_length():
    tgt = pad([[BOS, 6, 4, 5, EOS], [BOS, 3, 4, 5, 6, EOS], [BOS, 3, 7, 3, EOS], [BOS, 3, 4, EOS]])
    found = after_a_mistake(Rule(), torch.ones(4, 2, dtype=torch.long), tgt)
    assert found["as long"] == {"tokens": 5, "forced": 2, "own": 4}
    assert found["all"] == {"tokens": 6, "forced": 3, "own": 4}


def test_a_beam_of_one_is_greedy_and_scores_are_log_probabilities():
    model = trained("numbers").model
    chosen = [12_345, 100_000, 999]
    greedy = translate(model, NUMBER_VOCAB, [numbers.english(n) for n in chosen])
    right = sum(a == numbers.korean(n) for a, n in zip(greedy, chosen, strict=True))
    found = by_beam(model, chosen, 1)
    scores = [beam_search(model, pad([NUMBER_VOCAB.encode(numbers.english(n))]), 1, 25, alpha=0.0)[1] for n in chosen]
    assert found == {"right": right, "log p": pytest.approx(sum(scores) / 3)}
    assert 0 < right < 3


def test_numbers_are_held_out_and_of_the_length_that_was_trained():
    assert len(HELD_OUT) == 629 and len(FEW) == 105 and set(FEW) <= set(HELD_OUT)
    assert all(numbers.is_held_out(n) and len(str(n)) == 5 for n in HELD_OUT)


def test_training_stops_where_it_should(monkeypatch):
    trainer = half_trained.number_trainer(0)
    monkeypatch.setattr(half_trained, "number_trainer", lambda seed: trainer)
    monkeypatch.setattr(half_trained, "FEW", FEW[:1])
    monkeypatch.setattr(half_trained, "HELD_OUT", HELD_OUT[:4])
    run = half_trained.train.function(3, 0)
    assert len(trainer.losses) == 3 and set(run["beams"]) == {"1", "2", "4", "8"}


def test_after_a_mistake_tokens_move_and_seldom_more_go_wrong():
    for run in results()[140]:
        everything, as_long = run["mistakes"]["all"], run["mistakes"]["as long"]
        assert everything["tokens"] > 400 and as_long["tokens"] > 90
        assert everything["forced"] > 0.85 * everything["tokens"]
        assert everything["own"] < 0.4 * everything["tokens"]
        assert as_long["forced"] > 0.85 * as_long["tokens"]
        assert as_long["own"] > 0.8 * as_long["tokens"]


def test_a_wider_beam_finds_more_probable_sentences_and_no_more_right_ones():
    for stop in STOPS:
        for run in results()[stop]:
            found = [run["beams"][str(size)] for size in BEAMS]
            scores = [one["log p"] for one in found]
            assert stop == 200 or scores[1] > scores[0] + 0.005
            assert all(b >= a - 0.01 for a, b in zip(scores, scores[1:], strict=False))
            assert abs(found[3]["right"] - found[1]["right"]) <= 3


def test_log_p_is_that_of_each_sentence_whatever_is_padded():
    model = trained("numbers").model
    src, tgt = numbers.batch([7, 99_999], NUMBER_VOCAB)
    alone = [half_trained.log_p(model, *numbers.batch([n], NUMBER_VOCAB)).item() for n in (7, 99_999)]
    assert half_trained.log_p(model, src, tgt).tolist() == pytest.approx(alone, abs=1e-4)
    _, score = beam_search(model, src[1:], 1, 25, alpha=0.0)
    assert alone[1] == pytest.approx(score, abs=1e-4), "the right sentence is the one it generates"


def test_who_is_to_blame(monkeypatch):
    monkeypatch.setattr(half_trained, "HELD_OUT", HELD_OUT[:3])
    right = {0: -1.0, 1: -5.0, 2: -9.0}  # of the right sentences; those found have -2 each

    def log_p(model, src, tgt):
        return torch.full((3,), -2.0) if (tgt[:, 1] == PAD).all() else torch.tensor(list(right.values()))

    monkeypatch.setattr(half_trained, "log_p", log_p)
    monkeypatch.setattr(half_trained, "greedy", lambda model, src, most: torch.full((3, 1), PAD))  # all wrong
    assert half_trained.to_blame.function(0, 0) == {"wrong": 3, "search error": 1, "of": 3}
