"""Heads that are off, and scores that are other ones."""

import math

import pytest
import torch

from snippets.attention.masks import causal_mask
from snippets.attention.multi_head import MultiHeadAttention
from snippets.training.inside import changed


def attention() -> tuple[MultiHeadAttention, torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    return MultiHeadAttention(12, 3), torch.randn(2, 3, 12), torch.randn(2, 5, 12)


@pytest.mark.parametrize("causal", [False, True])
def test_without_a_change_it_is_the_same_attention(causal):
    module, x, others = attention()
    inputs = (x, x, x, causal_mask(3)) if causal else (x, others, others)
    output, weights = module(*inputs)
    with changed(module):
        found, again = module(*inputs)
    torch.testing.assert_close(found, output)
    torch.testing.assert_close(again, weights)
    if causal:
        assert not again.triu(1).any()


def test_a_padding_mask_of_each_sentence_holds():
    module, x, others = attention()
    mask = torch.tensor([[[True] * 5], [[True] * 3 + [False] * 2]])
    output, weights = module(x, others, others, mask)
    with changed(module):
        found, again = module(x, others, others, mask)
    torch.testing.assert_close(found, output)
    torch.testing.assert_close(again, weights)


def test_a_head_that_is_off_gives_zeros_to_the_output_projection():
    module, x, others = attention()
    given = []
    hook = module.w_o.register_forward_pre_hook(lambda _, inputs: given.append(inputs[0]))
    module(x, others, others)
    with changed(module, off=[1, 2]):
        output, _ = module(x, others, others)
    hook.remove()
    first, _, last = given  # before, within the module, and once more
    torch.testing.assert_close(last[..., :4], first[..., :4])
    assert not last[..., 4:].any() and first[..., 4:].any()
    torch.testing.assert_close(output, first[..., :4] @ module.w_o.weight[:, :4].T + module.w_o.bias)


def test_a_score_changes_the_weights_of_its_row_and_head_alone():
    module, x, others = attention()
    _, weights = module(x, others, others)
    with changed(module, scores={(2, 1, 3): 1.5}):
        _, found = module(x, others, others)
    q, k = module.w_q(x)[..., 8:], module.w_k(others)[..., 8:]
    scores = q @ k.transpose(1, 2) / math.sqrt(4)
    scores[:, 1, 3] = 1.5
    torch.testing.assert_close(found[:, 2], scores.softmax(dim=-1))
    torch.testing.assert_close(found[:, :2], weights[:, :2])


def test_a_mask_hides_a_key_whatever_its_score_and_a_token_not_yet_there_is_left_out():
    module, x, _ = attention()
    _, weights = module(x, x, x, causal_mask(3))
    with changed(module, scores={(0, 1, 2): 50.0, (0, 9, 0): 50.0, (0, 0, 9): 50.0}):
        _, found = module(x, x, x, causal_mask(3))
    torch.testing.assert_close(found, weights)


def test_afterwards_it_is_as_before():
    module, x, others = attention()
    output, _ = module(x, others, others)
    with pytest.raises(KeyError), changed(module, off=[0]):
        raise KeyError
    torch.testing.assert_close(module(x, others, others)[0], output, rtol=0, atol=0)
