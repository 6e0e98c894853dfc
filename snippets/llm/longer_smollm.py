"""SmolLM2 on texts twice as long as in training: its loss by position, and what it still finds."""

# --8<-- [start:imports]
import math
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from snippets import ROOT
from snippets.attention.multi_head import merge_heads, split_heads
from snippets.families.llama import Llama
from snippets.families.todays_block import GroupedQueryAttention
from snippets.llm.heads import attention_weights
from snippets.llm.layouts import TEXT
from snippets.llm.longer import scaled_base
from snippets.llm.smollm import smollm2
from snippets.llm.tokens import tokenizer
from snippets.positions.relative import rotate
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept

PLAYS = ROOT / "snippets" / "llm" / "texts" / "shakespeare.en.txt"
BLOCK = 1_024  # queries at once: all scores at once would need 10 GB
# --8<-- [end:imports]


# --8<-- [start:attend]
def attend(
    of: GroupedQueryAttention,
    x: Tensor,
    base: float,
    factor: float = 1.0,
    window: int | None = None,
    first: Sequence[int] = (),
) -> Tensor:
    """Causal attention over a whole text at once: (batch, n, d_model), same shape.

    base: of RoPE; factor: positions are divided by it. With a window, each token
    sees that many tokens. Once the text is longer than that, the tokens numbered
    `first` are among them, moved to the beginning of the window, as in
    BoundedAttention, and the others are the latest.
    """
    group = of.num_heads // of.num_kv_heads  # heads that share
    q = split_heads(of.w_q(x), of.num_heads)
    k, v = (split_heads(w(x), of.num_kv_heads) for w in (of.w_k, of.w_v))
    k, v = (shared.repeat_interleave(group, dim=1) for shared in (k, v))
    n, positions = x.size(1), torch.arange(x.size(1)).double() / factor
    turned = rotate(q, positions, base), rotate(k, positions, base)
    if window is None:
        output = scaled_dot_product_attention(*turned, v, is_causal=True)
        return of.w_o(merge_heads(output))
    sinks = list(first)
    sink_keys = rotate(k[:, :, sinks], torch.arange(len(sinks)), base)
    last = rotate(q, torch.full((n,), window - 1), base)  # the end of the window
    outputs = []
    for start in range(0, n, BLOCK):
        end, low = min(n, start + BLOCK), max(0, start - window + 1)
        query, key = torch.arange(start, end)[:, None], torch.arange(low, end)
        short = query < window  # nothing has left the window yet
        seen = (key <= query) & (short | (key > query - window + len(sinks)))
        scores = turned[0][:, :, start:end] @ turned[1][:, :, low:end].mT
        scores = scores.masked_fill(~seen, -math.inf)
        to_sinks = last[:, :, start:end] @ sink_keys.mT
        scores = torch.cat([to_sinks.masked_fill(short, -math.inf), scores], dim=-1)
        weights = (scores / math.sqrt(q.size(-1))).softmax(dim=-1)
        values = torch.cat([v[:, :, sinks], v[:, :, low:end]], dim=2)
        outputs.append(weights @ values)
    return of.w_o(merge_heads(torch.cat(outputs, dim=2)))


@torch.inference_mode()
def losses(model: Llama, ids: Tensor, **how: Any) -> Tensor:
    """Of each token but the first, in nats: (n,) -> (n - 1,). how: see attend."""
    how = {"base": model.layers[0].attention.rope_theta} | how
    x = model.tokens(ids[None, :-1])
    for layer in model.layers:
        x = x + attend(layer.attention, layer.norm_1(x), **how)
        x = x + layer.feed_forward(layer.norm_2(x))
    parts = zip(model.norm(x)[0].split(BLOCK), ids[1:].split(BLOCK), strict=True)
    of_parts = [cross_entropy(model.head(a), b, reduction="none") for a, b in parts]
    return torch.cat(of_parts)
# --8<-- [end:attend]


# --8<-- [start:ways]
TRAINED, LENGTH, BIN = 8_192, 16_384, 1_024
TEXTS = [0, 1, 2]
BASE, D_K, WINDOW = 100_000.0, 64, 1_024

WAYS: dict[str, dict] = {
    "unchanged": {},
    "positions / 2": {"factor": 2.0},
    "base for 2": {"base": scaled_base(BASE, 2, D_K)},
    "base for 4": {"base": scaled_base(BASE, 4, D_K)},
    "window": {"window": WINDOW},
    "window, token 0": {"window": WINDOW, "first": [0]},
    "window, tokens 0-3": {"window": WINDOW, "first": [0, 1, 2, 3]},
    "window, tokens 4-7": {"window": WINDOW, "first": [4, 5, 6, 7]},
}


