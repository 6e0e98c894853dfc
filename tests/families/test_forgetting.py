"""What is measured of forgetting: margins by hand, and an encoder that has, or has not, changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from torch import nn
from torch.nn.functional import normalize
from torch.testing import assert_close

from snippets.families.bert import BERT_BASE, Bert
from snippets.families.forgetting import PAIRS, forgetting, margins
from snippets.families.real_encoder import encode
from snippets.families.sentence_embeddings import embed

SENTENCES = [first for first, _ in PAIRS] + [second for _, second in PAIRS]


def words():
    """A tokenizer with an id for each word of the pairs."""
    known = {word: i for i, word in enumerate(["[PAD]", *sorted({w for s in SENTENCES for w in s.split()})])}
    tokenizer = Tokenizer(WordLevel(known, unk_token="[PAD]"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


def encoder(seed):
    torch.manual_seed(seed)
    sizes = {"vocab_size": words().get_vocab_size(), "num_layers": 1, "d_model": 16, "num_heads": 2, "d_ff": 16}
    bert = Bert(replace(BERT_BASE, **sizes)).eval()
    nn.init.normal_(bert.tokens.weight)  # so that sentences differ
    return bert


def test_a_margin_is_the_cosine_to_the_partner_minus_the_largest_to_any_other():
    torch.manual_seed(0)
    vectors = normalize(torch.randn(8, 3), dim=-1)
    for i, margin in enumerate(margins(vectors)):
        partner = (i + 4) % 8
        others = [vectors[i] @ vectors[j] for j in range(8) if j not in (i, partner)]
        assert_close(margin, vectors[i] @ vectors[partner] - max(others))


def test_a_sentence_is_no_neighbour_of_itself_even_if_all_others_are_opposite():
    vectors = torch.tensor([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [-1.0, 0.0]])
    assert_close(margins(vectors), torch.full((4,), 2.0))


def test_the_pairs_are_different_sentences_about_many_things():
    assert len(PAIRS) == 24
    assert len(set(SENTENCES)) == 48


def test_an_encoder_that_has_not_changed_has_cosine_one():
    same = forgetting(encoder(0), words(), encoder(0))
    assert same["cosine"] == pytest.approx(1, abs=1e-5)
    other = forgetting(encoder(0), words(), encoder(3))
    assert other["cosine"] < 0.5


def test_margin_and_top_1_are_those_of_the_tuned_encoder():
    for published in (encoder(0), encoder(2)):
        found = forgetting(published, words(), encoder(3))
        each = margins(embed(encoder(3), encode(words(), SENTENCES)))
        assert found["margin"] == pytest.approx(each.mean().item(), abs=1e-6)
        assert found["top-1"] == pytest.approx(sum(m > 0 for m in each.tolist()) / 48)
    assert 0 < found["top-1"] < 1


class Collapsed(nn.Module):
    """Gives every token the same vector."""

    pad_id = 0

    def forward(self, ids, segment_ids=None):
        return torch.ones(*ids.shape, 4)


def test_an_encoder_to_which_all_sentences_are_the_same_finds_no_partner():
    found = forgetting(Collapsed(), words(), Collapsed())
    assert found == {"cosine": 1.0, "margin": 0.0, "top-1": 0.0}
