"""Repairs: modules with one mistake, which is noticed as their file says, found by the checks, and named when asked."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from book import ROOT
from exercises import asked
from exercises.checking import Wrong, load, run
from exercises.language import speak
from exercises.repair.stages import FOLDER, begin, read_repairs
from snippets.attention.masks import causal_mask
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer

REPAIRS = read_repairs()
each_repair = pytest.mark.parametrize("name", REPAIRS)


def _broken(name: str, folder):
    """A broken module and the book's own, each run as a file."""
    one = REPAIRS[f"{FOLDER}/{name}"]
    begin(one, folder)
    return load(folder / f"{one.name}.py", "broken"), load(one.solution, "own")


def _first_wrong(one, module) -> tuple[str, Exception] | None:
    for stage in one.stages:
        try:
            run(stage, module)
        except Exception as error:
            return stage.item, error
    return None


@each_repair
def test_one_thing_is_wrong_and_the_checks_find_it(name, tmp_path):
    one = REPAIRS[name]
    path = tmp_path / f"{name}.py"
    assert begin(one, tmp_path) and not begin(one, tmp_path), "never overwritten"
    assert isinstance(_first_wrong(one, load(path, name))[1], Wrong)
    path.write_text(path.read_text(encoding="utf-8").replace(one.wrong, one.right), encoding="utf-8")
    assert _first_wrong(one, load(path, name)) is None


@each_repair
@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_file_says_what_was_noticed_and_not_what_is_wrong(name, language):
    speak(language)
    try:
        header, rest = (REPAIRS[name].broken().split("import", 1)[0], REPAIRS[name].header())
    finally:
        speak(None)
    assert rest in header and all(len(line) <= 84 for line in rest.splitlines())
    assert ("A repair" in rest) == (language == "en") and ("고치기" in rest) == (language == "ko")


def test_a_place_that_is_not_there_once_is_refused():
    one = REPAIRS[f"{FOLDER}/masks"]
    for right in ("nowhere", "return"):
        with pytest.raises(ValueError, match="× [0-9]+$"):
            replace(one, right=right).broken()


# ---- what is said to have been noticed is true


def test_lstm(tmp_path):
    broken, own = _broken("lstm", tmp_path)
    x, w_x, w_h, b = torch.randn(50, 3), torch.randn(32, 3), torch.randn(32, 8), torch.randn(32)
    cells = []
    for module in (broken, own):
        h, c = torch.zeros(8), torch.zeros(8)
        for one in x:
            h, c = module.lstm_step(one, h, c, w_x, w_h, b)
        cells.append(c)
    assert (cells[0] >= 0).all() and (cells[1] < 0).any()


def test_scaled_dot_product(tmp_path):
    broken, _ = _broken("scaled_dot_product", tmp_path)
    _, weights = broken.scaled_dot_product_attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    assert torch.allclose(weights.sum(0), torch.ones(5)) and not torch.allclose(weights.sum(1), torch.ones(3))


def test_masks(tmp_path):
    broken, own = _broken("masks", tmp_path)
    mask = broken.causal_mask(5)
    assert not mask.diagonal().any() and not mask[0].any()
    assert own.causal_mask(5).diagonal().all()


def test_multi_head(tmp_path):
    first = []
    for module in _broken("multi_head", tmp_path):
        torch.manual_seed(0)
        attention = module.MultiHeadAttention(8, 4)
        x = torch.randn(1, 5, 8)
        other = x + torch.tensor([0.0, 1.0, 0.0, 0.0, 0.0]).view(1, 5, 1)
        before, after = (attention(one, one, one, causal_mask(5))[0] for one in (x, other))
        assert before.shape == x.shape
        first.append(torch.allclose(before[:, 0], after[:, 0]))
    assert first == [False, True]


def test_sinusoidal(tmp_path):
    broken, own = (module.positional_encoding(torch.arange(50), 16) for module in _broken("sinusoidal", tmp_path))
    assert not torch.equal(broken, own) and torch.equal(broken.sort(-1).values, own.sort(-1).values)


def test_relative(tmp_path):
    q, k = torch.randn(8), torch.randn(8)
    spreads = []
    for module in _broken("relative", tmp_path):
        positions = torch.arange(20)
        queries, keys = (module.rotate(one.expand(20, 8), positions) for one in (q, k))
        spreads.append((queries[3:] * keys[:-3]).sum(-1).std().item())
    assert spreads[0] > 0.1 > 1e-4 > spreads[1]


