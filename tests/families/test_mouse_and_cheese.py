"""The three tiny models learn their four sentences, each as its family does."""

from __future__ import annotations

import pytest
import torch

from snippets.families.mouse_and_cheese import Sentences, decoder_only, encoder_decoder, encoder_only, with_gap
from snippets.training.decoding import greedy

OWN = Sentences("the mouse eats cheese", "the cat eats fish", "the cow eats grass", "the panda eats bamboo")


@pytest.mark.thorough  # the examples of the page train all three, too
def test_a_decoder_cannot_tell_the_animal_before_it_has_read_the_food():
    gpt = decoder_only(OWN)
    for line in OWN.lines:
        p = torch.softmax(gpt(OWN.ids(line)[:, :-1])[0], dim=-1)  # (n, vocab_size): n words, and <s>
        of_words = [p[i, OWN.vocab.ids[word]].item() for i, word in enumerate(line)]
        assert abs(of_words[1] - 0.25) < 0.02
        assert min(of_words[0], of_words[2], of_words[3]) > 0.95


@pytest.mark.thorough  # the examples of the page train all three, too
def test_an_encoder_fills_every_gap_from_both_sides():
    bert = encoder_only(OWN)
    for line, i in OWN.gaps:
        p = torch.softmax(bert(OWN.ids(with_gap(line, i)))[0, i + 1], dim=-1)
        assert p[OWN.vocab.ids[line[i]]] > 0.95


@pytest.mark.thorough  # the examples of the page train all three, too
def test_an_encoder_decoder_writes_what_is_missing():
    both = encoder_decoder(OWN)
    for line, i in OWN.gaps:
        source = OWN.ids(with_gap(line, i), bos=False)
        assert OWN.vocab.decode(greedy(both, source, 3)[0].tolist()) == [line[i]]


def test_a_sentence_with_a_gap():
    assert with_gap(["a", "b", "c"], 1) == ["a", "[MASK]", "c"]
    assert len(OWN.gaps) == 16
