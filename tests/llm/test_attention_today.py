"""What today's attention has added, against the classes of transformers that have it, with random weights."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.families.llama import halves_to_pairs
from snippets.families.todays_block import GroupedQueryAttention
from snippets.llm.attention_today import TodaysAttention, cached_tokens, softmax_with_sinks, window_mask
from tests.torch_twins import randomise

D_MODEL, HEADS, KV_HEADS, D_K, N = 20, 4, 2, 6, 7
SIZES = {
    "hidden_size": D_MODEL,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV_HEADS,
    "head_dim": D_K,
    "rope_parameters": {"rope_type": "default", "rope_theta": 100.0},
    "attn_implementation": "eager",
}
NAMES = {"q_proj": "w_q", "k_proj": "w_k", "v_proj": "w_v", "o_proj": "w_o", "q_norm": "norm_q", "k_norm": "norm_k"}
HEADS_OF = {"w_q": HEADS, "w_k": KV_HEADS, "norm_q": 1, "norm_k": 1}


def loaded(ours, state, pairs=True):
    """Ours with the library's weights: where RoPE turns halves there, its rows move."""
    arranged = {}
    for name, weight in state.items():
        part, _, kind = name.partition(".")
        part = NAMES.get(part, part)
        if pairs and part in HEADS_OF:
            weight = halves_to_pairs(weight, HEADS_OF[part])
        kind = "gamma" if part.startswith("norm") else kind
        arranged[f"{part}.{kind}" if kind else part] = weight
    ours.double().load_state_dict(arranged)
    return ours


def made(kind, library, **options):
    """A layer of transformers with random weights, and a function that calls it on (2, N, D_MODEL)."""
    transformers = pytest.importorskip("transformers")
    module = getattr(transformers.models, library)
    modeling = getattr(module, f"modeling_{library}")
    config = getattr(transformers, f"{kind}Config")(**{**SIZES, **options})
    torch.manual_seed(0)
    theirs = getattr(modeling, f"{kind}Attention")(config, layer_idx=0).double().eval()
    for weight in theirs.parameters():
        torch.nn.init.normal_(weight)
    rotary = getattr(modeling, f"{kind}RotaryEmbedding")(config)

    def call(x, mask):
        places = rotary(x, torch.arange(N).unsqueeze(0))
        additive = torch.zeros(N, N, dtype=x.dtype).masked_fill(~mask, -torch.inf).expand(2, 1, N, N)
        return theirs(x, places, additive)[0]

    return theirs.state_dict(), call


def same(ours, call, window=None):
    x = torch.randn(2, N, D_MODEL, dtype=torch.float64)
    a, b = ours(x), call(x, window_mask(N, window))
    # the library has its angles, its norms and its softmax in float32
    assert_close(a, b, rtol=1e-4, atol=1e-4)


def attention(**options):
    options = {"rope_theta": 100.0, **options}
    return TodaysAttention(D_MODEL, HEADS, KV_HEADS, D_K, **options)


def test_qk_norm_is_that_of_qwen3():
    state, call = made("Qwen3", "qwen3")
    same(loaded(attention(qk_norm=True), state), call)


def test_sinks_and_biases_are_those_of_gpt_oss():
    state, call = made("GptOss", "gpt_oss")
    same(loaded(attention(sinks=True, bias=True), state), call)


def test_layers_without_rope_are_those_of_smollm3():
    state, call = made("SmolLM3", "smollm3", no_rope_layers=[0] * 36)
    same(loaded(attention(rope_theta=None), state, pairs=False), call)
    state, call = made("SmolLM3", "smollm3", no_rope_layers=[1] * 36)
    same(loaded(attention(), state), call)