def test_dropout(tmp_path):
    ratios = []
    for p in (0.1, 0.5):
        dropout = _broken("dropout", tmp_path)[0].Dropout(p)
        shutil.rmtree(tmp_path / FOLDER)
        x = torch.ones(20_000)
        ratios.append((dropout.eval()(x).mean() / dropout.train()(x).mean()).item())
    assert 1.05 < ratios[0] < 1.2 and ratios[1] > 1.8


@pytest.mark.parametrize(("d_model", "least", "most"), [(512, 0.0009, 0.0011), (8, 0.055, 0.07)])
def test_layer_norm(d_model, least, most, tmp_path):
    broken = _broken("layer_norm", tmp_path)[0].LayerNorm(d_model)
    x = torch.randn(100, d_model)
    ours, theirs = broken(x), nn.LayerNorm(d_model, eps=broken.eps)(x)
    assert least < ((ours - theirs).norm() / theirs.norm()).item() < most


def test_residual(tmp_path):
    sizes = {}
    for module, name in zip(_broken("residual", tmp_path), ("broken", "own"), strict=True):
        for norm_first in (True, False):
            torch.manual_seed(0)
            x = torch.randn(200, 64)
            for layer in range(24):
                x = module.SublayerConnection(64, 0.0, norm_first)(x, nn.Linear(64, 64))
                sizes[name, norm_first, layer] = x.std().item()
    assert sizes["own", True, 23] > 1.5 * sizes["own", True, 0]
    assert abs(sizes["broken", True, 23] / sizes["broken", True, 0] - 1) < 0.1
    assert sizes["own", False, 23] == sizes["broken", False, 23]


def test_decoder_layer(tmp_path):
    for module, still in zip(_broken("decoder_layer", tmp_path), (True, False), strict=True):
        layer = module.DecoderLayer(TransformerConfig(d_model=8, num_heads=2, d_ff=16, dropout=0.0))
        y, memory = torch.randn(1, 3, 8), torch.randn(1, 5, 8)
        layer(y, memory, None, None).sum().backward()
        assert all((p.grad is None) == still for p in layer.cross_attention.parameters())
        assert all(p.grad is not None for p in layer.self_attention.parameters())


def test_loss(tmp_path):
    broken, own = _broken("loss", tmp_path)
    logits, target = torch.randn(2, 9, 7), torch.randint(1, 7, (2, 9))
    target[:, 4:] = 0
    for module, falls in ((broken, True), (own, False)):
        short, long = (module.smoothed_cross_entropy(logits[:, :n], target[:, :n], 0.0, 0) for n in (4, 9))
        assert (long < 0.6 * short) == falls


def test_adam(tmp_path):
    steps = []
    for module in _broken("adam", tmp_path):
        p = nn.Parameter(torch.zeros(1))
        optimizer = module.Adam([p], lr=0.1, betas=(0.9, 0.98))
        moved = [0.0]
        for _ in range(400):
            p.grad = torch.ones(1)
            optimizer.step()
            moved.append(p.item())
        steps.append((moved[0] - moved[1], moved[-2] - moved[-1]))
    assert 6.9 < steps[0][0] / steps[1][0] < 7.2 and abs(steps[0][1] / steps[1][1] - 1) < 0.01


@pytest.mark.parametrize("layers", [1, 2])
def test_cache(layers, tmp_path):
    broken, own = _broken("cache", tmp_path)
    torch.manual_seed(0)
    config = TransformerConfig(vocab_size=20, d_model=16, num_heads=2, d_ff=32, num_layers=layers, dropout=0.0)
    model = Transformer(config).eval()
    src = torch.randint(4, 20, (3, 6))
    logits = []
    for module in (broken, own):
        decoder = module.CachedDecoder(model, src)
        logits.append(torch.stack([decoder.logits(torch.full((3,), token)) for token in (1, 5, 6, 7)]))
    assert torch.allclose(*logits, atol=1e-5) == (layers == 1)


def test_decoding(tmp_path):
    for module, left_on in zip(_broken("decoding", tmp_path), (True, False), strict=True):
        model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5)).eval()
        with module.inference(model):
            assert not model.training
        assert model.training == left_on == model[1].training


