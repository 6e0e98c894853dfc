"""What is learned from a sentence: each word from the words before it."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.training.vocabulary import PAD
# --8<-- [end:imports]


# --8<-- [start:smoothed_cross_entropy]
def smoothed_cross_entropy(
    logits: Tensor, expected: Tensor, epsilon: float = 0.0
) -> Tensor:
    """Cross-entropy with the distribution (1 - epsilon) expected + epsilon / V.

    logits: (..., V); expected: (...), ids. The mean over all that is no padding.
    Section 5.4 of Vaswani et al. (2017). Raises ValueError unless 0 <= epsilon < 1,
    or if the shapes do not fit.
    """
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon is a share below 1, not {epsilon}")
    if logits.shape[:-1] != expected.shape:
        shapes = f"{tuple(logits.shape)}, {tuple(expected.shape)}"
        raise ValueError(f"each row of logits needs one id: {shapes}")
    log_p = torch.log_softmax(logits, dim=-1)
    of_expected = log_p.gather(-1, expected.unsqueeze(-1)).squeeze(-1)
    loss = -(1 - epsilon) * of_expected - epsilon * log_p.mean(dim=-1)
    return loss[expected != PAD].mean()
# --8<-- [end:smoothed_cross_entropy]


# --8<-- [start:next_word_loss]
def next_word_loss(
    model: nn.Module, src: Tensor, tgt: Tensor, epsilon: float = 0.0
) -> Tensor:
    """Teacher forcing: all words of the target at once, each from the true ones.

    src: (batch, n); tgt: (batch, m), from <s> to </s>. What goes in is all but
    the last word, what has to come out is all but the first.
    """
    logits = model(src, tgt[:, :-1])  # (batch, m - 1, vocab_size)
    return smoothed_cross_entropy(logits, tgt[:, 1:], epsilon)
# --8<-- [end:next_word_loss]
