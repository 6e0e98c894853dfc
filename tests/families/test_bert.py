"""What BERT means: it sees both sides, ranks tokens for a gap, and equals the library's model in every number."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from snippets.families.bert import (
    BERT_BASE,
    BERT_NAMES,
    CLASSIFIER_NAMES,
    MASKED_LM_NAMES,
    Bert,
    BertClassifier,
    BertForMaskedLM,
)
from snippets.families.library import renamed
from snippets.families.library_pairs import MODELS, largest_differences
from snippets.model.sizes import count

SMALL = replace(BERT_BASE, vocab_size=11, num_layers=2, d_model=16, num_heads=2, d_ff=24, max_length=9, dropout=0.5)
IDS = torch.tensor([[5, 9, 2, 7], [4, 8, 0, 0]])


def model(kind, *arguments):
    torch.manual_seed(0)
    return kind(SMALL, *arguments).eval()


@pytest.mark.parametrize("name", [name for name in MODELS if name.startswith("Bert")])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_librarys_weights_give_the_librarys_outputs_loss_and_gradients(name, seed):
    found = largest_differences(name, seed)
    assert max(found.values()) < 2e-6, found


def test_bert_base_has_the_parameters_of_the_published_model():
    with torch.device("meta"):  # shapes without numbers
        encoder, classifier, masked = Bert(BERT_BASE), BertClassifier(BERT_BASE, 3), BertForMaskedLM(BERT_BASE)
    pooler = 768 * 768 + 768
    assert count(encoder) + pooler == 109_482_240
    assert count(classifier) == 109_482_240 + 3 * 768 + 3
    assert count(masked) == count(encoder) + pooler + 2 * 768 + 30_522, "the matrix of the embedding serves twice"
    assert len(encoder.encoder.layers) == 12


def test_logits_of_three_labels_for_each_text():
    assert model(BertClassifier, 3)(IDS).shape == (2, 3)
    assert model(BertForMaskedLM)(IDS).shape == (2, 4, 11)
    assert model(Bert)(IDS).shape == (2, 4, 16)


@pytest.mark.parametrize("changed", range(4))
def test_every_position_depends_on_every_token_to_its_left_and_right(changed):
    bert = model(Bert)
    other = IDS[:1].clone()
    other[0, changed] = 3
    assert (bert(other) != bert(IDS[:1])).any(dim=-1).all()


def test_padding_changes_nothing():
    bert = model(Bert)
    assert_close(bert(IDS)[1, :2], bert(IDS[1:, :2])[0])


def test_a_token_its_position_and_its_segment_are_added_then_normed():
    bert = model(Bert)
    x = bert.embed(torch.tensor([[5, 5, 6]]), torch.tensor([[0, 0, 1]]))[0]
    rows = bert.tokens.weight[[5, 5, 6]] + bert.positions.table[:3] + bert.segments.weight[[0, 0, 1]]
    assert_close(x, torch.layer_norm(rows, (16,), eps=1e-12))
    assert_close(bert.embed(IDS), bert.embed(IDS, torch.zeros_like(IDS)))
    assert (bert(IDS, torch.ones_like(IDS)) != bert(IDS)).any()


def test_embeddings_begin_small():
    bert = Bert(replace(BERT_BASE, vocab_size=1000, num_layers=1))
    for table in (bert.tokens.weight, bert.segments.weight, bert.positions.table):
        assert 0.015 < table.std() < 0.025
    rows = bert.tokens.weight[:512] + bert.positions.table + bert.segments.weight[0]
    assert rows.var(dim=-1, correction=0).mean().item() == pytest.approx(3 * 0.02**2, rel=0.1)


def test_dropout_acts_in_training_only():
    for kind, *arguments in [(Bert,), (BertForMaskedLM,), (BertClassifier, 3)]:
        one = model(kind, *arguments)
        assert torch.equal(one(IDS), one(IDS))
        one.train()
        assert not torch.equal(one(IDS), one(IDS))
    one = model(Bert).train()
    assert (one.embed(IDS) == 0).float().mean() > 0.3
    one = model(BertClassifier, 3)
    one.dropout.train()
    assert not torch.equal(one(IDS), one(IDS))


def test_logits_come_from_the_matrix_of_the_embedding_and_a_bias():
    masked = model(BertForMaskedLM)
    logits = masked(IDS)
    with torch.no_grad():
        masked.head.bias[3] += 1.0
    assert_close(masked(IDS)[..., 3], logits[..., 3] + 1)
    assert [name for name, x in masked.named_parameters() if 11 in x.shape] == ["bert.tokens.weight", "head.bias"]


def test_the_classifier_reads_the_first_position_only():
    classifier = model(BertClassifier, 3)
    first = classifier.bert(IDS)[:, 0]
    pooled = torch.tanh(first @ classifier.pooler.weight.T + classifier.pooler.bias)
    assert_close(classifier(IDS), pooled @ classifier.classifier.weight.T + classifier.classifier.bias)


def test_every_parameter_has_a_name_of_its_own_in_the_library():
    for names, one in [
        (BERT_NAMES, model(Bert)),
        (MASKED_LM_NAMES, model(BertForMaskedLM)),
        (CLASSIFIER_NAMES, model(BertClassifier, 3)),
    ]:
        ours = list(one.state_dict())
        assert len({renamed(name, names) for name in ours}) == len(ours)


def test_more_positions_than_were_learned_are_refused():
    with pytest.raises(ValueError, match="10 positions, and only 9"):
        model(Bert)(torch.ones(1, 10, dtype=torch.long))
