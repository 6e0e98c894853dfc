"""Attention with four times as many steps, and with scores divided by the root of d."""

# --8<-- [start:imports]
from collections.abc import Callable
from functools import partial

from torch import Tensor

from snippets.before.attentive_translator import AttentiveTranslator, DotScore
from snippets.before.longer_training import STEPS, all_curves
# --8<-- [end:imports]


# --8<-- [start:attention_curves]
class ScaledDotScore(DotScore):
    """Divided by the root of d, as in the Transformer."""

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        return super().forward(query, key) / query.size(-1) ** 0.5


def attention_curves() -> dict[str, Tensor]:
    """Longer, and after 500 steps with scores divided by the root of d."""
    scaled: Callable = partial(AttentiveTranslator, score=ScaledDotScore)
    models = {"2000 steps": (AttentiveTranslator, STEPS), "scaled": (scaled, 500)}
    return all_curves("longer-attention", "before/longer_attention", models)
# --8<-- [end:attention_curves]
