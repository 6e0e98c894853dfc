"""What is read from code is what the code does: by hand on a few lines, and for models that are known."""

from __future__ import annotations

import ast
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from snippets.llm.todays_models import PARTS, decoder, events, norms_of, place_of_norms, survey


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
    code = "# Copyright 2031 A\n# Copyright 2032 B\nself.sinks = 1\nclass BAttention:\n\n    def f(): gate_proj\n"
    read = decoder("a", code, "tie_word_embeddings: bool | None = True\nnum_key_value_groups\n")
    assert (read.name, read.year, read.norms, read.tied) == ("a", 2031, "", True)
    assert read.parts == {"sink", "gate", "GQA"}
    read = decoder("b", "class BAttention:\n    pass\nclass Mlp:\n    gate_proj", "tie_word_embeddings: bool = False")
    assert read.year is None and not read.tied and not read.parts
    with pytest.raises(FrozenInstanceError):
        read.tied = True


def test_what_is_no_such_decoder_is_left_out(tmp_path):
    code = "RMSNorm( rotary ForCausalLM("
    for name, text in {"a": code, "b": code.replace("rotary", ""), "c": code + "self.sinks ="}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"modeling_{name}.py").write_text(text, encoding="utf-8")
        (tmp_path / name / f"configuration_{name}.py").write_text("kv_lora_rank", encoding="utf-8")
    (tmp_path / "a" / "modeling_flax.py").write_text("# Copyright 1999", encoding="utf-8")
    (tmp_path / "a" / "modeling_other.py").write_text(code + "# Copyright 1999", encoding="utf-8")
    layer = "\nclass DDecoderLayer:\n    norm = nn.LayerNorm(1)\n"
    for name, text in {"d": code + layer, "e": code + layer.replace("Decoder", "Encoder")}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"modeling_{name}.py").write_text(text, encoding="utf-8")
    found = survey(tmp_path)
    assert [d.name for d in found] == ["a", "c", "e"]
    assert [sorted(d.parts) for d in found] == [["MLA"], ["MLA", "sink"], []]
    assert found[0].year is None


KNOWN = {  # of the published descriptions of these models
    "llama": ("input", set()),
    "qwen3": ("input", {"QK"}),
    "olmo2": ("output", {"QK"}),
    "gemma3": ("both", {"QK", "win"}),
    "gpt_oss": ("input", {"win", "sink", "MoE"}),
    "deepseek_v3": ("input", {"MLA", "MoE", "sh", "part"}),
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
    assert read["gemma3"].tied and not read["llama"].tied
    assert all(d.norms for d in read.values())
    assert "clvp" not in read  # RMSNorm is in its speech encoder only
    assert all("GQA" in d.parts for d in read.values())  # as the page says
    for part in PARTS.keys() - {"GQA"}:  # none is a sign that nothing shows any more, or everything
        assert 1 < sum(part in d.parts for d in read.values()) < len(read), part


def test_the_page_names_the_version_that_was_read():
    transformers = pytest.importorskip("transformers")
    text = (Path(__file__).parents[2] / "snippets/llm/todays_models.md").read_text(encoding="utf-8")
    assert f"version = {transformers.__version__}\n" in text
