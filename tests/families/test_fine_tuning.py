"""What fine-tuning moves and what it leaves alone: LoRA, prompts, and a head on the mean."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from snippets.families.bert import BERT_BASE, Bert
from snippets.families.fine_tuning import (
    LoRA,
    PromptedBert,
    SentenceClassifier,
    add_lora,
    merge_lora,
    trainable_parameters,
)
from snippets.families.llama import Llama, LlamaConfig

SMALL = replace(BERT_BASE, vocab_size=20, num_layers=2, d_model=8, num_heads=2, d_ff=16)
IDS = torch.tensor([[5, 9, 2, 7], [4, 8, 0, 0]])  # the second one is padded


def small_bert():
    """Random weights, norms and biases included: nothing is 0 or 1 by chance."""
    torch.manual_seed(0)
    bert = Bert(SMALL).eval()
    for p in bert.parameters():
        nn.init.normal_(p, std=0.5)
    return bert


def trained(model):
    """As if it had been trained: no B is zero any more."""
    for module in model.modules():
        if isinstance(module, LoRA):
            nn.init.normal_(module.b)
    return model


@pytest.mark.parametrize("rank", [1, 2])
def test_lora_computes_w_x_plus_alpha_over_r_b_a_x(rank):
    lora = trained(LoRA(nn.Linear(5, 3), rank=rank, alpha=6.0))
    x = torch.randn(4, 5)
    change = 6.0 / rank * lora.b @ lora.a
    assert change.shape == (3, 5)
    assert_close(lora(x), x @ (lora.linear.weight + change).T + lora.linear.bias)


def test_lora_begins_where_the_pretrained_model_is():
    before, lora = small_bert()(IDS), add_lora(small_bert(), 2, 4.0)
    assert torch.equal(lora(IDS), before)
    for module in lora.modules():
        if isinstance(module, LoRA):
            assert (module.a != 0).all(), "then nothing could be learned"


def test_a_begins_with_a_variance_that_keeps_the_size_of_x():
    torch.manual_seed(0)
    lora = LoRA(nn.Linear(400, 2), rank=300, alpha=1.0)
    assert lora.a.std().item() == pytest.approx(1 / 20, rel=0.02)


def test_rank_0_is_the_frozen_model():
    frozen = add_lora(small_bert(), 0, 4.0)
    assert torch.equal(frozen(IDS), small_bert()(IDS))
    assert trainable_parameters(frozen) == 0


def test_merged_equals_unmerged_and_has_the_former_parameters():
    lora = trained(add_lora(small_bert(), 3, 4.0))
    tuned = lora(IDS)
    assert (tuned - small_bert()(IDS)).abs().max() > 0.1
    assert_close(merge_lora(lora)(IDS), tuned, atol=1e-4, rtol=1e-4)
    assert lora.state_dict().keys() == small_bert().state_dict().keys()


def test_merging_leaves_the_shared_layer_alone():
    lora = trained(LoRA(nn.Linear(5, 3), 2, 2.0))
    weight = lora.linear.weight.clone()
    assert not torch.equal(lora.merged().weight, weight)
    assert torch.equal(lora.linear.weight, weight)


def test_only_a_and_b_receive_gradients():
    lora = trained(add_lora(small_bert(), 2, 4.0))
    lora(IDS)[:, :, 0].sum().backward()
    for name, p in lora.named_parameters():
        assert (p.grad is not None) == name.endswith((".a", ".b")), name
        assert p.grad is None or p.grad.abs().max() > 0, name


def test_lora_of_queries_and_values_has_so_many_parameters():
    # 2 layers of two matrices, each rank times (8 + 8)
    assert trainable_parameters(add_lora(small_bert(), 3, 1.0)) == 2 * 2 * 3 * 16
    attention = add_lora(small_bert(), 3, 1.0).encoder.layers[1].attention
    wrapped = [name for name in ("w_q", "w_k", "w_v", "w_o") if isinstance(getattr(attention, name), LoRA)]
    assert wrapped == ["w_q", "w_v"]


@pytest.mark.parametrize("alpha", [4.0, 0.0])
def test_alpha_is_how_much_of_the_change_counts(alpha):
    torch.manual_seed(0)
    one = trained(LoRA(nn.Linear(5, 3), 2, 2.0))
    other = LoRA(one.linear, 2, alpha)
    other.load_state_dict(one.state_dict())
    x = torch.randn(4, 5)
    assert_close(other(x) - one.linear(x), alpha / 2.0 * (one(x) - one.linear(x)))


def test_a_prompt_of_0_vectors_is_the_frozen_model():
    prompted = PromptedBert(small_bert(), 0)
    assert_close(prompted(IDS), small_bert()(IDS))
    assert trainable_parameters(prompted) == 0


def test_only_the_prompt_is_trained_and_every_vector_of_it_is_seen():
    prompted = PromptedBert(small_bert(), 3)
    prompted(IDS)[:, :, 0].sum().backward()
    assert trainable_parameters(prompted) == 3 * 8
    assert [name for name, p in prompted.named_parameters() if p.grad is not None] == ["prompt"]
    assert (prompted.prompt.grad.abs().sum(dim=1) > 0).all()


def test_a_prompt_begins_as_embedded_tokens():
    bert = small_bert()
    embedded = bert.norm(bert.tokens.weight)  # (20, 8)
    near = torch.cdist(PromptedBert(bert, 5).prompt, embedded).amin(dim=1)
    assert near.max() < 1e-4


def test_padding_does_not_matter_with_a_prompt_before_it():
    prompted = PromptedBert(small_bert(), 3)
    assert_close(prompted(IDS)[1, :2], prompted(IDS[1:, :2])[0])


def test_the_second_sentence_of_a_pair_is_marked_behind_a_prompt_too():
    bert, segments = small_bert(), torch.tensor([[0, 0, 1, 1], [0, 1, 0, 0]])
    assert_close(PromptedBert(bert, 0)(IDS, segments), bert(IDS, segments))
    assert (bert(IDS, segments) - bert(IDS)).abs().max() > 0.1


def test_a_prompt_that_repeats_a_token_acts_as_that_token_before_the_sentence():
    """Where the outputs stand: those at the tokens, not at the prompt."""
    bert = small_bert()
    prompted = PromptedBert(bert, 1)
    prompted.prompt.data = bert.embed(IDS[:1])[0, :1]
    x = torch.cat([bert.embed(IDS[:1])[:, :1], bert.embed(IDS[:1])], dim=1)
    assert_close(prompted(IDS[:1]), bert.encoder(x)[:, 1:])


def test_a_classifier_gives_logits_that_padding_does_not_change():
    model = SentenceClassifier(small_bert(), 8, 3)
    assert model(IDS).shape == (2, 3)
    assert_close(model(IDS)[1], model(IDS[1:, :2])[0])
    swapped = IDS.masked_fill(IDS == 0, 1)
    assert not torch.allclose(model(swapped)[1], model(IDS)[1]), "another token is not padding"


def test_the_encoder_says_which_id_is_padding():
    model = SentenceClassifier(Bert(replace(SMALL, pad_id=9)).eval(), 8, 3)
    mean = model.encoder(IDS)[0, [0, 2, 3]].mean(dim=0)  # without the 9
    assert_close(model(IDS)[0], model.head(mean))
    assert_close(model(IDS)[0], model(torch.tensor([[5, 9, 2, 7, 9, 9]]))[0])


def test_a_frozen_encoder_leaves_the_head_to_be_trained():
    model = SentenceClassifier(small_bert().requires_grad_(False), 8, 2)
    assert trainable_parameters(model) == 8 * 2 + 2


def test_where_nothing_can_be_adapted_nothing_is_frozen():
    llama = Llama(LlamaConfig(vocab_size=9, num_layers=1, d_model=8, num_heads=2, num_kv_heads=1, d_ff=8))
    with pytest.raises(ValueError, match="nothing to adapt"):
        add_lora(llama, 2, 4.0)  # its attention is another
    assert all(p.requires_grad for p in llama.parameters())


def test_lora_is_added_once_and_merged_once():
    lora = trained(add_lora(small_bert(), 2, 4.0))
    expected = lora(IDS)
    with pytest.raises(ValueError, match=r"has LoRA: merge_lora\(model\) first"):
        add_lora(lora, 2, 4.0)
    assert torch.equal(lora(IDS), expected), "what is refused changes nothing"
    merged = merge_lora(lora)
    with pytest.raises(ValueError, match=r"has no LoRA: add_lora\(...\) first"):
        merge_lora(merged)
    with pytest.raises(ValueError, match="has no LoRA"):
        merge_lora(small_bert())
    again = trained(add_lora(merged, 1, 1.0))  # after merging, there is room for another one
    assert not torch.allclose(again(IDS), expected)


@pytest.mark.parametrize("make", [lambda: PromptedBert(small_bert(), 2), small_bert])
def test_a_text_without_a_batch_is_refused_by_its_shape(make):
    with pytest.raises(ValueError, match=r"ids are \(batch, n.*, not \(4,\)"):
        make()(IDS[0])
