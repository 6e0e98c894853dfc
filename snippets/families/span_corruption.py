"""Span corruption: what T5 is pre-trained on."""

# --8<-- [start:imports]
from itertools import pairwise

import torch
from torch import Generator
# --8<-- [end:imports]


# --8<-- [start:corrupt_spans]
def sentinel(number: int) -> str:
    """The token that stands for a hidden span, as transformers writes it."""
    return f"<extra_id_{number}>"


def cut(total: int, parts: int, generator: Generator) -> list[int]:
    """Random lengths of at least 1 that sum to total, all equally likely."""
    places = torch.randperm(total - 1, generator=generator)[: parts - 1] + 1
    ends = [0, *sorted(places.tolist()), total]
    return [end - start for start, end in pairwise(ends)]


def corrupt_spans(
    tokens: list[str],
    generator: Generator,
    rate: float = 0.15,
    mean_length: float = 3.0,
) -> tuple[list[str], list[str]]:
    """Input and target: Raffel et al. (2020), section 3.1.4 and figure 2.

    Of the tokens, the share rate is hidden, in spans of mean_length on average.
    Raises ValueError unless that leaves at least one token and hides one.
    """
    hidden = round(len(tokens) * rate)
    left = len(tokens) - hidden
    if min(hidden, left) < 1:
        raise ValueError(f"of {len(tokens)} tokens, {hidden} would be hidden")
    spans = min(max(1, round(hidden / mean_length)), left + 1)
    # what is left before, between and after the spans; 0 at both ends is fine
    first, *gaps = cut(left + 2, spans + 1, generator)
    at = first - 1
    source, target = tokens[:at], []
    for number, length in enumerate(cut(hidden, spans, generator)):
        target += [sentinel(number), *tokens[at : at + length]]
        at += length
        # the last gap is 1 too long, and ends with the text
        source = [*source, sentinel(number), *tokens[at : at + gaps[number]]]
        at += gaps[number]
    return source, [*target, sentinel(spans)]
# --8<-- [end:corrupt_spans]


# --8<-- [start:restore]
def restore(source: list[str], target: list[str]) -> list[str]:
    """The text again: each sentinel of the source replaced by its span."""
    spans: dict[str, list[str]] = {}
    for token in target:
        if token.startswith("<extra_id_"):
            span = spans.setdefault(token, [])
        else:
            span.append(token)
    return [word for token in source for word in spans.get(token, [token])]
# --8<-- [end:restore]
