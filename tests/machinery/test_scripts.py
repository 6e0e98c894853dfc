"""The scripts of the pages without a browser: tests/js, which ``npm test`` runs too, and the same numbers as Python."""

from __future__ import annotations

import datetime
import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

from book import ROOT
from book.artifacts import weights
from book.finish import script
from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.attention.soft_lookup import soft_lookup
from snippets.attention.why_sqrt_dk import entropy, softmax_jacobian
from snippets.before import dates
from snippets.before.byte_pair_encoding import BytePairEncoding
from snippets.block.config import TransformerConfig
from snippets.families.flash_attention import absorb, nothing_seen
from snippets.families.gpt import GPT, GPT2
from snippets.families.sampling import top_p
from snippets.model.transformer import Transformer
from snippets.positions.fixed_offset import offset_map
from snippets.positions.relative import rotate
from snippets.positions.sinusoidal import positional_encoding
from snippets.training.decoding import beam_search, greedy

#: The oldest Node that runs them.
OLDEST = 20
NODE = shutil.which("node")
SIZES = {"vocab_size": 12, "num_layers": 2, "d_model": 8, "num_heads": 2, "d_ff": 10, "dropout": 0.0, "max_length": 9}
MOST = 7


def _too_old() -> str:
    """Why the tests cannot run here, or nothing."""
    if not NODE:
        return "there is no Node"
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return "" if int(re.match(r"v(\d+)", version)[1]) >= OLDEST else f"Node {version} is older than {OLDEST}"


def _random(*size: int, seed: int) -> Tensor:
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def _attention(seed: int) -> dict:
    n = 3 + seed
    row, values = 5 * _random(n, seed=seed), _random(n, seed=10 + seed)
    queries, keys = _random(n, 4, seed=20 + seed), _random(n, 4, seed=30 + seed)
    padding = torch.zeros(1, n, dtype=torch.long)
    padding[0, : n - 1] = 1
    allowed = causal_mask(n) & padding_mask(padding, pad_id=0)[0]
    answer, shares = soft_lookup(row, values)
    state, online, block = nothing_seen(torch.zeros(1, 1).double(), values.view(-1, 1)), [], 1 + seed
    for start in range(0, n, block):
        state = absorb(state, row[None, start : start + block], values[start : start + block, None])
        online.append(torch.cat([part.flatten() for part in state]).tolist())
    return {
        "row": row.tolist(),
        "values": values.tolist(),
        "answer": float(answer),
        "softmax": shares.tolist(),
        "entropy": float(entropy(shares)),
        "jacobian": softmax_jacobian(shares).tolist(),
        "queries": queries.tolist(),
        "keys": keys.tolist(),
        "allowed": allowed.tolist(),
        "weights": scaled_dot_product_attention(queries, keys, keys, allowed)[1].tolist(),
        "block": block,
        "online": online,
    }


def _positions(position: float, size: int) -> dict:
    pair, angle = _random(1, 2, seed=size), torch.tensor([position], dtype=torch.float64)
    return {
        "position": position,
        "size": size,
        "encoding": positional_encoding(angle, size)[0].tolist(),
        "map": offset_map(position, size).tolist(),
        "pair": pair[0].tolist(),
        "turned": rotate(pair, angle)[0].tolist(),
    }


def _layers() -> dict:
    x, gamma, beta = (_random(9, seed=seed) for seed in (1, 2, 3))
    cuts = {p: (top_p(x, p) > -math.inf).tolist() for p in (0.1, 0.5, 0.9, 1.0)}
    return {
        "x": x.tolist(),
        "gamma": gamma.tolist(),
        "beta": beta.tolist(),
        "norm": torch.nn.functional.layer_norm(x, (9,), gamma, beta, 1e-5).tolist(),
        "gelu": torch.nn.functional.gelu(x, approximate="tanh").tolist(),
        "log": x.log_softmax(dim=0).tolist(),
        "cuts": cuts,
    }


def _tokens() -> dict:
    """A tokenizer of one sentence: its tokens by id are the bytes, then what each merge has made."""
    sentence = "we the people of the union, the union of the people; 우리 대한국민은 우리 국민"
    learned = BytePairEncoding([sentence], 290)
    merges = [[learned.ids[token] for token in (left, right, left + right)] for left, right in learned.merges]
    texts = [sentence, "the  onion people ", "우리의 🙂"]
    return {
        "merges": merges,
        "texts": [[text, re.findall(" ?[^ ]+| +", text), learned.encode(text)] for text in texts],
    }


