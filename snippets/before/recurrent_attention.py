"""The recurrent translator with attention: its training, its curves, its alignments."""

# --8<-- [start:imports]
import datetime
from functools import partial

from torch import Tensor

from snippets.before import dates
from snippets.before.attentive_translator import (
    AdditiveScore,
    AttentiveTranslator,
    DotScore,
    GeneralScore,
    alignment,
)
from snippets.before.recurrent_translator import (
    DATE_VOCAB,
    DIGIT_VOCAB,
    all_runs,
    curves,
    trained_on_dates,
)
# --8<-- [end:imports]


# --8<-- [start:date_alignment]
def attentive_on_dates() -> AttentiveTranslator:
    """The finished model, with the dot product as score."""
    return trained_on_dates(
        AttentiveTranslator,
        name="attention-dates",
        module="before/recurrent_attention",
    )


def date_alignment(date: datetime.date) -> tuple[list[str], list[str], Tensor]:
    """Tokens of source and target, n and m of them, and the weights, (m, n)."""
    src, tgt = dates.batch([date], DATE_VOCAB)
    weights = alignment(attentive_on_dates(), src, tgt[:, :-1])[0]
    source, target = dates.english(date), dates.korean(date)
    return [*source, "</s>"], [*target, "</s>"], weights
# --8<-- [end:date_alignment]


# --8<-- [start:length_curves]
SCORES = {"dot": DotScore, "general": GeneralScore, "additive": AdditiveScore}


def digit_runs() -> tuple[dict[str, Tensor], dict[str, list[dict]]]:
    """Of the translator with each of the three scores, d = 64."""
    models = {
        name: (partial(AttentiveTranslator, score=score), 64)
        for name, score in SCORES.items()
    }
    return all_runs(models, "attention-lengths", "before/recurrent_attention")


def length_curves(measure: str = "exact match") -> dict[str, Tensor]:
    """By "dot", "general" and "additive": (seeds, lengths)."""
    return curves(digit_runs()[1], measure)


def attentive_on_digits() -> AttentiveTranslator:
    """The finished model with the dot product and the first seed."""
    model = AttentiveTranslator(len(DIGIT_VOCAB), 64)
    model.load_state_dict(digit_runs()[0])
    return model
# --8<-- [end:length_curves]
