"""What is hidden and what is predicted: the training pairs of four tasks, and masks."""

# --8<-- [start:imports]
import torch
from torch import Generator, Tensor
# --8<-- [end:imports]


# --8<-- [start:next_token_pairs]
def next_token_pairs(tokens: list) -> list[tuple[list, object]]:
    """All tokens before a token, and the token: forward language model."""
    return [(tokens[:i], tokens[i]) for i in range(len(tokens))]


def previous_token_pairs(tokens: list) -> list[tuple[list, object]]:
    """All tokens after a token, and the token: backward language model."""
    return [(tokens[i + 1 :], tokens[i]) for i in reversed(range(len(tokens)))]
# --8<-- [end:next_token_pairs]


# --8<-- [start:masked_pairs]
def masked_pairs(tokens: list, hidden: set[int]) -> list[tuple[list, object]]:
    """A sentence with [MASK] for some tokens, and one of these: masked model."""
    seen = ["[MASK]" if i in hidden else token for i, token in enumerate(tokens)]
    return [(seen, tokens[i]) for i in sorted(hidden)]
# --8<-- [end:masked_pairs]


# --8<-- [start:skip_gram_pairs]
def skip_gram_pairs(tokens: list, window: int) -> list[tuple[list, object]]:
    """One token, and one that is at most window positions away: skip-gram."""
    return [
        ([center], tokens[j])
        for i, center in enumerate(tokens)
        for j in range(max(0, i - window), min(len(tokens), i + window + 1))
        if j != i
    ]
# --8<-- [end:skip_gram_pairs]


# --8<-- [start:bert_masking]
IGNORED = -100  # what F.cross_entropy leaves out of the loss


def bert_masking(
    ids: Tensor,
    mask_id: int,
    vocab_size: int,
    generator: Generator | None = None,
    pad_id: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Inputs and targets of a masked language model, as in BERT (section 3.1).

    15 % of the positions are to be predicted. Of these, 80 % are hidden, 10 % get
    a random token, other than pad_id, and 10 % stay as they are. ids: any shape,
    which both results have; the targets are IGNORED at all other positions.
    """

    def chance(p: float) -> Tensor:
        share = torch.full(ids.shape, p, device=ids.device)
        return torch.bernoulli(share, generator=generator).bool()

    chosen = chance(0.15)
    hidden = chosen & chance(0.8)
    replaced = chosen & ~hidden & chance(0.5)
    other = torch.randint(
        vocab_size, ids.shape, generator=generator, device=ids.device
    )
    if pad_id is not None:  # a model would take it for padding, and hide it
        replaced &= other != pad_id
    inputs = torch.where(replaced, other, ids.masked_fill(hidden, mask_id))
    return inputs, ids.masked_fill(~chosen, IGNORED)
# --8<-- [end:bert_masking]
