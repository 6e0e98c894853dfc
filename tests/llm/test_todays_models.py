"""What is read from code is what the code does: by hand on a few lines, and for models that are known."""

from __future__ import annotations

import ast
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from snippets.llm.todays_models import (
    PARTS,
    READ,
    cached_by_layer,
    cached_numbers,
    decoder,
    events,
    norms_of,
    place_of_norms,
    rotates,
    state_numbers,
    survey,
    ten_models,
)


def place(code):
    return place_of_norms(ast.parse(code))


def test_events_come_in_the_order_of_the_computation():
    code = "h = self.attn(self.norm_1(x))\nx = x + h\nx = x + self.mlp(self.norm_2(x)) - 1"
    assert events(ast.parse(code)) == ["norm", "sublayer", "add", "norm", "sublayer", "add"]
    assert events(ast.parse("norm(x) + attention(x) * mlp(x) @ self.weight")) == ["add"]
    assert events(ast.parse("self.Norm(self.dropout(self.feed_forward(x)))")) == ["sublayer", "norm"]


def test_of_branches_the_first_that_does_something_counts():
    code = "if a:\n    x = self.self_attn(x)\nelse:\n    x = self.conv(self.norm(x))"
    assert events(ast.parse(code)) == ["sublayer"]
    assert events(ast.parse(code.replace("self.self_attn(x)", "x"))) == ["norm", "sublayer"]
    assert events(ast.parse("if self.norm(a):\n    pass\nx = self.mlp(x)")) == ["sublayer"]


@pytest.mark.parametrize(
    "code, where",
    [
        ("x = x + self.attn(self.norm(x))", "input"),
        ("h = self.attn(x)\nh = self.norm(h)\nx = x + h", "output"),
        ("h = self.attn(self.norm_1(x))\nx = x + self.norm_2(h)", "both"),
        ("x = x + self.mixer(x)\nx = x + self.mlp(self.norm(x))", ""),
        ("x = self.norm(x)\nx = self.attn(x)", "input"),
        ("x = self.attn_hc(x)\nx = x + self.attn(self.norm(x))", "input"),
        ("x = self.norm(x) + 1", ""),
        ("x = self.norm(x)\nr = x\nx = self.attn(x)\nx = a * r + b * x", "stream"),
        ("r = x\nx = self.norm(x)\nx = self.attn(x)\nx = r + x", "input"),
        ("x = self.attn(self.norm(x))\ny = x\nx = r + y", "input"),
        ("x = x + 1\nx = x + self.norm(self.attn(x))", "output"),
    ],
)
def test_places(code, where):
    assert place(code) == where


def test_the_decoder_layer_is_read_before_other_layers_and_blocks():
    block = "class MoeBlock(nn.Module):\n    def forward(self, x):\n        return x + self.norm(self.mlp(x))\n\n\n"
    layer = block.replace("MoeBlock", "XDecoderLayer").replace("self.norm(self.mlp(x))", "self.mlp(self.norm(x))")
    vision = block.replace("MoeBlock", "XVisionBlock")
    other = "class Y:\n    def forward(self, x):\n        pass\n"
    assert norms_of(block + layer + other) == "input"
    assert norms_of(block + other) == "output"
    assert norms_of(vision + vision.replace("Vision", "Audio") + vision.replace("Vision", "Encoder") + other) == ""
    empty = "class XLayer:\n    def other(self, x):\n        return x + self.norm(self.mlp(x))\n"
    assert norms_of(empty) == ""


def test_a_model_is_read_from_both_of_its_files():
    code = "self.sinks = 1\nclass BAttention:\n\n    def f(): gate_proj\n"
    read = decoder("a", code, "num_key_value_groups\n")
    assert (read.name, read.norms, read.parts) == ("a", "", {"sink", "gate", "GQA"})
    read = decoder("b", "class BAttention:\n    pass\nclass Mlp:\n    gate_proj", "")
    assert not read.parts
    with pytest.raises(FrozenInstanceError):
        read.norms = "input"


@pytest.mark.parametrize(
    "code, has",
    [
        ("\n    if self.local:\n        cos, sin = p\n        q, k = apply_rotary_pos_emb(q, k)\n", True),
        ("\n    if self.rope_interleave:\n        q = apply_rotary_pos_emb(q, k)\n", False),
        ("\n    if self.local:\n        a\n        b\n        c\n        q = apply_rotary_emb(q)\n", False),
        ("\n    q = apply_rotary_emb(q)\n", False),
        ("no_rope_layers", True),
    ],
)
def test_layers_without_rope_rotate_under_a_condition(code, has):
    assert ("NoPE" in decoder("a", code, "").parts) == has


def test_a_model_rotates_if_a_class_for_text_does():
    call = "class XAttention:\n    x = apply_rotary_pos_emb(q, k)\n"
    assert rotates(call) and rotates(call.replace("rotary_pos_emb", "rotary_emb"))
    assert rotates(call + "    y = Vision(x)\n"), "what it is called decides, not what it names"
    assert not rotates(call.replace("X", "XVision")) and not rotates(call.replace("X", "XAudio"))
    assert not rotates("def apply_rotary_pos_emb(q, k):\n    pass\n")
    assert not rotates("@use(apply_rotary_pos_emb)\nclass X:\n    pass\n")


