"""Batches of sentences of about the same length, so that little is padding."""

# --8<-- [start:batches_by_length]
def batches_by_length(lengths: list[int], most: int) -> list[list[int]]:
    """Indices in batches, shorter sentences first, each of at most `most` tokens.

    A batch has as many tokens as its longest sentence times its sentences.
    As section 5.1 of Vaswani et al. (2017). Raises ValueError if a sentence alone
    is too long.
    """
    if max(lengths) > most:
        raise ValueError(f"no room for {max(lengths)} tokens in a batch of {most}")
    batches: list[list[int]] = [[]]
    for i in sorted(range(len(lengths)), key=lengths.__getitem__):
        if (len(batches[-1]) + 1) * lengths[i] > most:
            batches.append([])
        batches[-1].append(i)
    return batches
# --8<-- [end:batches_by_length]


# --8<-- [start:padding_share]
def padding_share(lengths: list[int], batches: list[list[int]]) -> float:
    """How much of all tokens in these batches is padding."""
    tokens = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return 1 - sum(lengths) / tokens
# --8<-- [end:padding_share]
