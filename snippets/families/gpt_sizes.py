"""The small GPT of a constitution at other sizes: which one predicts new lines best?"""

# --8<-- [start:imports]
from dataclasses import replace

import torch
from torch import Generator, Tensor

from snippets.families import constitution_gpt
from snippets.families.constitution_gpt import (
    CONTEXT,
    DROPOUTS,
    EVERY,
    KEPT,
    STEPS,
    bits_per_character,
    initialise,
    learning_rate,
    text_of,
)
from snippets.families.gpt import GPT, causal_lm_loss
from snippets.tools.cached import cached, progress
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:train]
@cached("gpt_sizes")
def train(language: str, d_model: int) -> dict:
    """As constitution_gpt trains with dropout and its first seed, but of this size.

    "best" is the step with the fewest bits on the validation lines, "test" is of
    that step.
    """
    torch.manual_seed(0)
    own = text_of(language)
    config = replace(own.config, d_model=d_model, d_ff=4 * d_model)
    model = GPT(replace(config, dropout=DROPOUTS[-1]))
    initialise(model)
    stream = own.packed(own.train)
    window = torch.arange(CONTEXT + 1)

    def draw_batch(generator: Generator) -> Tensor:
        starts = torch.randint(len(stream) - CONTEXT, (8, 1), generator=generator)
        return stream[starts + window]

    trainer = Trainer(model, causal_lm_loss, draw_batch, learning_rate)
    validation, test = own.batches(own.validation), own.batches(own.test)
    found: list[tuple[float, int, float]] = []
    for step in progress(STEPS, f"{language}, {d_model=}"):
        trainer.step()
        if (step + 1) % EVERY == 0:
            seen = bits_per_character(model, validation)
            found.append((seen, step + 1, bits_per_character(model, test)))
    lowest, best, of_best = min(found)
    parameters = sum(p.numel() for p in model.parameters())
    numbers = {"parameters": parameters, "best": best}
    return {**numbers, "validation": lowest, "test": of_best}
# --8<-- [end:train]


# --8<-- [start:results]
SIZES = 24, 48  # d_model, besides that of constitution_gpt


def results(language: str) -> dict[int, dict]:
    """By d_model, from small to large, that of constitution_gpt among them."""
    found = {d_model: train(language, d_model) for d_model in SIZES}
    known = constitution_gpt.train(language, *KEPT)
    own = constitution_gpt.trained(language)
    found[own.tokens.embedding_dim] = {
        "parameters": sum(p.numel() for p in own.parameters()),
        "best": known["best"],
        "validation": min(known["validation"]),
        "test": known["test"],
    }
    return dict(sorted(found.items()))
# --8<-- [end:results]