def test_what_is_no_such_decoder_is_left_out(tmp_path):
    code = "RMSNorm( ForCausalLM(\nclass A:\n    apply_rotary_emb(q)\n"
    for name, text in {"a": code, "b": code.replace("rotary", ""), "c": code + "    self.sinks =\n"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"modeling_{name}.py").write_text(text, encoding="utf-8")
        (tmp_path / name / f"configuration_{name}.py").write_text("kv_lora_rank", encoding="utf-8")
    (tmp_path / "a" / "modeling_flax.py").write_text("# nothing of a decoder", encoding="utf-8")
    (tmp_path / "a" / "modeling_other.py").write_text(code + "    self.sinks =\n", encoding="utf-8")
    layer = "\nclass DDecoderLayer:\n    norm = nn.LayerNorm(1)\n"
    for name, text in {"d": code + layer, "e": code + layer.replace("Decoder", "Encoder")}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"modeling_{name}.py").write_text(text, encoding="utf-8")
    found = survey(tmp_path)
    assert [d.name for d in found] == ["a", "c", "e"]
    assert [sorted(d.parts) for d in found] == [["MLA"], ["MLA", "sink"], []]


class Config:
    num_hidden_layers, num_attention_heads, num_key_value_heads, hidden_size = 3, 4, 2, 32

    def __init__(self, **settings):
        vars(self).update(settings)


@pytest.mark.parametrize(
    "settings, numbers",
    [
        ({}, 3 * 10 * 2 * 2 * 8),
        ({"head_dim": None}, 3 * 10 * 2 * 2 * 8),
        ({"head_dim": 5}, 3 * 10 * 2 * 2 * 5),
        ({"sliding_window": 4}, 3 * 4 * 2 * 2 * 8),
        ({"sliding_window": 40}, 3 * 10 * 2 * 2 * 8),
        ({"sliding_window": None, "layer_types": None}, 3 * 10 * 2 * 2 * 8),
        ({"sliding_window": 4, "layer_types": ["sliding_attention", "full_attention"]}, 14 * 2 * 2 * 8),
        ({"layer_types": ["linear_attention", "full_attention"]}, 10 * 2 * 2 * 8),
        ({"kv_lora_rank": 6, "qk_rope_head_dim": 1}, 3 * 10 * 7),
    ],
)
def test_the_cache_follows_from_the_configuration(settings, numbers):
    assert cached_numbers(Config(**settings), 10) == numbers


def test_each_layer_stores_its_own():
    kinds = ["sliding_attention", "full_attention", "linear_attention"]
    assert cached_by_layer(Config(layer_types=kinds, sliding_window=4), 10) == [4 * 32, 10 * 32, 0]


def test_the_caches_of_the_ten_models_are_those_of_their_published_sizes():
    pytest.importorskip("transformers")
    mib = [cached_numbers(config, 4096) * 2 / 2**20 for config in ten_models().values()]
    assert [round(x) for x in mib] == [2048, 512, 512, 576, 288, 736, 512, 148, 96, 274]


def test_a_kind_of_layer_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match=r"unknown kinds of layer: \['chunked_attention'\]"):
        cached_numbers(Config(layer_types=["chunked_attention", "full_attention"]), 10)


def test_a_state_has_a_matrix_for_each_value_head_of_each_linear_layer():
    linear = {"linear_key_head_dim": 3, "linear_value_head_dim": 5, "linear_num_value_heads": 7}
    kinds = ["linear_attention", "full_attention", "linear_attention"]
    assert state_numbers(Config(layer_types=kinds, **linear)) == 2 * 7 * 3 * 5
    assert state_numbers(Config()) == state_numbers(Config(layer_types=None)) == 0


@pytest.mark.thorough
def test_the_states_are_those_that_the_library_fills_in_float32():
    transformers = pytest.importorskip("transformers")
    import torch

    sizes = {"hidden_size": 32, "intermediate_size": 16, "moe_intermediate_size": 16, "num_hidden_layers": 4}
    sizes |= {
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "vocab_size": 8,
        "num_experts": 4,
        "num_experts_per_tok": 2,
    }
    sizes |= {"shared_expert_intermediate_size": 16, "linear_key_head_dim": 4, "linear_value_head_dim": 6}
    config = transformers.Qwen3NextConfig(**sizes, linear_num_key_heads=2, linear_num_value_heads=4)
    model = transformers.Qwen3NextForCausalLM(config).to(torch.bfloat16).eval()
    with torch.inference_mode():
        cache = model(torch.zeros(1, 10, dtype=torch.long), use_cache=True).past_key_values
    kinds = zip(cache.layers, config.layer_types, strict=True)
    states = [layer.recurrent_states[0] for layer, kind in kinds if kind == "linear_attention"]
    assert sum(state.numel() for state in states) == state_numbers(config) > 0
    assert {state.dtype for state in states} == {torch.float32}