def test_sampling(tmp_path):
    broken, own = _broken("sampling", tmp_path)
    logits = torch.randn(50, 40, generator=torch.Generator().manual_seed(0))
    assert torch.equal(broken.top_p(logits, 0.1), own.top_p(logits, 0.9))
    left = broken.top_p(logits, 0.9).isfinite().sum(-1).double().mean()
    assert left < 1.5 and own.top_p(logits, 0.9).isfinite().sum(-1).double().mean() > 10


def test_gpt(tmp_path):
    broken, own = _broken("gpt", tmp_path)
    ids = torch.randint(4, 20, (4, 9), generator=torch.Generator().manual_seed(0))

    def repeats(ids):  # the model that gives back what it reads
        return 50 * nn.functional.one_hot(ids, 20).double()

    assert broken.causal_lm_loss(repeats, ids, pad_id=0) < 1e-6 < 10 < own.causal_lm_loss(repeats, ids, pad_id=0)


@pytest.mark.parametrize("num_kv_heads", [2, 4])
def test_todays_block(num_kv_heads, tmp_path):
    broken, own = _broken("todays_block", tmp_path)
    outputs = []
    for module in (broken, own):
        torch.manual_seed(0)
        attention = module.GroupedQueryAttention(16, 4, num_kv_heads)
        outputs.append(attention(torch.randn(1, 5, 16, generator=torch.Generator().manual_seed(1))))
    same = torch.allclose(*[one[0] if isinstance(one, tuple) else one for one in outputs], atol=1e-6)
    assert same == (num_kv_heads == 4)


# ---- the command


def test_cache_2(tmp_path):
    """How much more a token costs than the one before, with one d_model and with twice as much."""
    growth = []
    for module in _broken("cache_2", tmp_path):
        more = []
        for d_model in (32, 64):
            config = TransformerConfig(vocab_size=9, d_model=d_model, d_ff=32, num_heads=2, num_layers=2)
            decoder = module.CachedDecoder(Transformer(config).eval(), torch.tensor([[3, 4, 5]]))
            costs = []
            for _ in range(4):
                with FlopCounterMode(display=False) as counter, torch.no_grad():
                    decoder.logits(torch.tensor([4]))
                costs.append(counter.get_total_flops())
            assert costs[3] - costs[2] == costs[2] - costs[1] > 0
            more.append(costs[3] - costs[2])
        growth.append(more[1] / more[0])
    assert growth[0] > 3.8 and growth[1] == 2, growth


def test_decoding_2(tmp_path, monkeypatch):
    calls = []
    encode = Transformer.encode
    monkeypatch.setattr(Transformer, "encode", lambda model, src: calls.append(1) or encode(model, src))
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(vocab_size=9, d_model=8, d_ff=8, num_heads=2, num_layers=1))
    found, encoded = [], []
    for module in _broken("decoding_2", tmp_path):
        calls.clear()
        found.append(module.greedy(model, torch.tensor([[3, 4, 5]]), 6))
        encoded.append(len(calls))
    assert torch.equal(*found) and encoded == [1 + found[0].size(1), 1] and encoded[0] > 2


class _Largest(TorchDispatchMode):
    """How many numbers the largest tensor has that is computed, and no view of another."""

    def __init__(self):
        super().__init__()
        self.numbers = 0

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        result = function(*arguments, **(keywords or {}))
        if isinstance(result, torch.Tensor) and not result._is_view():
            self.numbers = max(self.numbers, result.numel())
        return result


def test_flash_attention(tmp_path):
    largest = []
    for module in _broken("flash_attention", tmp_path):
        for n in (256, 512):
            query, key, value = torch.randn(8, 4), torch.randn(n, 4), torch.randn(n, 4)
            with _Largest() as seen:
                output = module.attend(query, key, value, None, 0, False, 16)
            assert torch.allclose(output, F.scaled_dot_product_attention(query, key, value), atol=1e-5)
            largest.append(seen.numbers)
    assert largest[1] == 2 * largest[0] and largest[2] == largest[3] < largest[0] / 4


