"""When the weights of a page are made anew, and what is in their files."""

from __future__ import annotations

import hashlib
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from types import SimpleNamespace

import pytest
import torch

from book import ROOT
from book.artifacts import store, weights
from book.artifacts.weights import Exported, WeightsError
from snippets.block.config import TransformerConfig

CONFIG = TransformerConfig(vocab_size=5, num_layers=1, d_model=4, num_heads=2, d_ff=8)
VOCAB = SimpleNamespace(tokens=["<pad>", "<s>", "</s>", "a", "나"])


def _model(**tensors: torch.Tensor) -> SimpleNamespace:
    return SimpleNamespace(state_dict=lambda: tensors)


@pytest.fixture
def one(tmp_path, monkeypatch) -> Exported:
    """A model of a project of its own, and nothing made of it yet."""
    folder = tmp_path / "snippets" / "part"
    folder.mkdir(parents=True)
    (folder / "trains.py").write_text("STEPS = 2\n")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "kept-0.safetensors").write_text("{}")
    monkeypatch.setattr(weights, "ROOT", tmp_path)
    monkeypatch.setattr(weights, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(weights, "WEIGHTS", tmp_path / "weights")
    monkeypatch.setattr(store, "FOLDER", tmp_path / "store")
    one = Exported("little", "kept-0", "part/trains")
    monkeypatch.setattr(weights, "MODELS", [one])
    module = SimpleNamespace(
        trained=lambda *task: SimpleNamespace(model=_model(w=torch.tensor([[1.0, -2.5]]), b=torch.tensor([0.1]))),
        VOCAB=VOCAB,
        CONFIG=CONFIG,
    )
    monkeypatch.setattr(weights.importlib, "import_module", lambda name: {"snippets.part.trains": module}[name])
    return one


def _main(*arguments: str) -> tuple[int, str, str]:
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        return weights.main(list(arguments)), out.getvalue(), err.getvalue()


def test_what_was_made_of_the_same_result_by_the_same_code_stays(one, monkeypatch):
    watched = []
    monkeypatch.setattr(weights, "end_with_parent", lambda: watched.append(True))
    assert weights.stale() == ["little"]
    assert _main() == (0, "weights of little\n", "") and watched
    assert weights.stale() == [] and sorted(path.name for path in weights.WEIGHTS.iterdir()) == [
        "little.bin",
        "little.json",
    ]
    assert _main() == (0, "all weights are up to date\n", "")
    assert _main("large") == (2, "", "no model that runs in a page has the name large\n")
    assert _main("little") == (0, "weights of little\n", ""), "whoever names it wants it made"
    assert weights.sources("little") == [one.source]


@pytest.mark.parametrize("change", ["code", "result", "half", "lost", "no json", "no result"])
def test_what_has_changed_is_made_anew(one, change):
    weights.export(one)
    described, data = one.files
    if change == "code":
        one.source.write_text("STEPS = 3\n")
    elif change == "result":
        (weights.RESULTS / "kept-0.safetensors").write_text("{} ")
    elif change == "no result":
        (weights.RESULTS / "kept-0.safetensors").unlink()
    elif change == "half":
        data.write_bytes(data.read_bytes()[:-1])
    elif change == "lost":
        data.unlink()
    else:
        described.write_text("{")
    assert weights.stale() == ["little"]
    weights.export(one)
    assert weights.stale() == []


def test_a_comment_changes_nothing_and_a_model_without_its_module_is_none(one):
    weights.export(one)
    one.source.write_text("STEPS = 2  # so many\n")
    assert weights.stale() == []
    one.source.unlink()
    assert weights.stale() == []


def test_the_files_say_what_stands_where(one):
    weights.export(one)
    described, data = (path.read_bytes() for path in one.files)
    said = json.loads(described)
    assert "나".encode() in described and said["tokens"] == VOCAB.tokens
    assert said["bits"] == 16 and said["tensors"] == {"w": [1, 2], "b": [1]}
    sizes = {"num_layers": 1, "d_model": 4, "num_heads": 2, "d_ff": 8, "norm_first": False, "eps": 1e-5}
    assert said["config"] == sizes and said["digest"] == hashlib.sha256(data).hexdigest()
    assert torch.frombuffer(bytearray(data), dtype=torch.float16).tolist() == [1.0, -2.5, torch.tensor(0.1).half()]


@pytest.mark.parametrize("number", [1e6, float("nan")])
def test_what_16_bits_cannot_hold_is_refused_by_name(number):
    with pytest.raises(WeightsError, match="w has numbers that float16 cannot hold"):
        weights.described(_model(w=torch.tensor([1.0, number])), VOCAB, CONFIG, 16)


def test_in_8_bits_each_row_of_a_matrix_has_a_factor_and_the_largest_number_is_127():
    rows = torch.tensor([[0.5, -0.25, 0.0], [100.0, -200.0, 1.0], [0.0, 0.0, 0.0]])
    data, unpacked = weights.packed(rows, 8)
    factors = torch.frombuffer(bytearray(data[:6]), dtype=torch.float16)
    steps = torch.frombuffer(bytearray(data[6:]), dtype=torch.int8).view(3, 3)
    assert factors.tolist() == [torch.tensor(x / 127).half() for x in (0.5, 200.0, 0.0)]
    assert steps.tolist() == [[127, -64, 0], [63, -127, 1], [0, 0, 0]]
    assert torch.equal(unpacked, steps * factors.float()[:, None])
    assert ((rows - unpacked).abs() <= 0.51 * factors.float()[:, None]).all()
    vector = torch.tensor([1.0, 3.0])
    data, unpacked = weights.packed(vector, 8)
    assert len(data) == 4 and torch.equal(unpacked, vector), "what is no matrix stays in 16"
    said, data = weights.described(_model(w=rows, b=vector), VOCAB, CONFIG, 8)
    assert said["bits"] == 8 and said["tensors"] == {"w": [3, 3], "b": [2]} and len(data) == 6 + 9 + 4


def test_a_page_loads_no_more_than_half_a_megabyte():
    most = weights.LARGEST // 2
    assert len(weights.described(_model(w=torch.zeros(most)), VOCAB, CONFIG, 16)[1]) == 500_000
    with pytest.raises(WeightsError, match="500,002 bytes of weights are more than the 500,000"):
        weights.described(_model(w=torch.zeros(most + 1)), VOCAB, CONFIG, 16)


def test_a_model_that_is_refused_is_named(one, monkeypatch):
    monkeypatch.setattr(weights, "end_with_parent", lambda: None)
    monkeypatch.setattr(weights, "LARGEST", 5)
    assert _main("little") == (1, "", "little: 6 bytes of weights are more than the 5 that a page may load\n")


@pytest.mark.parametrize("code", [0, 1])
def test_they_are_made_in_a_process_of_its_own(one, monkeypatch, code):
    started = []
    monkeypatch.setattr(weights, "run", lambda *arguments, cwd: started.append((*arguments, cwd)) or code)
    weights.make_anew([])
    assert started == []
    if code:
        with pytest.raises(WeightsError, match="could not make the weights of: little"):
            weights.make_anew(["little"])
    else:
        weights.make_anew(["little"])
    assert started == [("book.artifacts.weights", "little", weights.ROOT)]


def test_the_models_of_the_book_are_those_that_were_trained(tmp_path, monkeypatch):
    from snippets.families import constitution_gpt
    from snippets.training import translator

    monkeypatch.setattr(weights, "WEIGHTS", tmp_path / "assets" / "weights")
    said, sizes = {}, {}
    for one in weights.MODELS:
        weights.export(one)
        described, data = one.files
        said[one.name], sizes[one.name] = json.loads(described.read_bytes()), data.stat().st_size
        assert (ROOT / "snippets" / "results" / f"{one.result}.safetensors").is_file()
    dates = said["dates"]
    assert (dates["bits"], dates["tokens"]) == (16, translator.DATE_VOCAB.tokens)
    assert dates["tensors"].keys() == translator.trained("dates").model.state_dict().keys()
    for language in ("ko", "en"):
        gpt = said[f"constitution-{language}"]
        assert (gpt["bits"], gpt["tokens"]) == (8, constitution_gpt.text_of(language).vocab.tokens)
        assert gpt["tensors"].keys() == constitution_gpt.trained(language).state_dict().keys()
        assert gpt["config"]["norm_first"] and not dates["config"]["norm_first"]
    assert all(350_000 < size < weights.LARGEST for size in sizes.values()), sizes
