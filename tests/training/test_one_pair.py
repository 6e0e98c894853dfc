"""The sentences, their tokens, and a small translator that learns them."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.before.vocabulary import PAD
from snippets.tools.tracing import outputs
from snippets.training import one_pair
from snippets.training.loss import next_token_loss
from snippets.training.one_pair import (
    ENGLISH,
    KOREAN,
    NEW,
    PAIRS,
    VOCAB,
    batch,
    cross_attention,
    cut,
    pair_trainer,
    trained,
)


def test_korean_words_are_cut_before_their_particles():
    assert cut("내 친구는 학교에서 커피를 마신다.") == "내 친구 ##는 학교 ##에서 커피 ##를 마신다 .".split()
    assert cut("My friend lives in Seoul.") == "my friend live ##s in seoul .".split()
    assert cut("산") == ["[UNK]"]


def test_a_word_that_is_not_in_the_vocabulary_is_refused():
    with pytest.raises(ValueError, match="UNK"):
        batch([("I drink tea.", "나는 차를 마신다.")])


def test_every_token_of_the_vocabulary_is_used_and_every_korean_one_has_its_english():
    used = {token for pair in PAIRS for sentence in pair for token in cut(sentence)}
    assert used == set(VOCAB.tokens[3:])
    assert not set(KOREAN) & set(ENGLISH.split())
    marks = {"topic", "subject", "object"}
    glosses = {word.lower() for gloss in KOREAN.values() for word in gloss.split("/")}
    assert glosses - marks <= set(ENGLISH.split())


def test_new_sentences_are_new_and_made_of_known_tokens():
    assert len(PAIRS) == 38 and len(NEW) == 8
    assert not {english for english, _ in PAIRS} & {english for english, _ in NEW}
    assert not {korean for _, korean in PAIRS} & {korean for _, korean in NEW}
    assert all(len(line) == 2 for line in PAIRS + NEW)
    batch(NEW)


def test_no_two_sources_differ_in_their_order_alone():
    bags = {tuple(sorted(cut(english))) for english, _ in PAIRS}
    assert len(bags) == len(PAIRS)


def test_a_batch_is_padded_at_the_end_and_targets_begin_with_their_mark():
    src, tgt = batch([PAIRS[0], ("The book is good.", "책이 좋다.")])
    assert src.shape == (2, 7) and tgt.shape == (2, 10)
    assert (src == PAD).sum(dim=1).tolist() == [0, 1] and src[1, -1] == PAD
    assert tgt[:, 0].tolist() == [1, 1] and (tgt[1, 6:] == PAD).all()


def test_each_step_takes_all_pairs():
    trainer = pair_trainer(PAIRS[:3], seed=1)
    src, tgt = batch(PAIRS[:3])
    expected = next_token_loss(trainer.model, src, tgt).item()
    trainer.step()
    assert trainer.losses[0] == pytest.approx(expected)


def test_the_weights_are_those_of_the_last_layer_averaged_over_the_heads():
    model, (src, tgt) = pair_trainer(PAIRS, seed=0).model, batch(PAIRS[:2])
    weights = cross_attention(model, src, tgt)
    seen = dict(outputs(model.eval(), src, tgt[:, :-1]))
    assert_close(weights, seen["decoder.layers.1.cross_attention"][1].mean(dim=1))
    assert_close(weights.sum(dim=-1), torch.ones_like(weights[..., 0]))


def test_the_trained_model_knows_its_pairs():
    src, tgt = batch(PAIRS)
    with torch.no_grad():
        best = trained()(src, tgt[:, :-1]).argmax(dim=-1)
    labels = tgt[:, 1:]
    assert (best == labels)[labels != PAD].all()


def test_each_word_of_content_looks_at_its_english_in_the_shown_pair():
    weights = cross_attention(trained(), *batch(PAIRS[:1]))[0]
    english, korean = map(cut, PAIRS[0])
    for token, word in [("나", "i"), ("매일", "every"), ("아침", "morning"), ("커피", "coffee"), ("마신다", "drink")]:
        assert weights[korean.index(token)].argmax() == english.index(word)


def test_it_is_trained_for_its_steps_with_the_first_seed(monkeypatch):
    assert one_pair.STEPS == 200
    monkeypatch.setattr(one_pair, "STEPS", 3)
    computed = []

    def kept(name, module, compute):
        computed.append(compute())
        return computed[0]

    monkeypatch.setattr(one_pair, "kept", kept)
    model = one_pair.trained()
    assert not model.training
    expected = pair_trainer(PAIRS, seed=0)
    expected.run(3)
    assert computed[0][1]["losses"] == pytest.approx(expected.losses)
    for name, parameter in expected.model.named_parameters():
        assert_close(model.get_parameter(name), parameter)


@pytest.mark.thorough
def test_trained_anew_it_knows_them_too():
    trainer = pair_trainer(PAIRS, seed=3)
    trainer.run(200)
    assert trainer.losses[-1] < 0.02
