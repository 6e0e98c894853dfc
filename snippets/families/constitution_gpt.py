"""A small GPT, trained on a constitution character by character."""

# --8<-- [start:imports]
import math
import time
from dataclasses import replace
from functools import cache
from textwrap import wrap

import torch
from torch import Generator, Tensor, nn

from snippets.before.language_models import bits, split
from snippets.before.two_constitutions import constitution
from snippets.before.vocabulary import PAD, Vocabulary, pad
from snippets.families.gpt import GPT, GPT2, causal_lm_loss
from snippets.tools.cached import cached, progress
from snippets.training.batching import batches_by_length
from snippets.training.decoding import inference
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:Text]
CONTEXT = 128  # tokens that the model sees at most


class Text:
    """The constitution in one language.

    Three lists of lines, and a line is a list of characters. A line with <s> and
    </s> fits into the context: longer ones are cut at spaces.
    Raises ValueError for a language without one.
    """

    def __init__(self, language: str) -> None:
        parts = split(constitution(language))  # as in the first part of the book
        self.train, self.validation, self.test = (
            [list(piece) for line in part for piece in wrap(line, CONTEXT - 2)]
            for part in parts
        )
        lines = self.train + self.validation + self.test
        self.vocab = Vocabulary(character for line in lines for character in line)
        self.config = replace(CONFIG, vocab_size=len(self.vocab))

    def batches(self, lines: list[list[str]]) -> list[Tensor]:
        """Lines from <s> to </s>, those of similar length together: (batch, n)."""
        rows = [self.vocab.encode(line, bos=True) for line in lines]
        indices = batches_by_length([len(row) for row in rows], most=1024)
        return [pad([rows[i] for i in batch]) for batch in indices]

    def packed(self, lines: list[list[str]]) -> Tensor:
        """Lines from <s> to </s>, one behind the other: (characters,)."""
        rows = [self.vocab.encode(line, bos=True) for line in lines]
        return torch.tensor([i for row in rows for i in row])


@cache
def text_of(language: str) -> Text:
    """Read once."""
    return Text(language)
# --8<-- [end:Text]


# --8<-- [start:settings]
CONFIG = replace(
    GPT2,
    vocab_size=2,  # a text sets its own
    num_layers=3,
    d_model=96,
    num_heads=4,
    d_ff=384,
    max_length=CONTEXT,
    pad_id=PAD,
)
STEPS, EVERY = 2000, 100  # steps in all, and between two evaluations


def learning_rate(step: int) -> float:
    """Up to 0.003 in 100 steps, and down to 0 over the last 600."""
    return 3e-3 * min(1.0, step / 100, (STEPS + 1 - step) / 600)


@torch.no_grad()
def initialise(model: GPT) -> None:
    """Weights with a standard deviation of 0.02, biases 0, as in GPT and GPT-2.

    Those of the residual output projections are smaller by 1 / sqrt(2 num_layers),
    for as many are added up in the residual stream.
    """
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.02)
            nn.init.zeros_(module.bias)
    for layer in model.stack.layers:
        for last in (layer.attention.w_o, layer.feed_forward.w_2):
            last.weight.div_(math.sqrt(2 * len(model.stack.layers)))
# --8<-- [end:settings]


# --8<-- [start:bits_per_character]
def bits_per_character(model: nn.Module, batches: list[Tensor]) -> float:
    """Of lines that each begin anew, </s> counted as a character."""
    nats = count = 0.0
    with inference(model):
        for ids in batches:
            tokens = (ids[:, 1:] != PAD).sum().item()
            nats += tokens * causal_lm_loss(model, ids, PAD).item()
            count += tokens
    return bits(nats / count)
# --8<-- [end:bits_per_character]


# --8<-- [start:probabilities]
def probabilities(model: nn.Module, ids: list[int]) -> list[float]:
    """P of each token but the first, given those before it."""
    x = torch.tensor([ids])
    with inference(model):
        after = model(x[:, :-1]).softmax(dim=-1)  # (1, n - 1, vocab_size)
    return after.gather(-1, x[:, 1:, None]).flatten().tolist()
# --8<-- [end:probabilities]


# --8<-- [start:train]
@cached("constitution_gpt")
def train(
    language: str,
    dropout: float,
    every: int = 1,
    seed: int = 0,
    keep_weights: bool = False,
) -> dict:
    """Train on each line, or on every second, ...: bits per character by step.

    "best" is the step with the fewest on the validation lines; "test", and the
    weights, are of that step.
    """
    torch.manual_seed(seed)
    own = text_of(language)
    model = GPT(replace(own.config, dropout=dropout))
    initialise(model)
    stream = own.packed(own.train[::every])
    window = torch.arange(CONTEXT + 1)  # one more: targets are shifted by one

    def draw_batch(generator: Generator) -> Tensor:
        starts = torch.randint(len(stream) - CONTEXT, (8, 1), generator=generator)
        return stream[starts + window]

    trainer = Trainer(model, causal_lm_loss, draw_batch, learning_rate, seed)
    known = own.batches(own.train[:: 8 * every])
    validation, test = own.batches(own.validation), own.batches(own.test)
    result: dict = {"steps": [], "train": [], "validation": []}
    start = time.process_time()
    for step in progress(STEPS, f"{language}, {dropout=}, {seed=}"):
        trainer.step()
        if (step + 1) % EVERY:
            continue
        result["steps"].append(step + 1)
        result["train"].append(bits_per_character(model, known))
        result["validation"].append(bits_per_character(model, validation))
        if result["validation"][-1] == min(result["validation"]):
            result["best"] = step + 1
            result["test"] = bits_per_character(model, test)
            if keep_weights:  # half the size, and precise enough
                weights = model.state_dict().items()
                result["weights"] = {name: x.half() for name, x in weights}
    result["seconds"] = time.process_time() - start
    return result
# --8<-- [end:train]


# --8<-- [start:results]
DROPOUTS, SHARES, SEEDS = [0.0, 0.1], [1, 2, 4, 8], range(3)
KEPT = (DROPOUTS[-1], 1, SEEDS[0], True)  # the run whose weights are kept


def results(language: str) -> dict[float, list[dict]]:
    """Trained on all lines: by dropout, each seed."""
    calls = [(dropout, 1, seed) for dropout in DROPOUTS for seed in SEEDS]
    whole = [KEPT if call == KEPT[:3] else call for call in calls]
    runs = iter(train.each((language, *call) for call in whole))
    return {dropout: [next(runs) for _ in SEEDS] for dropout in DROPOUTS}


def by_share(language: str) -> dict[int, dict]:
    """Trained on all lines, every second, ...: with dropout, one seed."""
    calls = [(language, DROPOUTS[-1], every, SEEDS[0]) for every in SHARES[1:]]
    runs = [train(language, *KEPT), *train.each(calls)]
    return dict(zip(SHARES, runs, strict=True))


def trained(language: str) -> GPT:
    """The model whose weights are kept, from the step where it was best."""
    weights = train(language, *KEPT)["weights"]
    model = GPT(text_of(language).config)
    model.load_state_dict({name: x.float() for name, x in weights.items()})
    return model.eval()
# --8<-- [end:results]