def test_the_gate_is_that_of_qwen3_next():
    """Its queries and gates come from one projection, head by head, and its norms multiply by one more."""
    rope = {"rope_type": "default", "rope_theta": 100.0, "partial_rotary_factor": 1.0}
    state, call = made("Qwen3Next", "qwen3_next", rope_parameters=rope)
    both = state.pop("q_proj.weight").unflatten(0, (HEADS, 2, D_K))
    state["q_proj.weight"], state["w_gate.weight"] = (both[:, i].flatten(0, 1) for i in range(2))
    for name in ("q_norm.weight", "k_norm.weight"):
        state[name] = 1 + state[name]
    same(loaded(attention(qk_norm=True, gate=True), state), call)


def test_windows_are_those_of_the_library():
    pytest.importorskip("transformers")
    from transformers.masking_utils import sliding_window_causal_mask_function

    for window in (1, 2, 5, 9):
        theirs = sliding_window_causal_mask_function(window)
        expected = [[bool(theirs(0, 0, torch.tensor(i), torch.tensor(j))) for j in range(N)] for i in range(N)]
        assert window_mask(N, window).tolist() == expected
        assert window_mask(N, window).sum(dim=1).tolist() == [min(i + 1, window) for i in range(N)]
    assert torch.equal(window_mask(N), torch.ones(N, N).tril().bool())


def test_a_window_is_used_and_hides_what_lies_further_back():
    torch.manual_seed(0)
    ours, x = randomise(attention(window=3)).double(), torch.randn(1, N, D_MODEL, dtype=torch.float64)
    before = ours(x)
    x[:, 1] += 1
    changed = (ours(x) - before).abs().amax(dim=-1)[0] > 1e-9
    assert changed.tolist() == [False, True, True, True, False, False, False]


def test_without_options_it_is_grouped_query_attention():
    torch.manual_seed(0)
    theirs = GroupedQueryAttention(24, HEADS, KV_HEADS).double()
    ours = TodaysAttention(24, HEADS, KV_HEADS, 6).double()
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(2, N, 24, dtype=torch.float64)
    assert_close(ours(x), theirs(x, window_mask(N)))
    with torch.device("meta"):  # the mask is where the input is
        assert_close(ours(x), theirs(x, window_mask(N)))


def test_a_sink_takes_its_share_of_each_row():
    scores = torch.tensor([0.0, 0.0, 0.0]).expand(1, 2, 1, 3)
    weights = softmax_with_sinks(scores, torch.tensor([0.0, 3.0]).log())
    assert_close(weights[0, :, 0], torch.tensor([[1 / 3] * 3, [1 / 6] * 3]))
    weights = softmax_with_sinks(scores, torch.tensor([1.0, 3.0]).log())
    assert_close(weights.sum(dim=-1)[0, :, 0], torch.tensor([3 / 4, 3 / 6]))


def test_scores_with_qk_norm_do_not_depend_on_the_size_of_queries_and_keys():
    torch.manual_seed(0)
    ours, x = attention(qk_norm=True).double(), torch.randn(1, N, D_MODEL, dtype=torch.float64)
    before = ours(x)
    with torch.no_grad():
        ours.w_q.weight.mul_(1000)
        ours.w_k.weight.mul_(1000)
    assert_close(ours(x), before, rtol=1e-4, atol=1e-4)


def test_cached_tokens_by_hand_and_groups_that_come_out_even():
    assert cached_tokens([None, 4, 10], 6) == 6 + 4 + 6
    for kv_heads in (3, 0, 8, -2):
        with pytest.raises(ValueError, match=f"{kv_heads} heads of keys and values do not divide 4 heads"):
            TodaysAttention(D_MODEL, HEADS, kv_heads, D_K)


def test_positions_by_default_with_the_base_of_the_paper():
    torch.manual_seed(0)
    ours, other = TodaysAttention(8, 2, 1, 4), TodaysAttention(8, 2, 1, 4, rope_theta=10_000.0)
    other.load_state_dict(ours.state_dict())
    x = 9 * torch.randn(1, 60, 8)
    assert torch.equal(ours(x), other(x))
    assert all(p is None for p in (ours.sinks, ours.w_gate, ours.w_q.bias, ours.window))
    assert isinstance(ours.norm_q, torch.nn.Identity) and isinstance(ours.norm_k, torch.nn.Identity)
