"""A small language model of one's own: trained on any text, and asked to go on."""

# --8<-- [start:imports]
import math
import random
import time
from dataclasses import replace

import torch
from torch import Generator, Tensor

from snippets.before.language_models import bits
from snippets.before.two_constitutions import constitution
from snippets.before.vocabulary import BOS, EOS, PAD, Vocabulary
from snippets.families.gpt import GPT, GPT2, causal_lm_loss
from snippets.families.gpt_cache import CachedGPT
from snippets.families.sampling import sample, top_p, with_temperature
from snippets.tools.cached import cached, progress
from snippets.training.decoding import inference
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:text]
LINES = constitution("ko")
# LINES = open("my_text.txt", encoding="utf-8").read().splitlines()
# --8<-- [end:text]


# --8<-- [start:shuffled]
def shuffled(lines: list[str]) -> str:
    """A text of these lines in random order: its last tenth is like the rest."""
    return "\n".join(random.Random(0).sample(lines, len(lines)))


TEXT = shuffled(LINES)
# --8<-- [end:shuffled]


# --8<-- [start:settings]
SETTINGS = {
    "context": 64,  # how many characters it sees at most
    "num_layers": 2,
    "d_model": 64,
    "dropout": 0.1,
    "steps": 1200,
}
EVERY = 50  # steps between two evaluations
# --8<-- [end:settings]


# --8<-- [start:windows]
def parts(text: str) -> tuple[Vocabulary, Tensor, Tensor]:
    """Its vocabulary, the ids of nine tenths, and those of the last tenth."""
    vocab = Vocabulary(text)
    ids = torch.tensor([vocab.ids[character] for character in text])
    end = len(ids) * 9 // 10
    return vocab, ids[:end], ids[end:]


def windows(ids: Tensor, size: int, starts: Tensor) -> Tensor:
    """Pieces of a text: (number of starts, size)."""
    return ids[starts.unsqueeze(1) + torch.arange(size)]
# --8<-- [end:windows]


# --8<-- [start:new_model]
def new_model(
    vocab: Vocabulary, context: int, num_layers: int, d_model: int, dropout: float
) -> GPT:
    """A GPT that has not learned anything yet."""
    config = replace(
        GPT2,
        vocab_size=len(vocab),
        num_layers=num_layers,
        d_model=d_model,
        num_heads=4,
        d_ff=4 * d_model,
        dropout=dropout,
        max_length=context,
    )
    return GPT(config)
# --8<-- [end:new_model]


