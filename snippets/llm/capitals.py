"""In which layer a language model has the answer, asked with many countries."""

# --8<-- [start:imports]
import csv

import torch
from torch import Tensor

from snippets import ROOT
from snippets.families.llama import Llama
from snippets.llm.layouts import TEXT
from snippets.llm.logit_lens import hidden, lens, ranks, streams, translator
from snippets.llm.smollm import smollm2
from snippets.llm.tokens import tokenizer
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:asked]
COUNTRIES = ROOT / "snippets" / "llm" / "texts" / "countries.csv"
QUESTIONS = {  # and which column has the answers
    "The capital of {} is": "capital",
    "The official language of {} is": "language",
    "The people of {} speak": "language",
}


def asked(prompt: str) -> tuple[Tensor, Tensor]:
    """Ids of a prompt with each country, (N, n), and of the answers, (N,)."""
    of, answer = tokenizer(), QUESTIONS[prompt]
    with COUNTRIES.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row[answer]]
    ids = [of.encode(prompt.format(row["country"])) for row in rows]
    first = [of.encode(" " + row[answer])[0] for row in rows]  # mostly the only one
    return torch.tensor(ids), torch.tensor(first)
# --8<-- [end:asked]


# --8<-- [start:by_layer]
def read(model: Llama, x: Tensor, answers: Tensor) -> dict[str, list[int]]:
    """Ranks of the answer to each prompt. x: (N, d_model)."""
    logits, own = lens(model, x), torch.arange(len(answers))
    among = ranks(logits[:, answers], own)  # the answers of all prompts
    return {"rank": ranks(logits, answers).tolist(), "among": among.tolist()}


def explained(x: Tensor, last: Tensor) -> float:
    """R squared of a map that is fitted on four fifths, on the last fifth."""
    n = 4 * len(x) // 5
    rest, mean = last[n:], last[:n].mean(dim=0)
    left = rest - translator(x[:n], last[:n])(x[n:])
    return 1 - (left.square().sum() / (rest - mean).square().sum()).item()


@torch.no_grad()
def by_layer(model: Llama, prompt: str) -> dict[str, list]:
    """After each number of layers: read plain, moved and translated; R squared."""
    ids, answers = asked(prompt)
    text = torch.tensor(tokenizer().encode(TEXT.read_text(encoding="utf-8")))
    parts = [streams(model, x) for x in text.unfold(0, 128, 128).split(8)]
    # without the first tokens of a window, which are unlike all others
    on_text = torch.cat([x[:, :, 4:].flatten(1, 2) for x in parts], dim=1)
    found = {"plain": [], "moved": [], "fitted": [], "country": [], "explained": []}
    for here, general in zip(streams(model, ids), on_text, strict=True):
        offset = on_text[-1].mean(dim=0) - general.mean(dim=0)
        translate = translator(general, on_text[-1])
        found["plain"].append(read(model, here[:, -1], answers))
        found["moved"].append(read(model, here[:, -1] + offset, answers))
        found["fitted"].append(read(model, translate(here[:, -1]), answers))
        found["country"].append(read(model, translate(here[:, -2]), answers))
        found["explained"].append(explained(general, on_text[-1]))
    return found
# --8<-- [end:by_layer]


# --8<-- [start:by_hidden]
@torch.no_grad()
def by_hidden(model: Llama, prompt: str, key: int) -> list[list[float]]:
    """By layer that hides a token, and prompt: the change of log p(answer)."""
    ids, answers = asked(prompt)

    def log_p() -> Tensor:
        logits = model(ids)[:, -1].log_softmax(dim=-1)
        return logits.gather(1, answers[:, None])[:, 0]

    before, found = log_p(), []
    for layer in range(len(model.layers)):
        with hidden(model, layer, key):
            found.append((log_p() - before).tolist())
    return found
# --8<-- [end:by_hidden]


# --8<-- [start:results]
@torch.no_grad()
def grid(model: Llama, ids: Tensor) -> list[list]:
    """By layer and position, the most probable token and its probability."""
    p, token = lens(model, streams(model, ids)[:, 0]).softmax(dim=-1).max(dim=-1)
    words = [[tokenizer().decode([i]) for i in row] for row in token.tolist()]
    return [words, p.tolist()]


def compute() -> dict[str, object]:
    model, first = smollm2(), next(iter(QUESTIONS))
    return {
        "grid": grid(model, asked(first)[0][:1]),
        "layers": by_layer(model, first),
        "hiding": {prompt: by_hidden(model, prompt, -2) for prompt in QUESTIONS},
        "another": by_hidden(model, first, -3),  # " of"
    }


def results() -> dict[str, object]:
    """What the page shows. It comes with the book."""
    return kept("logit_lens", "llm/capitals", lambda: ({}, compute()))[1]
# --8<-- [end:results]
