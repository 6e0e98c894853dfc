"""A small GPT, trained on the constitution character by character."""

# --8<-- [start:imports]
import math
import time
from dataclasses import replace

import torch
from torch import Generator, Tensor, nn

from snippets.before.corpus import constitution
from snippets.before.language_models import bits, split
from snippets.before.vocabulary import PAD, Vocabulary, pad
from snippets.families.gpt import GPT, GPT2, causal_lm_loss
from snippets.tools.cached import cached, progress
from snippets.training.batching import batches_by_length
from snippets.training.decoding import inference
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:data]
LINES = [list(line) for line in constitution()]  # as characters
TRAIN, VALIDATION, TEST = split(LINES)  # as in the first part of the book
VOCAB = Vocabulary(character for line in LINES for character in line)


def batches(lines: list[list[str]]) -> list[Tensor]:
    """Lines from <s> to </s>, those of similar length together: (batch, n)."""
    rows = [VOCAB.encode(line, bos=True) for line in lines]
    indices = batches_by_length([len(row) for row in rows], most=1024)
    return [pad([rows[i] for i in batch]) for batch in indices]
# --8<-- [end:data]


# --8<-- [start:settings]
CONFIG = replace(
    GPT2,
    vocab_size=len(VOCAB),
    num_layers=3,
    d_model=96,
    num_heads=4,
    d_ff=384,
    max_length=448,  # the longest line has 435 tokens
    pad_id=PAD,
)
STEPS, EVERY = 500, 25  # steps in all, and between two evaluations


def learning_rate(step: int) -> float:
    """Up to 0.002 in 100 steps, and down to 0 over the last 100."""
    return 2e-3 * min(1.0, step / 100, (STEPS + 1 - step) / 100)


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
def bits_per_character(model: nn.Module, lines: list[list[str]]) -> float:
    """Of lines that each begin anew, </s> counted as a character."""
    nats = count = 0.0
    with inference(model):
        for ids in batches(lines):
            tokens = (ids[:, 1:] != PAD).sum().item()
            nats += tokens * causal_lm_loss(model, ids, PAD).item()
            count += tokens
    return bits(nats / count)
# --8<-- [end:bits_per_character]


# --8<-- [start:probabilities]
def probabilities(model: nn.Module, line: list[str]) -> list[float]:
    """P of each character of a line, and of </s> after it, given those before."""
    ids = torch.tensor([VOCAB.encode(line, bos=True)])
    with inference(model):
        after = model(ids[:, :-1]).softmax(dim=-1)  # (1, n, vocab_size)
    return after.gather(-1, ids[:, 1:, None]).flatten().tolist()
# --8<-- [end:probabilities]


# --8<-- [start:train]
@cached("constitution_gpt")
def train(
    dropout: float, every: int = 1, seed: int = 0, keep_weights: bool = False
) -> dict:
    """Train on each line, or on every second, ...: bits per character by step.

    "best" is the step with the fewest on the validation lines; "test", and the
    weights, are of that step.
    """
    torch.manual_seed(seed)
    model = GPT(replace(CONFIG, dropout=dropout))
    initialise(model)
    stock = batches(TRAIN[::every])

    def draw_batch(generator: Generator) -> Tensor:
        return stock[torch.randint(len(stock), (), generator=generator)]

    def loss(model: nn.Module, ids: Tensor) -> Tensor:
        return causal_lm_loss(model, ids, PAD)

    trainer = Trainer(model, loss, draw_batch, learning_rate, seed)
    result: dict = {"steps": [], "train": [], "validation": []}
    start = time.process_time()
    for step in progress(STEPS, f"dropout {dropout}, seed {seed}"):
        trainer.step()
        if (step + 1) % EVERY:
            continue
        result["steps"].append(step + 1)
        result["train"].append(bits_per_character(model, TRAIN[:: 8 * every]))
        result["validation"].append(bits_per_character(model, VALIDATION))
        if result["validation"][-1] == min(result["validation"]):
            result["best"] = step + 1
            result["test"] = bits_per_character(model, TEST)
            if keep_weights:  # half the size, and precise enough
                weights = model.state_dict().items()
                result["weights"] = {name: x.half() for name, x in weights}
    result["seconds"] = time.process_time() - start
    return result
# --8<-- [end:train]


# --8<-- [start:results]
DROPOUTS, SHARES, SEEDS = [0.0, 0.2], [1, 2, 4, 8], range(3)
KEPT = (DROPOUTS[-1], 1, SEEDS[0], True)  # the run whose weights are kept


def results() -> dict[float, list[dict]]:
    """Trained on all lines: by dropout, each seed."""
    calls = [(dropout, 1, seed) for dropout in DROPOUTS for seed in SEEDS]
    runs = iter(train.each(KEPT if call == KEPT[:3] else call for call in calls))
    return {dropout: [next(runs) for _ in SEEDS] for dropout in DROPOUTS}


def by_share() -> dict[int, dict]:
    """Trained on all lines, every second, ...: with dropout, one seed."""
    calls = [(DROPOUTS[-1], every, SEEDS[0]) for every in SHARES[1:]]
    return dict(zip(SHARES, [train(*KEPT), *train.each(calls)], strict=True))


def trained() -> GPT:
    """The model whose weights are kept, from the step where it was best."""
    weights = train(*KEPT)["weights"]
    model = GPT(CONFIG)
    model.load_state_dict({name: x.float() for name, x in weights.items()})
    return model.eval()
# --8<-- [end:results]