# --8<-- [start:train]
@cached("small_language_model")
def train(
    text: str,
    context: int,
    num_layers: int,
    d_model: int,
    dropout: float,
    steps: int,
    seed: int,
    keep_weights: bool = True,
) -> dict:
    """Train once: bits per character by step, and the weights at the end."""
    torch.manual_seed(seed)
    vocab, ids, held_out = parts(text)
    if len(held_out) < 2 * context:
        too_short = f"too short for a context of {context}"
        raise ValueError(f"a text of {len(text)} characters is {too_short}")
    model = new_model(vocab, context, num_layers, d_model, dropout)
    size, batch = context + 1, max(1, 1024 // context)  # 1,024 characters

    def draw_batch(generator: Generator) -> Tensor:
        starts = torch.randint(len(ids) - size, (batch,), generator=generator)
        return windows(ids, size, starts)

    def rate(step: int) -> float:
        return 2e-3 * min(1.0, step / 50, (steps + 1 - step) / 100)

    def evaluate(part: Tensor) -> float:
        whole = torch.arange(0, len(part) - size, context)  # one after the other
        with inference(model):
            return bits(causal_lm_loss(model, windows(part, size, whole)).item())

    trainer = Trainer(model, causal_lm_loss, draw_batch, rate, seed)
    result: dict = {"steps": [], "train": [], "held out": []}
    start = time.process_time()
    for step in progress(steps, f"{context=}, {seed=}"):
        trainer.step()
        if (step + 1) % EVERY == 0:
            result["steps"].append(step + 1)
            result["train"].append(evaluate(ids[: 2 * len(held_out)]))
            result["held out"].append(evaluate(held_out))
    weights = model.state_dict().items() if keep_weights else ()
    result["seconds"] = time.process_time() - start
    return result | {"weights": {name: x.half() for name, x in weights}}
# --8<-- [end:train]


# --8<-- [start:results]
PART = "\n".join(LINES)[:3000]  # few enough characters to be learned by heart


def results(lines: list[str]) -> dict[str, list[dict]]:
    """Two runs: on all lines, and on the first of them, without dropout."""
    whole = {"text": shuffled(lines), **SETTINGS, "seed": 0}
    part = {"text": "\n".join(lines)[: len(PART)], **SETTINGS, "dropout": 0.0}
    return {"whole": train.each([whole]), "part": train.each([part | {"seed": 0}])}
# --8<-- [end:results]


# --8<-- [start:continued]
def trained_model(text: str, run: dict) -> GPT:
    """The model of a run on that text."""
    sizes: dict = {key: x for key, x in SETTINGS.items() if key != "steps"}
    model = new_model(parts(text)[0], **sizes)
    model.load_state_dict({key: x.float() for key, x in run["weights"].items()})
    return model.eval()


def continuations(
    model: GPT,
    prompt: str,
    texts: int,
    characters: int = 60,
    temperature: float = 0.7,
    p: float = 0.95,
    seed: int = 0,
) -> list[str]:
    """What the model draws after the prompt, so many times, each by itself."""
    vocab = parts(TEXT)[0]
    context = model.positions.table.size(0)
    ids = torch.tensor([vocab.encode(prompt)[:-1]] * texts)  # without </s>
    cache = CachedGPT(model)

    def next_logits(ids: Tensor) -> Tensor:
        if ids.size(1) <= context:
            logits = cache.next_logits(ids)
        else:  # from now on, every character has moved
            logits = model(ids[:, -context:])[:, -1]
        logits[:, [PAD, BOS, EOS]] = -math.inf  # they stand for no text
        return logits

    def cut(logits: Tensor) -> Tensor:
        return top_p(with_temperature(logits, temperature), p)

    with inference(model):
        generator = Generator().manual_seed(seed)
        new = sample(next_logits, ids, characters, cut, generator)
    return ["".join(vocab.decode(row)) for row in new.tolist()]


def continued(model: GPT, prompt: str, **settings) -> str:
    """The prompt, and one continuation."""
    return prompt + continuations(model, prompt, texts=1, **settings)[0]
# --8<-- [end:continued]


# --8<-- [start:longest_copy]
def longest_copy(text: str, known: str) -> int:
    """How many characters in a row, at most, also occur in the known text."""
    size = 0
    for i in range(len(text)):
        while i + size < len(text) and text[i : i + size + 1] in known:
            size += 1
    return size


def copies_of_itself(text: str, size: int) -> list[int]:
    """The longest copy of each piece of that size in all the rest of the text."""
    found = []
    for i in range(0, len(text) - size + 1, size):
        rest = text[:i] + "\0" + text[i + size :]  # nothing goes across the gap
        found.append(longest_copy(text[i : i + size], rest))
    return found
# --8<-- [end:longest_copy]


# --8<-- [start:verbatim]
def verbatim(model: GPT, part: Tensor, size: int = 30, texts: int = 200) -> Tensor:
    """After size characters of a part, how many the model goes on with as it does.

    It always takes the most probable one. Returns one number, at most size, for
    each of about as many places, or of fewer: no character is counted twice.
    """
    between = max(size, (len(part) - 2 * size) // texts)
    whole = windows(part, 2 * size, torch.arange(0, len(part) - 2 * size, between))
    context = model.positions.table.size(0)
    right = torch.zeros(len(whole), dtype=torch.long)
    rows = torch.arange(len(whole))  # those that it has continued so far
    with inference(model):
        for n in range(size, 2 * size):
            logits = model(whole[rows, max(0, n - context) : n])[:, -1]
            rows = rows[logits.argmax(dim=-1) == whole[rows, n]]
            right[rows] += 1
    return right
# --8<-- [end:verbatim]
