"""Pairs and halves are the same rows in another order; mistaking one for the other changes queries and keys only."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from torch.testing import assert_close

from snippets.llm import layouts
from snippets.llm import smollm as module
from snippets.llm.layouts import as_library, mistaken, pairs_to_halves, window_losses
from snippets.llm.smollm import config_of, loaded
from tests.llm.test_smollm import ABOUT, little_file


def test_pairs_become_halves_head_by_head():
    rows = torch.arange(12.0).unsqueeze(1)
    assert pairs_to_halves(rows, 2).flatten().tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]


def test_mistaken_exchanges_queries_and_keys_and_leaves_the_model_alone(tmp_path, monkeypatch):
    path = little_file(tmp_path)
    model = loaded(*module.read_gguf(path))
    before = {name: x.clone() for name, x in model.state_dict().items()}
    wrong = mistaken(model)
    changed = {name.split(".")[-2] for name, x in wrong.state_dict().items() if not x.equal(before[name])}
    assert changed == {"w_q", "w_k"}
    assert all(x.equal(before[name]) for name, x in model.state_dict().items())
    for layer, other in zip(model.layers, wrong.layers, strict=True):
        assert pairs_to_halves(other.attention.w_q.weight, 6).equal(layer.attention.w_q.weight)
        assert pairs_to_halves(other.attention.w_k.weight, 2).equal(layer.attention.w_k.weight)


def test_the_library_has_the_same_weights_and_gives_the_same_logits(tmp_path):
    model = loaded(*module.read_gguf(little_file(tmp_path)))
    library = as_library(model, config_of(ABOUT))
    assert library.lm_head.weight is library.model.embed_tokens.weight and not library.training
    ids = torch.randint(30, (2, 12), generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        assert_close(library(ids).logits, model(ids), rtol=0, atol=1e-4)
        assert (mistaken(model)(ids) - model(ids)).abs().max() > 0.1


def test_windows_follow_each_other_and_share_one_token(monkeypatch):
    """The last of one, which is predicted, is the first of the next."""

    def encode(text):
        assert text == layouts.TEXT.read_text(encoding="utf-8")
        return list(range(len(text)))

    monkeypatch.setattr(layouts, "tokenizer", lambda: SimpleNamespace(encode=encode))
    assert layouts.windows().tolist() == [list(range(128 * i, 128 * i + 129)) for i in range(32)]


def test_each_model_reads_each_window(monkeypatch):
    monkeypatch.setattr(layouts, "smollm2", lambda: "model")
    monkeypatch.setattr(layouts, "mistaken", lambda model: f"{model} mistaken")
    monkeypatch.setattr(layouts, "windows", lambda: [1, 2])
    monkeypatch.setattr(layouts, "window_losses", lambda model, window: [model, window])
    assert layouts.all_losses() == {
        "right": [["model", 1], ["model", 2]],
        "mistaken": [["model mistaken", 1], ["model mistaken", 2]],
    }


def test_losses_are_those_of_the_token_after_so_many_others(monkeypatch):
    monkeypatch.setattr(layouts, "CONTEXTS", [1, 3])
    window = torch.tensor([2, 0, 1, 2])

    def model(ids):
        assert ids.tolist() == [[2, 0, 1]]
        return torch.tensor([[[1.0, 0, 0], [0, 2.0, 0], [0, 0, 3.0]]])

    wanted = [-torch.tensor([x, 0.0, 0.0]).log_softmax(0)[0].item() for x in (1.0, 3.0)]
    assert window_losses(model, window) == pytest.approx(wanted)


def test_only_the_tokens_after_8_32_and_128_others_count():
    logits = torch.zeros(1, 128, 129)
    for n in (8, 32, 128):  # these the model is sure of
        logits[0, n - 1, n] = 50.0
    assert window_losses(lambda ids: logits, torch.arange(129)) == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_what_comes_with_the_book_is_of_every_window_and_context():
    losses = layouts.losses()
    assert list(losses) == ["right", "mistaken"]
    for by_window in losses.values():
        assert [len(row) for row in by_window] == [len(layouts.CONTEXTS)] * len(layouts.WINDOWS)