@pytest.mark.thorough
def test_the_cache_is_the_one_that_the_library_fills():
    transformers = pytest.importorskip("transformers")
    import torch

    sizes = {"hidden_size": 32, "intermediate_size": 16, "num_attention_heads": 4, "num_key_value_heads": 2}
    sizes |= {"num_hidden_layers": 4, "vocab_size": 8, "head_dim": 8}
    config = transformers.Gemma3TextConfig(**sizes, sliding_window=4)
    model = transformers.Gemma3ForCausalLM(config).eval()
    with torch.inference_mode():
        cache = model(torch.zeros(1, 10, dtype=torch.long), use_cache=True).past_key_values
    stored = sum(layer.keys.numel() + layer.values.numel() for layer in cache.layers)
    one = 2 * 2 * 8 * config.layer_types.count("sliding_attention")  # of a window, the library keeps one token less
    assert stored + one == cached_numbers(config, 10)


KNOWN = {  # of the published descriptions of these models
    "llama": ("input", set()),
    "qwen3": ("input", {"QK"}),
    "olmo2": ("output", {"QK"}),
    "gemma3": ("both", {"QK", "win"}),
    "gpt_oss": ("input", {"win", "sink", "MoE"}),
    "deepseek_v3": ("input", {"MLA", "MoE"}),
    "deepseek_v4": ("input", {"HC", "sel"}),
    "smollm3": ("input", {"NoPE"}),
    "qwen3_next": ("input", {"gate", "lin", "MoE"}),
    "mixtral": ("input", {"MoE"}),
    "olmo_hybrid": ("output", {"lin"}),
    "granitemoehybrid": ("input", {"lin"}),
    "minimax": ("stream", {"lin", "MoE"}),
    "exaone4": ("output", {"NoPE", "win"}),
}


def test_models_that_are_known():
    pytest.importorskip("transformers")
    read = {d.name: d for d in survey()}
    for name, (norms, parts) in KNOWN.items():
        assert read[name].norms == norms and read[name].parts >= parts, name
    assert read["llama"].parts == {"GQA"}
    assert not {"MoE", "MLA", "QK", "sink"} & read["mistral"].parts
    assert all(d.norms for d in read.values())
    assert "clvp" not in read  # RMSNorm is in its speech encoder only
    assert not {"jamba", "nemotron_h", "inkling2"} & read.keys()  # without RoPE
    assert all("GQA" in d.parts for d in read.values())  # as the page says
    for part in PARTS.keys() - {"GQA"}:  # none is a sign that nothing shows any more, or everything
        assert 1 < sum(part in d.parts for d in read.values()) < len(read), part


def test_what_was_read_by_hand_is_of_this_version():
    pytest.importorskip("transformers")
    read = {d.name: d.parts for d in survey()}
    for part, (wrong, missed) in READ.items():
        assert all(part in read[name] for name in wrong.split()), part
        assert not any(part in read[name] for name in missed.split()), part


def test_the_page_names_the_version_that_was_read():
    transformers = pytest.importorskip("transformers")
    text = (Path(__file__).parents[2] / "snippets/llm/todays_models.md").read_text(encoding="utf-8")
    assert f"version = {transformers.__version__}\n" in text


DEFAULTS = {
    "OLMo 2 7B": "Olmo2",
    "Mistral 7B": "Mistral",
    "SmolLM3 3B": "SmolLM3",
    "Mixtral 8x7B": "Mixtral",
    "gpt-oss-120b": "GptOss",
    "Qwen3-Next 80B": "Qwen3Next",
    "DeepSeek-V3 671B": "DeepseekV3",
}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_tables_say_what_the_classes_of_seven_models_say(language):
    transformers = pytest.importorskip("transformers")
    text = (Path(__file__).parents[2] / f"docs/{language}/llm/todays-models.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:2] == "| "]
    for name, kind in DEFAULTS.items():
        config = getattr(transformers, f"{kind}Config")()
        cache, rest = ([cell.replace(",", "") for cell in row] for row in rows if row[0] == name)
        kinds = getattr(config, "layer_types", None) or [""] * config.num_hidden_layers
        assert cache[1].startswith(str(len(kinds) - kinds.count("linear_attention")))
        if kind == "DeepseekV3":
            heads, d_head = config.kv_lora_rank, config.qk_rope_head_dim
            assert f"{heads} + {d_head}" in cache[2]
        else:
            d_head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
            assert cache[2] == f"{config.num_key_value_heads} × {d_head}"
        assert str(getattr(config, "sliding_window", None) or "") in cache[3]
        assert rest[1] == str(config.hidden_size)
        width = getattr(config, "moe_intermediate_size", None) or config.intermediate_size
        experts = getattr(config, "n_routed_experts", None) or getattr(config, "num_experts", None)
        numbers = [config.num_experts_per_tok, experts, width] if experts else [width]
        assert all(str(n) in rest[2] for n in numbers)
