"""The date translator with one part taken away: what was that part for?"""

# --8<-- [start:imports]
import math
import time
from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from snippets.attention.masks import padding_mask
from snippets.attention.multi_head import MultiHeadAttention, head_size
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training.trainer import Trainer
from snippets.training.translator import (
    DATE_VOCAB,
    SMALL,
    date_exact_match,
    draw_dates,
    schedule,
    translation_loss,
)
# --8<-- [end:imports]


# --8<-- [start:WithoutPositions]
class WithoutPositions(Transformer):
    """The embeddings alone: no token knows its position."""

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        return self.dropout(self.embedding(ids))
# --8<-- [end:WithoutPositions]


# --8<-- [start:WithoutMask]
class WithoutMask(Transformer):
    """Each token of the target sees all the others, also those after it."""

    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor) -> Tensor:
        tgt_mask = padding_mask(tgt, self.pad_id)  # and no causal mask
        memory_mask = padding_mask(src, self.pad_id)
        x = self.decoder(self.embed(tgt), memory, tgt_mask, memory_mask)
        return self.embedding.logits(x)
# --8<-- [end:WithoutMask]


# --8<-- [start:WithoutScaling]
class WithoutScaling(Transformer):
    """Queries times sqrt(d_k), which undoes the division of the scores."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        for module in self.modules():
            if isinstance(module, MultiHeadAttention):
                # a hook gets module, input and output, and may replace the output
                module.w_q.register_forward_hook(lambda w_q, x, q: self.factor * q)
                d_k = head_size(module.w_q.out_features, module.num_heads)
                self.factor: float = math.sqrt(d_k)
# --8<-- [end:WithoutScaling]


# --8<-- [start:settings]
STEPS, SEEDS = 250, range(3)
NUM_HEADS = 4
CONFIG = replace(SMALL, vocab_size=len(DATE_VOCAB))


def whole_schedule(step: int, steps: int = STEPS) -> float:
    """The learning rate of the translator itself."""
    return schedule(step, steps)


def without_warm_up(step: int) -> float:
    """The peak from the first step on, and from there the same."""
    return whole_schedule(max(step, 100))
# --8<-- [end:settings]


# --8<-- [start:train]
@cached("broken_translator")
def train(
    model_class: type[Transformer],
    learning_rate: Callable[[int], float],
    num_heads: int,
    seed: int,
    steps: int = STEPS,
    keep_weights: bool = False,
) -> dict:
    """Train once: the losses by step, and how many dates are right after that."""
    torch.manual_seed(seed)
    model = model_class(replace(CONFIG, num_heads=num_heads))
    trainer = Trainer(
        model, translation_loss, draw_dates, learning_rate, seed=seed
    )
    start = time.process_time()
    for _ in progress(steps, f"{model_class.__name__}, {seed=}"):
        trainer.step()
    return {
        "seconds": time.process_time() - start,
        "losses": trainer.losses,
        "exact match": date_exact_match(model),
        "weights": model.state_dict() if keep_weights else {},
    }
# --8<-- [end:train]


# --8<-- [start:VARIANTS]
VARIANTS = {
    "베이스라인": (Transformer, whole_schedule, NUM_HEADS),
    "위치 없음": (WithoutPositions, whole_schedule, NUM_HEADS),
    "마스크 없음": (WithoutMask, whole_schedule, NUM_HEADS),
    "스케일링 없음": (WithoutScaling, whole_schedule, NUM_HEADS),
    "워밍업 없음": (Transformer, without_warm_up, NUM_HEADS),
    "헤드 1개": (Transformer, whole_schedule, 1),
    "헤드 1개, 스케일링 없음": (WithoutScaling, whole_schedule, 1),
}
EXAMINED = list(VARIANTS)[:3]  # their weights are kept
# --8<-- [end:VARIANTS]


# --8<-- [start:results]
def results() -> dict[str, list[dict]]:
    """Each variant with each seed, and of the first seed some weights."""
    return {
        name: train.each(
            (*variant, seed, STEPS, name in EXAMINED and seed == SEEDS[0])
            for seed in SEEDS
        )
        for name, variant in VARIANTS.items()
    }


def trained_model(name: str, run: dict) -> Transformer:
    """The model of a run whose weights were kept."""
    model_class, _, num_heads = VARIANTS[name]
    model = model_class(replace(CONFIG, num_heads=num_heads))
    model.load_state_dict(run["weights"])
    return model.eval()
# --8<-- [end:results]


# --8<-- [start:longer]
LONGER = 1000


def longer_schedule(step: int) -> float:
    """The same, for four times as many steps."""
    return schedule(step, LONGER)


def longer() -> dict:
    """Without positions, but with more time to learn."""
    return train(
        WithoutPositions, longer_schedule, NUM_HEADS, seed=0, steps=LONGER
    )
# --8<-- [end:longer]
