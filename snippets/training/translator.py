"""Two small translators: their models, their training, their evaluation."""

# --8<-- [start:imports]
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch import Generator, Tensor, nn

from snippets.before import dates
from snippets.before.accuracy import exact_match
from snippets.before.vocabulary import PAD, Vocabulary, pad
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.tools.kept import kept
from snippets.training import numbers
from snippets.training.decoding import greedy
from snippets.training.loss import next_token_loss
from snippets.training.trainer import Trainer
from snippets.training.warm_up import learning_rate
# --8<-- [end:imports]


# --8<-- [start:recipe]
SMALL = TransformerConfig(
    num_layers=2, d_model=64, num_heads=4, d_ff=256, dropout=0.0, pad_id=PAD
)
STEPS = {"dates": 250, "numbers": 400}


def schedule(step: int, steps: float) -> float:
    """Warm-up over 100 steps, and down to 0 over the last 100."""
    cool_down = min(1.0, max(0.0, (steps + 1 - step) / 100))
    return 0.2 * learning_rate(step, SMALL.d_model, 100) * cool_down


def translation_loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Of a batch of sources, (batch, n), and targets, (batch, m)."""
    src, tgt = batch
    return next_token_loss(model, src, tgt)


def new_trainer(
    vocab: Vocabulary, draw_batch: Callable, steps: int, seed: int
) -> Trainer:
    """A model that has not learned anything yet, and all that will teach it."""
    torch.manual_seed(seed)
    model = Transformer(replace(SMALL, vocab_size=len(vocab)))
    learning_rate = partial(schedule, steps=steps)
    return Trainer(model, translation_loss, draw_batch, learning_rate, seed)
# --8<-- [end:recipe]


# --8<-- [start:date_trainer]
DATE_VOCAB = dates.vocabulary()


def draw_dates(generator: Generator) -> tuple[Tensor, Tensor]:
    """A batch of 64 dates, none of them held out."""
    return dates.batch(dates.draw(64, generator), DATE_VOCAB)


def date_trainer(seed: int) -> Trainer:
    """The date translator, before its first step."""
    return new_trainer(DATE_VOCAB, draw_dates, STEPS["dates"], seed)
# --8<-- [end:date_trainer]


# --8<-- [start:number_trainer]
NUMBER_VOCAB = numbers.vocabulary()
DIGITS = 5  # longer numbers are never trained on


def draw_numbers(generator: Generator) -> tuple[Tensor, Tensor]:
    """A batch of 64 numbers, none of them held out."""
    drawn = numbers.draw(64, DIGITS, generator)
    return numbers.batch(drawn, NUMBER_VOCAB)


def number_trainer(seed: int) -> Trainer:
    """The same model and the same training, for numbers of up to five digits."""
    return new_trainer(NUMBER_VOCAB, draw_numbers, STEPS["numbers"], seed)
# --8<-- [end:number_trainer]


# --8<-- [start:exact_match]
def translate(
    model: Transformer,
    vocab: Vocabulary,
    sentences: list[list[str]],
    max_new_tokens: int = 30,
) -> list[list[str]]:
    """What the model generates for each sentence, as tokens."""
    src = pad([vocab.encode(sentence) for sentence in sentences])
    src = src.to(model.embedding.table.device)
    generated = greedy(model, src, max_new_tokens)
    return [vocab.decode(ids) for ids in generated.tolist()]


def date_exact_match(model: Transformer, test_set=dates.HELD_OUT) -> float:
    """Of dates that were held out of training, or of some of them."""
    sentences = [dates.english(date) for date in test_set]
    right = [dates.korean(date) for date in test_set]
    most = max(map(len, right)) + 1  # a longer one is not right
    return exact_match(translate(model, DATE_VOCAB, sentences, most), right)
# --8<-- [end:exact_match]


# --8<-- [start:trained]
def trained(task: str, seed: int = 0) -> Trainer:
    """A finished training, from a file if the same code has done it before."""
    trainer = {"dates": date_trainer, "numbers": number_trainer}[task](seed)

    def train() -> tuple[dict[str, Tensor], dict]:
        trainer.run(STEPS[task])
        return trainer.model.state_dict(), {"losses": trainer.losses}

    state, data = kept(f"{task}-{seed}", "training/translator", train)
    trainer.model.load_state_dict(state)
    trainer.losses = data["losses"]
    trainer.model.eval()
    return trainer
# --8<-- [end:trained]
