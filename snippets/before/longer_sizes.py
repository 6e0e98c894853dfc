"""The bottleneck with four times as many steps, and with other sizes of the state."""

# --8<-- [start:size_curves]
from functools import partial

from torch import Tensor

from snippets.before.encoder_decoder import RecurrentTranslator
from snippets.before.longer_training import STEPS, all_curves


def sized(d: int, vocab_size: int, _) -> RecurrentTranslator:
    return RecurrentTranslator(vocab_size, d)


def size_curves() -> dict[str, Tensor]:
    """After 2000 steps, by "d = 32" and "d = 128": (seeds, lengths)."""
    models = {f"d = {d}": (partial(sized, d), STEPS) for d in (32, 128)}
    return all_curves("longer-sizes", "before/longer_sizes", models)
# --8<-- [end:size_curves]