def _described(model: torch.nn.Module, config: TransformerConfig, folder: Path, name: str, bits: int) -> None:
    """The files of a model as pages load them; the model has the rounded weights from now on."""
    record, data = weights.described(model, SimpleNamespace(tokens=[]), config, bits)
    (folder / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    (folder / f"{name}.bin").write_bytes(data)
    model.load_state_dict({key: weights.packed(tensor, bits)[1] for key, tensor in model.state_dict().items()})


@torch.no_grad()
def _translator(folder: Path, name: str, norm_first: bool) -> dict:
    config = TransformerConfig(**SIZES, norm_first=norm_first)
    torch.manual_seed(len(name))
    model = Transformer(config).eval()
    for parameter in model.parameters():
        parameter.add_(0.3 * torch.randn_like(parameter))
    _described(model, config, folder, name, 16)
    src, tgt = torch.tensor([[5, 6, 4, 2]]), torch.tensor([[1, 7, 7, 3]])
    seen = []
    attention = model.encoder.layers[-1].attention
    attention.register_forward_hook(lambda module, given, found: seen.append(found[1]))
    logits = model(src, tgt)[0]
    beam, score = beam_search(model, src, 3, MOST, alpha=0.6)
    return {
        "src": src[0].tolist(),
        "tgt": tgt[0].tolist(),
        "logits": logits.tolist(),
        "weights": seen[0][0].transpose(0, 1).tolist(),  # (n, heads, n)
        "greedily": greedy(model, src, MOST)[0].tolist(),
        "beam": beam,
        "score": score,
    }


@torch.no_grad()
def _gpt(folder: Path) -> dict:
    config = TransformerConfig(**SIZES, norm_first=True, activation=GPT2.activation, positions="learned")
    torch.manual_seed(1)
    model = GPT(config).eval()
    for parameter in model.parameters():
        parameter.add_(0.3 * torch.randn_like(parameter))
    _described(model, config, folder, "gpt", 8)
    ids = [1, 5, 9, 4, 4, 11]
    return {"ids": ids, "logits": model(torch.tensor([ids]))[0].tolist()}


def _expected(folder: Path) -> dict:
    days = [
        datetime.date(1900, 2, 28),
        datetime.date(2000, 2, 29),
        datetime.date(2024, 3, 5),
        datetime.date(2099, 12, 31),
    ]
    return {
        "attention": [_attention(seed) for seed in range(4)],
        "positions": [_positions(position, size) for position, size in ((0.0, 2), (3.0, 8), (-40.5, 6))],
        "layers": _layers(),
        "tokens": _tokens(),
        "dates": [[day.isoformat(), dates.english(day)] for day in days],
        "post-ln": _translator(folder, "post-ln", norm_first=False),
        "pre-ln": _translator(folder, "pre-ln", norm_first=True),
        "gpt": _gpt(folder),
    }


def test_what_every_page_loads_is_one_script_of_several_files(tmp_path):
    folder, text = script.MAIN.parent, script.joined(script.MAIN)
    assert len(list(folder.glob("*.js"))) == text.count("})();\n"), "each is a function, and main.js all of it"
    if reason := _too_old():
        pytest.skip(reason)
    (tmp_path / "book.js").write_text(text, encoding="utf-8")
    done = subprocess.run([NODE, "--check", str(tmp_path / "book.js")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_scripts_compute_what_they_should_and_what_python_does(tmp_path):
    if reason := _too_old():
        pytest.skip(reason)
    (tmp_path / "expected.json").write_text(json.dumps(_expected(tmp_path), allow_nan=False), encoding="utf-8")
    tests = sorted((ROOT / "tests" / "js").glob("*.test.js"))
    every = tmp_path / "every.test.mjs"  # Node would start a process for each of them
    every.write_text("".join(f'import "{path.as_uri()}";\n' for path in tests), encoding="utf-8")
    done = subprocess.run(
        [NODE, "--test", str(every)],
        cwd=ROOT,
        env={**os.environ, "EXPECTED": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"^(?:#|ℹ) pass (\d+)$", done.stdout, re.M)[1]) > len(tests)
    assert re.search(r"^(?:#|ℹ) skipped 0$", done.stdout, re.M), "what is compared with Python was left out"
