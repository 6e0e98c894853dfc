"""What the three families may see, what they learn from, and how dependence on tokens is found."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from snippets.attention.masks import causal_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.block.config import TransformerConfig
from snippets.families.bert import Bert
from snippets.families.gpt import GPT
from snippets.families.three_families import dependence, full_mask, prefix_mask, span_corruption
from snippets.model.transformer import Transformer

SIZES = TransformerConfig(vocab_size=20, num_layers=2, d_model=16, num_heads=2, d_ff=24, positions="learned")
IDS = torch.tensor([[4, 9, 6, 12, 7]])


def model(kind):
    torch.manual_seed(0)
    return kind(SIZES).eval()


def test_masks_of_five_tokens():
    assert full_mask(3).tolist() == [[True] * 3] * 3
    assert prefix_mask(5, 3).int().tolist() == [
        [1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]


@given(st.integers(1, 8), st.data())
def test_a_prefix_lies_between_a_decoder_and_an_encoder(n, data):
    prefix = data.draw(st.integers(0, n))
    mask = prefix_mask(n, prefix)
    assert mask.dtype == torch.bool
    assert {(i, j) for i in range(n) for j in range(n) if mask[i, j]} == {
        (i, j) for i in range(n) for j in range(n) if j < prefix or j <= i
    }
    assert torch.equal(prefix_mask(n, 0), causal_mask(n))
    assert torch.equal(prefix_mask(n, n), full_mask(n))


def test_perturbing_a_token_finds_the_mask_of_each_family():
    assert torch.equal(dependence(model(Bert), IDS, 15), full_mask(5))
    assert torch.equal(dependence(model(GPT), IDS, 15), causal_mask(5))
    both = model(Transformer)
    found = dependence(lambda ids: both(ids[:, :3], ids[:, 3:]), IDS, 15)
    assert torch.equal(found, prefix_mask(5, 3)[3:])


def test_a_prefix_mask_makes_an_encoder_a_prefix_lm():
    bert = model(Bert)
    found = dependence(lambda ids: bert.encoder(bert.embed(ids), prefix_mask(5, 2)), IDS, 15)
    assert torch.equal(found, prefix_mask(5, 2))


def test_dependence_is_that_of_a_plain_function():
    def of_two(ids):
        x = ids.float()
        return torch.stack([x[:, 0] + x[:, 2], 0 * x[:, 1]], dim=1).unsqueeze(-1).expand(-1, -1, 2)

    assert dependence(of_two, torch.tensor([[1, 2, 3]]), 9).int().tolist() == [[1, 0, 1], [0, 0, 0]]


def test_one_coordinate_that_moves_is_enough():
    def half(ids):
        return torch.stack([ids.float(), torch.zeros(ids.shape)], dim=-1)

    assert torch.equal(dependence(half, IDS, 15), torch.eye(5, dtype=torch.bool))


def test_tokens_are_changed_one_at_a_time_and_the_input_stays():
    before = IDS.clone()
    seen = []

    def note(ids):
        seen.append(ids.clone())
        return torch.zeros(1, 5, 1)

    assert not dependence(note, IDS, 15).any()
    assert torch.equal(IDS, before)
    assert [(ids != IDS).sum().item() for ids in seen] == [0, 1, 1, 1, 1, 1]


def test_no_gradients_are_kept():
    bert = model(Bert)
    asked = []
    dependence(lambda ids: asked.append(torch.is_grad_enabled()) or bert(ids), IDS, 15)
    assert not any(asked)


def test_span_corruption_is_that_of_figure_2_of_the_paper():
    text = "Thank you for inviting me to your party last week .".split()
    source, target = span_corruption(text, [(2, 4), (8, 9)])
    assert " ".join(source) == "Thank you <extra_id_0> me to your party <extra_id_1> week ."
    assert " ".join(target) == "<extra_id_0> for inviting <extra_id_1> last <extra_id_2>"


@given(st.integers(0, 9), st.data())
def test_source_and_target_together_hold_every_token_once(n, data):
    tokens = [str(i) for i in range(n)]
    cuts = data.draw(st.lists(st.integers(0, n), unique=True).map(sorted))
    spans = list(zip(cuts[::2], cuts[1::2], strict=False))
    source, target = span_corruption(tokens, spans)
    plain = [token for token in source + target if not token.startswith("<")]
    assert sorted(plain, key=int) == tokens
    assert [token for token in source if token.startswith("<")] == [f"<extra_id_{k}>" for k in range(len(spans))]
    assert target[-1] == f"<extra_id_{len(spans)}>"
    assert plain[len(plain) - sum(b - a for a, b in spans) :] == [t for a, b in spans for t in tokens[a:b]]


def test_attention_over_a_source_and_a_target_is_masked_so():
    torch.manual_seed(0)
    x = torch.randn(5, 4)
    _, weights = scaled_dot_product_attention(x, x, x, prefix_mask(5, 3))
    assert ((weights > 0) == prefix_mask(5, 3)).all()


@pytest.mark.parametrize("n", [1, 4])
def test_a_full_mask_is_no_mask(n):
    x = torch.randn(n, 4)
    assert torch.equal(*(scaled_dot_product_attention(x, x, x, mask)[0] for mask in (full_mask(n), None)))


def test_masks_are_where_they_are_asked_for():
    assert full_mask(3, "meta").is_meta and prefix_mask(3, 1, "meta").is_meta
