"""The GPT that is handed its cache computes what the GPT in one file does, however its input is cut."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.onefile.gpt import GPT as InOneFile
from snippets.training.decoder_only import GPT, generate
from tests import torch_twins

SIZES = {"vocab_size": 17, "max_length": 13, "d_model": 12}


def pair(layers: int = 2) -> tuple[GPT, InOneFile]:
    """With the same weights; the file's feed-forward network has GELU's approximation, so it gets the exact one."""
    torch.manual_seed(0)
    ours = torch_twins.randomise(GPT(**SIZES, heads=3, layers=layers)).double().eval()
    file = InOneFile(**SIZES, num_heads=3, num_layers=layers, dropout=0.0).double().eval()
    names = {"qkv": "attention.qkv", "out": "attention.out", "w_1": "feed_forward.w_1", "w_2": "feed_forward.w_2"}
    state = ours.state_dict()
    file.load_state_dict({".".join(names.get(part, part) for part in name.split(".")): w for name, w in state.items()})
    return ours, file


@pytest.fixture
def exact_gelu(monkeypatch):
    import snippets.onefile.gpt

    gelu = torch.nn.functional.gelu
    monkeypatch.setattr(snippets.onefile.gpt.F, "gelu", lambda x, approximate="none": gelu(x))


def texts(n: int, batch: int = 3) -> torch.Tensor:
    return torch.randint(17, (batch, n), generator=torch.Generator().manual_seed(n))


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("cuts", [[9], [4, 5], [3, 1, 1, 4], [1] * 9])
def test_logits_are_those_of_all_tokens_at_once(layers, cuts, exact_gelu):
    ours, file = pair(layers)
    ids, cache, parts = texts(9), None, []
    for some in ids.split(cuts, dim=1):
        logits, cache = ours(some, cache)
        parts.append(logits)
    assert_close(torch.cat(parts, dim=1), file(ids))
    assert len(cache) == layers
    assert all(part.shape == (3, 3, 9, 4) for keys_values in cache for part in keys_values)


def test_what_is_passed_in_is_not_changed():
    ours, _ = pair()
    _, cache = ours(texts(4))
    before = [[part.clone() for part in keys_values] for keys_values in cache]
    first, longer = ours(texts(2), cache)
    again, _ = ours(texts(2), cache)
    assert torch.equal(first, again) and longer[0][0].size(2) == 6
    assert len(cache) == 2
    for keys_values, old in zip(cache, before, strict=True):
        assert all(torch.equal(a, b) for a, b in zip(keys_values, old, strict=True))


def test_each_token_is_computed_once():
    ours, _ = pair()
    seen = []
    ours.blocks[1].qkv.register_forward_hook(lambda module, arguments, output: seen.append(output.size(1)))
    generate(ours, texts(4), 3)
    assert seen == [4, 1, 1]
    seen.clear()
    generate(ours, texts(4), 3, use_cache=False)
    assert seen == [4, 5, 6]


def test_the_most_probable_tokens_are_appended_with_and_without_a_cache(exact_gelu):
    ours, file = pair()
    ids = texts(4)
    generated = generate(ours, ids, 8)
    assert torch.equal(generated, generate(ours, ids, 8, use_cache=False))
    assert torch.equal(generated, file.generate(ids, 8, temperature=0))
    assert len(generated.unique()) > 3 and not generate(ours, ids, 1).requires_grad


def test_embeddings_begin_small():
    torch.manual_seed(0)
    model = GPT(vocab_size=500, max_length=8, layers=1, d_model=64, heads=4)
    assert model.tokens.weight.std().item() == pytest.approx(0.02, rel=0.05)


def test_more_tokens_than_positions_raise():
    ours, _ = pair()
    _, cache = ours(texts(13))
    with pytest.raises(IndexError):
        ours(texts(1), cache)


def test_a_cache_of_another_model_raises():
    _, cache = pair(layers=1)[0](texts(4))
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        pair(layers=2)[0](texts(1), cache)


def test_the_trap_of_is_causal():
    """It counts queries from the first key, as the page says: a new token sees the first one alone."""
    q, k, v = torch.randn(3, 2, 5, 4).unbind()
    heads = torch.nn.functional.scaled_dot_product_attention(q[:, -1:], k, v, is_causal=True)
    assert_close(heads, v[:, :1])
