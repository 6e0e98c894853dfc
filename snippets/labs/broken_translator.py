"""The translator of dates with one part taken away: what was that part for?"""

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
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.training.trainer import Trainer
from snippets.training.translator import (
    DATE_VOCAB,
    SMALL,
    STEPS,
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
                module.w_q.register_forward_hook(lambda w_q, x, q: self.factor * q)
                d_k = head_size(module.w_q.out_features, module.num_heads)
                self.factor = math.sqrt(d_k)
# --8<-- [end:WithoutScaling]


# --8<-- [start:VARIANTS]
CONFIG = replace(SMALL, vocab_size=len(DATE_VOCAB))


def whole_schedule(step: int) -> float:
    """The learning rate of the translator itself."""
    return schedule(step, STEPS["dates"])


def without_warm_up(step: int) -> float:
    """The peak from the first step on, and from there the same."""
    return whole_schedule(max(step, 100))


VARIANTS: dict[str, tuple[type[Transformer], Callable[[int], float]]] = {
    "no positions": (WithoutPositions, whole_schedule),
    "no mask": (WithoutMask, whole_schedule),
    "no scaling": (WithoutScaling, whole_schedule),
    "no warm-up": (Transformer, without_warm_up),
}
# --8<-- [end:VARIANTS]


# --8<-- [start:run]
def run(name: str, seed: int = 0) -> dict:
    """Train one variant: what it has learned, how, and in how many seconds."""
    model_class, its_schedule = VARIANTS[name]
    torch.manual_seed(seed)
    model = model_class(CONFIG)
    trainer = Trainer(
        model, translation_loss, draw_dates, its_schedule, seed=seed
    )
    start = time.perf_counter()
    for _ in range(STEPS["dates"]):
        trainer.step()
    seconds = time.perf_counter() - start
    return {
        "state": model.state_dict(),
        "losses": trainer.losses,
        "exact match": date_exact_match(model),
        "seconds": seconds,
    }


def trained_variant(name: str) -> tuple[Transformer, dict]:
    """The finished model, and what run says; all variants are trained together."""

    def train() -> tuple[dict[str, Tensor], dict]:
        done = in_parallel(run, [(variant,) for variant in VARIANTS])
        runs = dict(zip(VARIANTS, done, strict=True))
        states = {v: said.pop("state") for v, said in runs.items()}
        return {f"{v}/{key}": x for v in runs for key, x in states[v].items()}, runs

    tensors, runs = kept("broken_translator", "labs/broken_translator", train)
    own = {key: x for key, x in tensors.items() if key.startswith(f"{name}/")}
    model = VARIANTS[name][0](CONFIG)
    model.load_state_dict({key.partition("/")[2]: x for key, x in own.items()})
    return model.eval(), runs[name]
# --8<-- [end:run]