@pytest.mark.thorough
def test_a_repair_is_written_noticed_hinted_at_and_mended(clone):
    folder, run_pytest = clone
    for name in ("book", "docs"):
        (folder.parent / name).symlink_to(ROOT / name, target_is_directory=True)
    shutil.copy(ROOT / "conftest.py", folder.parent)  # it begins a file that is named and not there
    said = run_pytest("exercises/repair/masks.py")
    assert "wrote exercises/repair/masks.py: yours to mend" in said
    assert "noticed: On the diagonal of the decoder's attention map" in said
    assert "expected True, got False" in said and "j <= i, not j < i" not in said
    assert "wrote" not in said.partition("noticed")[2]
    hinted = run_pytest("exercises/repair/masks.py", "--hint", "--solution")
    assert "j <= i, not j < i" in hinted
    assert re.search("1. Where: page attention/masks, “.+”", hinted), "the section that shows the module"
    assert "The book's own, in snippets/attention/masks.py:" in hinted
    path = folder / "repair" / "masks.py"
    path.write_text(path.read_text(encoding="utf-8").replace("< position.unsqueeze(1)", "<= position.unsqueeze(1)"))
    assert "2 of 2 stages are right" in run_pytest("exercises/repair/masks.py")


@pytest.mark.thorough
def test_the_folder_has_all_of_them_a_line_each_and_other_commands_none(clone):
    _, run_pytest = clone
    said = run_pytest("exercises/repair", "--language", "ko")
    lines = re.findall(r"(?m)^repair/(\w+) +\d+ / \d+", said)
    assert [f"{FOLDER}/{name}" for name in lines] == [*REPAIRS]
    assert "증상: 시퀀스가 아무리 길어도" in said
    assert "repair" not in run_pytest("exercises/attention").replace("repair/stages", "")


@pytest.mark.thorough
def test_the_failing_call_of_a_repair_can_be_looked_at(clone):
    folder, run_pytest = clone
    run_pytest("exercises/repair")
    (line,) = re.findall("from exercises import case; .*", run_pytest("exercises/repair/masks.py"))
    shown = subprocess.run(
        [sys.executable, "-c", f"{line}; print(c.arguments)"], cwd=folder.parent, capture_output=True, text=True
    )
    assert "'n'" in shown.stdout, shown.stderr


@pytest.mark.thorough
def test_a_file_may_be_named_without_its_ending(clone):
    folder, run_pytest = clone
    for name in ("book", "docs"):
        (folder.parent / name).symlink_to(ROOT / name, target_is_directory=True)
    shutil.copy(ROOT / "conftest.py", folder.parent)
    for argument, begun in (("attention/masks", True), ("attention/masks", False), ("attention/masks/", False)):
        said = run_pytest(f"exercises/{argument}")
        assert said.count("wrote exercises/attention/masks.py") == begun
        assert "causal_mask is not written yet, exercises/attention/masks.py" in said
    assert "there is no exercise attention/masks.txt" in run_pytest("exercises/attention/masks.txt")


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("exercises/attention/nothing", "exercises/attention/nothing.py"),
        ("exercises/attention/nothing/", "exercises/attention/nothing.py"),
        ("exercises/attention/nothing::one", "exercises/attention/nothing.py::one"),
        ("exercises/attention/nothing.py", "exercises/attention/nothing.py"),
        ("exercises/attention", "exercises/attention"),
        ("elsewhere/nothing", "elsewhere/nothing"),
        ("--hint", "--hint"),
    ],
)
def test_only_a_file_of_the_exercises_that_is_not_there_gets_an_ending(argument, expected):
    assert asked.with_suffix(argument, ROOT) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("chosen", ["environment", "--language ko", "--language=ko"])
def test_a_file_that_is_not_there_is_begun_in_the_language_of_its_learner(clone, monkeypatch, chosen):
    folder, run_pytest = clone
    for name in ("book", "docs"):
        (folder.parent / name).symlink_to(ROOT / name, target_is_directory=True)
    shutil.copy(ROOT / "conftest.py", folder.parent)
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "ko_KR.UTF-8" if chosen == "environment" else "C.UTF-8")
    said = run_pytest("exercises/attention/masks.py", *(chosen.split() if chosen != "environment" else []))
    assert "exercises/attention/masks.py: 파일을 만들었습니다" in said and "2단계 중 0단계가 맞았습니다" in said
    assert "# causal: 위치 i는" in (folder / "attention" / "masks.py").read_text(encoding="utf-8")
