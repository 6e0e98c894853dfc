"""Multi-head latent attention is DeepSeek's, in both its forms, and caches what its page says."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.attention.masks import causal_mask, padding_mask
from snippets.llm.latent_attention import AbsorbedAttention, LatentAttention, multiplications, numbers_cached
from tests.torch_twins import randomise

NAMES = {
    "w_q.0": "q_a_proj",
    "w_q.1": "q_a_layernorm",
    "w_q.2": "q_b_proj",
    "w_q": "q_proj",
    "w_down": "kv_a_proj_with_mqa",
    "norm": "kv_a_layernorm",
    "w_up": "kv_b_proj",
    "w_o": "o_proj",
    "gamma": "weight",
}
SIZES = {"d_model": 20, "num_heads": 3, "d_k": 5, "d_rope": 4, "d_latent": 7}


def attention(seed=0, **options):
    torch.manual_seed(seed)
    return randomise(LatentAttention(**{**SIZES, **options}).double())


def absorbed(ours, d_query=None, rope_theta=10_000.0):
    """The other form, with the same parameters."""
    theirs = AbsorbedAttention(**SIZES, d_query=d_query, rope_theta=rope_theta).double()
    for (name, _), weight in zip(list(theirs.named_parameters()), ours.parameters(), strict=True):
        *path, last = name.split(".")
        setattr(theirs.get_submodule(".".join(path)), last, weight)
    return theirs


def library(ours, theta, d_query):
    """DeepSeek's attention of transformers with the weights of ours, and its cosines and sines for six positions."""
    transformers = pytest.importorskip("transformers")
    from transformers.models.deepseek_v3 import modeling_deepseek_v3 as deepseek

    config = transformers.DeepseekV3Config(
        hidden_size=20,
        num_attention_heads=3,
        num_key_value_heads=3,
        qk_nope_head_dim=5,
        v_head_dim=5,
        qk_rope_head_dim=4,
        kv_lora_rank=7,
        q_lora_rank=d_query,
        rope_parameters={"rope_type": "default", "rope_theta": theta},
    )
    config._attn_implementation = "eager"
    theirs = deepseek.DeepseekV3Attention(config, layer_idx=0).double().eval()
    state = {}
    for name, weight in ours.named_parameters():
        for part in sorted(NAMES, key=len, reverse=True):
            if name.startswith(part):
                state[NAMES[part] + ".weight"] = weight.detach()
                break
    theirs.load_state_dict(state)
    rotary = deepseek.DeepseekV3RotaryEmbedding(config)
    return theirs, rotary(torch.zeros(1, 6, 4, dtype=torch.float64), torch.arange(6).unsqueeze(0))


@pytest.mark.parametrize("theta, d_query", [(10_000.0, None), (100.0, 11)])
def test_it_is_deepseeks_in_the_explicit_form_and_in_the_absorbed_one(theta, d_query):
    ours = attention(rope_theta=theta, d_query=d_query)
    theirs, places = library(ours, theta, d_query)
    x = torch.randn(2, 6, 20, dtype=torch.float64)
    mask = causal_mask(6)
    additive = torch.zeros(6, 6, dtype=torch.float64).masked_fill(~mask, -torch.inf).expand(2, 1, 6, 6)
    expected, _ = theirs(x, places, additive)
    # the library has its angles and its softmax in float32
    assert_close(ours(x, mask), expected, rtol=1e-4, atol=1e-5)
    assert_close(absorbed(ours, d_query, theta)(x, mask), ours(x, mask))


def test_gradients_agree_with_the_library_and_between_the_forms():
    ours = attention(d_query=11)
    theirs, places = library(ours, 10_000.0, 11)
    x = torch.randn(2, 6, 20, dtype=torch.float64)
    gradients = []
    for output in (ours(x), absorbed(ours, 11)(x), theirs(x, places, None)[0]):
        inputs = list(theirs.parameters() if len(gradients) == 2 else ours.parameters())
        gradients.append({g.shape: g for g in torch.autograd.grad(output.square().sum(), inputs)})
    for shape, of_explicit in gradients[0].items():
        assert_close(gradients[1][shape], of_explicit)
        assert_close(gradients[2][shape], of_explicit, rtol=1e-3, atol=1e-3)


def test_both_forms_agree_with_and_without_masks():
    ours, x = attention(), torch.randn(2, 5, 20, dtype=torch.float64)
    ids = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    for mask in (None, causal_mask(5), padding_mask(ids, 0), padding_mask(ids, 0) & causal_mask(5)):
        assert_close(absorbed(ours)(x, mask), ours(x, mask))
    before = ours(x, causal_mask(5))
    x[:, 3:] += 1
    assert_close(ours(x, causal_mask(5))[:, :3], before[:, :3])


def test_what_is_cached_is_as_long_as_its_page_says_and_enough():
    ours, x = attention(), torch.randn(2, 5, 20, dtype=torch.float64)
    latent, key = ours.compressed(x)
    assert latent.shape == (2, 5, 7) and key.shape == (2, 5, 4)
    assert_close(
        latent / ours.norm.gamma.detach(), torch.nn.functional.rms_norm(ours.w_down(x)[..., :7], (7,), eps=1e-6)
    )
    with torch.no_grad():
        ours.w_down.weight.zero_()  # nothing but the cache says anything of the keys
        assert_close(ours(x), torch.zeros_like(x))


def test_only_the_small_key_has_a_position():
    ours, x = attention(), torch.randn(1, 5, 20, dtype=torch.float64)
    order = torch.tensor([3, 1, 4, 0, 2])
    assert (ours(x[:, order]) - ours(x)[:, order]).abs().max() > 1e-3
    with torch.no_grad():
        ours.w_down.weight[7:] = 0
    assert_close(ours(x[:, order]), ours(x)[:, order])


def test_the_base_of_the_rotation_is_10000_unless_another_is_given():
    x = torch.randn(1, 40, 20, dtype=torch.float64)
    assert_close(attention()(x), attention(rope_theta=10_000.0)(x), rtol=0, atol=0)
    assert not torch.equal(attention(rope_theta=100.0)(x), attention()(x))


def test_multiplications_and_numbers_by_hand():
    assert numbers_cached(8, 128) == 2048
    of = multiplications(num_heads=2, d_k=3, d_rope=1, d_latent=5, length=10)
    # explicit: of each cached token a key and a value of 3 from 5 numbers, then a product of 4 and one of 3
    assert of == {"explicit": 2 * 10 * (3 * 5 + 3 * 5 + 4 + 3), "absorbed": 2 * (30 + 10 * (6 + 5))}
