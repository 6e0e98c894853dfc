"""What a small GPT generates while it is trained on a constitution."""

# --8<-- [start:imports]
from dataclasses import replace

import torch
from torch import Generator, Tensor

from snippets.before.vocabulary import BOS
from snippets.families.constitution_gpt import (
    CONTEXT,
    DROPOUTS,
    STEPS,
    bits_per_character,
    initialise,
    learning_rate,
    text_of,
)
from snippets.families.gpt import GPT, causal_lm_loss
from snippets.families.gpt_cache import CachedGPT
from snippets.families.sampling import sample
from snippets.tools.cached import cached, progress
from snippets.training.decoding import inference
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:settings]
PROMPTS = {"ko": "모든 국민은 ", "en": "The "}
LOOKS = (0, 100, 500, STEPS)  # steps after which it is asked
LENGTH = 56  # characters at most
# --8<-- [end:settings]


# --8<-- [start:continued]
def continued(model: GPT, language: str) -> str:
    """The prompt and what is drawn after it, by the model's own probabilities."""
    vocab, prompt = text_of(language).vocab, PROMPTS[language]
    ids = torch.tensor([[BOS] + [vocab.ids[character] for character in prompt]])
    with inference(model):
        generator = Generator().manual_seed(0)
        new = sample(
            CachedGPT(model).next_logits, ids, LENGTH, lambda z: z, generator
        )
    return prompt + "".join(vocab.decode(new[0].tolist()))
# --8<-- [end:continued]


# --8<-- [start:results]
@cached("gpt_samples")
def results(language: str) -> dict:
    """A text for each of LOOKS, and bits per character on training and validation.

    The training is that of constitution_gpt with dropout and its first seed.
    """
    torch.manual_seed(0)
    own = text_of(language)
    model = GPT(replace(own.config, dropout=DROPOUTS[-1]))
    initialise(model)
    stream = own.packed(own.train)
    window = torch.arange(CONTEXT + 1)

    def draw_batch(generator: Generator) -> Tensor:
        starts = torch.randint(len(stream) - CONTEXT, (8, 1), generator=generator)
        return stream[starts + window]

    trainer = Trainer(model, causal_lm_loss, draw_batch, learning_rate)
    known, new = own.batches(own.train[::8]), own.batches(own.validation)
    found: dict[str, list] = {"training": [], "validation": [], "texts": []}

    def look() -> None:
        found["training"].append(bits_per_character(model, known))
        found["validation"].append(bits_per_character(model, new))
        found["texts"].append(continued(model, language))

    look()
    for step in progress(STEPS, f"samples in {language}"):
        trainer.step()
        if step + 1 in LOOKS:
            look()
    return found
# --8<-- [end:results]
