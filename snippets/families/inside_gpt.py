"""What the small GPT loses without some of its heads."""

# --8<-- [start:imports]
import contextlib
from collections.abc import Collection, Mapping
from functools import cache

from snippets.families.constitution_gpt import bits_per_character, text_of, trained
from snippets.training.inside import changed
# --8<-- [end:imports]


# --8<-- [start:lost_bits]
@cache
def validation_bits(language: str) -> float:
    """Bits per character of the small GPT on the validation lines."""
    text = text_of(language)
    return bits_per_character(trained(language), text.batches(text.validation))


def lost_bits(language: str, off: Mapping[int, Collection[int]]) -> float:
    """How many more bits a character takes without some heads.

    off: heads by layer, both counted from 0; {1: (0, 3)} are two of layer 1.
    """
    text, gpt = text_of(language), trained(language)
    with contextlib.ExitStack() as changes:
        for layer, heads in off.items():
            attention = gpt.stack.layers[layer].attention
            changes.enter_context(changed(attention, off=heads))
        b = bits_per_character(gpt, text.batches(text.validation))
    return b - validation_bits(language)


# --8<-- [end:lost_bits]
