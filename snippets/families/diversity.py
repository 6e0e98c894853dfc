"""How much a generated text repeats itself, and how much of it was there before."""

# --8<-- [start:imports]
from collections.abc import Sequence

import torch
from torch import Generator

from snippets.before.vocabulary import BOS, Vocabulary
from snippets.families.constitution_gpt import Text
from snippets.families.gpt import GPT
from snippets.families.gpt_cache import CachedGPT
from snippets.families.sampling import sample, with_temperature
from snippets.training.decoding import inference
# --8<-- [end:imports]


# --8<-- [start:distinct]
def grams(text: Sequence, n: int) -> list[tuple]:
    """All n-grams of a text, from its first to its last."""
    return [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]


def distinct(texts: Sequence[Sequence], n: int) -> float:
    """Which share of the n-grams of each text are different, over all texts."""
    found = [grams(text, n) for text in texts]
    return sum(len(set(own)) for own in found) / sum(map(len, found))


def known(texts: Sequence[Sequence], n: int, lines: Sequence[Sequence]) -> float:
    """Which share of the n-grams of the texts occur in these lines."""
    there = {gram for line in lines for gram in grams(line, n)}
    asked = [gram for text in texts for gram in grams(text, n)]
    return sum(gram in there for gram in asked) / len(asked)
# --8<-- [end:distinct]


# --8<-- [start:samples]
def samples(
    model: GPT,
    vocab: Vocabulary,
    prompt: str,
    temperature: float,
    texts: int = 16,
    seed: int = 0,
) -> list[str]:
    """What follows the prompt, drawn that often, each at most 60 characters."""
    start = [BOS] + [vocab.ids[character] for character in prompt]
    ids = torch.tensor([start] * texts)
    with inference(model):
        new = sample(
            CachedGPT(model).next_logits,
            ids,
            60,
            lambda logits: with_temperature(logits, temperature),
            Generator().manual_seed(seed),
        )
    return ["".join(vocab.decode(row)) for row in new.tolist()]


TEMPERATURES = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4]


def by_temperature(model: GPT, text: Text, prompt: str) -> list[dict]:
    """At each temperature, distinct 3-grams and known 5-grams of 4 x 16 texts."""
    rows = []
    for temperature in TEMPERATURES:
        texts = samples(model, text.vocab, prompt, temperature, texts=64)
        groups = [texts[i : i + 16] for i in range(0, 64, 16)]
        measured = {
            "distinct": [distinct(group, 3) for group in groups],
            "known": [known(group, 5, text.train) for group in groups],
        }
        rows.append(measured)
    return rows
# --8<-- [end:samples]