def text_ids(number: int) -> Tensor:
    """One after the other, pieces of some plays: (16,385,)."""
    ids = torch.tensor(tokenizer().encode(PLAYS.read_text(encoding="utf-8")))
    return ids.unfold(0, LENGTH + 1, LENGTH + 1)[number]
# --8<-- [end:ways]


# --8<-- [start:found_again]
DISTANCES = [768, 2_048, 6_144, 12_288]
FAR = ["unchanged", "base for 2", "window, tokens 0-3"]
PASSAGE, KNOWN = 64, 8  # tokens of a passage; those that say which one it is


def with_passages(number: int, twice: bool = True) -> tuple[Tensor, dict]:
    """A text in which passages of another one stand twice, or only later on.

    Returns its ids and by distance where the second copies begin.
    """
    ids = text_ids(number)
    others = tokenizer().encode(TEXT.read_text(encoding="utf-8"))
    again: dict[int, list[int]] = {}
    for i in range(2 * len(DISTANCES)):
        distance = DISTANCES[(i + number) % len(DISTANCES)]
        piece = torch.tensor(others[PASSAGE * 8 * i :][:PASSAGE])
        begin = PASSAGE * (i + 1)
        if twice:
            ids[begin : begin + PASSAGE] = piece
        ids[begin + distance : begin + distance + PASSAGE] = piece
        again.setdefault(distance, []).append(begin + distance)
    return ids[: max(max(begins) for begins in again.values()) + PASSAGE], again


def found_again(number: int, way: str) -> dict[str, dict[str, list[float]]]:
    """By distance, the losses of second copies, and the same without the first."""
    found: dict[str, dict[str, list[float]]] = {str(d): {} for d in DISTANCES}
    for name, twice in {"twice": True, "once": False}.items():
        ids, again = with_passages(number, twice)
        of = losses(smollm2(), ids, **WAYS[way])
        for distance, begins in again.items():  # of[i] is the loss of token i + 1
            ends = [(begin + KNOWN - 1, begin + PASSAGE - 1) for begin in begins]
            found[str(distance)][name] = [of[a:b].mean().item() for a, b in ends]
    return found
# --8<-- [end:found_again]


# --8<-- [start:weights_on]
@torch.inference_mode()
def weights_on(number: int) -> list[list[float]]:
    """Each head's mean weight on tokens 0 to 7, of tokens 256 to 511 of a text."""
    weights = attention_weights(smollm2(), text_ids(number)[None, :512])
    means = weights[:, 0, :, 256:, :8].mean(dim=2).flatten(0, 1)
    return torch.round(means.double(), decimals=4).tolist()
# --8<-- [end:weights_on]


# --8<-- [start:results]
def of_bins(number: int, way: str) -> list[float]:
    """The mean loss of each 1,024 tokens of a text."""
    of = losses(smollm2(), text_ids(number), **WAYS[way])
    return of.view(-1, BIN).mean(dim=1).tolist()


def compute() -> dict[str, Any]:
    found = {}
    for name, measure, ways in (
        ("by_position", of_bins, WAYS),
        ("again", found_again, FAR),
    ):
        calls = [(number, way) for way in ways for number in TEXTS]
        measured = iter(in_parallel(measure, calls))
        found[name] = {way: [next(measured) for _ in TEXTS] for way in ways}
    return found | {"weights": [weights_on(number) for number in TEXTS]}


def results() -> dict[str, Any]:
    """By way and text, losses of each 1,024 tokens and of second copies; weights.

    They come with the book.
    """
    return kept("longer_smollm", "llm/longer_smollm", lambda: ({}, compute()))[1]


def mean_losses(way: str) -> list[float]:
    """Of each 1,024 tokens, the mean over the texts."""
    by_bin = zip(*results()["by_position"][way], strict=True)
    return [fmean(texts) for texts in by_bin]


def costs(way: str) -> list[float]:
    """By text, the mean loss from token 1,024 on, above that of tokens 0-3 kept."""
    found = results()["by_position"]
    pairs = zip(found[way], found["window, tokens 0-3"], strict=True)
    return [fmean(ours[1:]) - fmean(theirs[1:]) for ours, theirs in pairs]


def gains(way: str) -> list[tuple[float, float]]:
    """By distance, how much loss the first copy saves: mean and standard error."""
    found = []
    for d in map(str, DISTANCES):
        copies = [text[d] for text in results()["again"][way]]
        pairs = [pair for of in copies for pair in zip(*of.values(), strict=True)]
        saved = [once - twice for twice, once in pairs]
        found.append((fmean(saved), stdev(saved) / math.sqrt(len(saved))))
    return found
# --8<-- [end:results]
