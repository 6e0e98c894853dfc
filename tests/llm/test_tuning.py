"""Only answers count in the loss, LoRA changes nothing at first, and can be taken out again."""

from __future__ import annotations

import copy

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from snippets.families.fine_tuning import LoRA
from snippets.llm.chat import chat_ids
from snippets.llm.layouts import as_library
from snippets.llm.tokens import GgufTokenizer
from snippets.llm.tuning import IGNORED, adapted, answer_loss, bare, batch, labeled, log_probabilities, loras
from tests.llm.test_cached_llama import SIZES, little_llama
from tests.llm.test_tokens import little_about


def test_only_the_answer_and_its_end_have_labels():
    of = GgufTokenizer(little_about())
    ids, labels = labeled(of, "in the", "the", "in")
    prompt, said = chat_ids(of, ["in the"], "in"), of.encode("the")
    assert ids == [*prompt, *said, of.control["<|im_end|>"]]
    assert labels == [-100] * len(prompt) + [*said, of.control["<|im_end|>"]]


def test_a_batch_is_filled_up_on_the_right_and_that_does_not_count():
    ids, labels = batch([([1, 2, 3], [-100, 2, 3]), ([4], [4])])
    assert ids.tolist() == [[1, 2, 3], [4, 0, 0]] and labels.tolist() == [[-100, 2, 3], [4, -100, -100]]


def test_the_loss_is_that_of_each_label_where_it_is_predicted():
    logits = torch.randn(2, 4, 5, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[-100, 3, -100, 1], [0, 2, -100, -100]])  # the first label has nothing before it
    p = logits.log_softmax(-1)
    found = [p[0, 0, 3], p[0, 2, 1], p[1, 0, 2]]
    assert_close(answer_loss(logits, labels), -torch.stack(found).mean())
    assert_close(log_probabilities(logits, labels), torch.stack([found[0] + found[1], found[2]]))


def test_the_loss_is_that_of_the_library_for_the_same_labels():
    model = little_llama().float()
    from snippets.families.llama import LlamaConfig

    library = as_library(tied(model), LlamaConfig(**SIZES, rope_theta=100.0))
    ids, labels = batch([([1, 2, 3, 4, 5], [-100, -100, 3, 4, 5]), ([6, 7, 8], [-100, 7, 8])])
    theirs = library(ids, labels=labels).loss
    assert_close(answer_loss(model(ids), labels), theirs, rtol=1e-4, atol=1e-4)


def tied(model):
    model.head.weight = model.tokens.weight
    return model


def test_what_is_filled_in_changes_no_answer():
    model = little_llama()
    one, two = ([1, 2, 3], [-100, 2, 3]), ([4, 5, 6, 7, 8, 9], [-100, -100, -100, 7, 8, 9])
    alone = [log_probabilities(model(ids), labels) for ids, labels in (batch([one]), batch([two]))]
    ids, labels = batch([one, two])
    assert_close(log_probabilities(model(ids), labels), torch.cat(alone))


def test_lora_changes_nothing_at_first_and_only_it_is_trained():
    model, ids = little_llama(), torch.tensor([[1, 2, 3]])
    before, weights = model(ids), copy.deepcopy(model.state_dict())
    assert adapted(model, 2, 4.0) is model and len(loras(model)) == 4
    assert_close(model(ids), before, rtol=0, atol=0)
    moved = {".".join(name.split(".")[-2:]) for name, p in model.named_parameters() if p.requires_grad}
    assert moved == {"w_q.a", "w_q.b", "w_v.a", "w_v.b"}
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=0.1)
    for _ in range(3):
        loss = F.cross_entropy(model(ids)[0], ids[0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert (model(ids) - before).abs().max() > 0.01
    assert bare(model) is model and not loras(model)
    assert_close(model(ids), before, rtol=0, atol=0)
    assert all(x.equal(weights[name]) for name, x in model.state_dict().items())


def test_target_modules_can_be_chosen_and_have_one_lora_each():
    model = adapted(little_llama(), 3, 6.0, ["w_o"])
    assert [isinstance(layer.attention.w_o, LoRA) for layer in model.layers] == [True, True]
    assert not isinstance(model.layers[0].attention.w_q, LoRA)
    assert loras(model)[0].a.shape == (3, 24) and loras(model)[0].scale == 2.0
    with pytest.raises(ValueError, match="w_o has a LoRA already"):
        adapted(model, 3, 6.0, ["w_o"])


def test_the_label_that_is_left_out_is_that_of_pytorch():
    loss = F.cross_entropy(torch.zeros(2, 3), torch.tensor([IGNORED, 1]))
    assert_close(loss, torch.tensor(3.0).log())


def test_only_what_loras_bring_is_trained():
    model = adapted(little_llama().requires_grad_(True), 2, 4.0)
    trained = {name.rpartition(".")[2] for name, p in model.named_parameters() if p.requires_grad}
    assert trained and not any("weight" == name for name in trained), trained
