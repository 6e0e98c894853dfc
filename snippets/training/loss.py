"""What is learned from a sentence: each token from the tokens before it."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.model.transformer import Transformer
# --8<-- [end:imports]


# --8<-- [start:smoothed_cross_entropy]
def smoothed_cross_entropy(
    logits: Tensor, target: Tensor, epsilon: float = 0.0, ignore_index: int = -100
) -> Tensor:
    """Cross-entropy with the distribution (1 - epsilon) target + epsilon / V.

    logits: (..., V), where F.cross_entropy has V second; target: (...), ids. The
    mean over all but ignore_index.
    Section 5.4 of Vaswani et al. (2017). Raises ValueError unless 0 <= epsilon < 1,
    or if the shapes do not fit.
    """
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon is a share below 1, not {epsilon}")
    if logits.shape[:-1] != target.shape:
        shapes = f"{tuple(logits.shape)}, {tuple(target.shape)}"
        raise ValueError(f"each row of logits needs one id: {shapes}")
    counts = target != ignore_index
    log_p = torch.log_softmax(logits, dim=-1)
    index = target.masked_fill(~counts, 0).unsqueeze(-1)
    loss = -log_p.gather(-1, index).squeeze(-1)
    if epsilon > 0:  # 0 times a logit of -inf would be NaN
        loss = (1 - epsilon) * loss - epsilon * log_p.mean(dim=-1)
    return loss.masked_fill(~counts, 0.0).sum() / counts.sum()
# --8<-- [end:smoothed_cross_entropy]


# --8<-- [start:next_token_loss]
def next_token_loss(
    model: Transformer, src: Tensor, tgt: Tensor, epsilon: float = 0.0
) -> Tensor:
    """Teacher forcing: all tokens of the target at once, each from the true ones.

    src: (batch, n); tgt: (batch, m), from <s> to </s>. The inputs are all its
    tokens but the last, the labels all but the first.
    """
    logits = model(src, tgt[:, :-1])  # (batch, m - 1, vocab_size)
    return smoothed_cross_entropy(logits, tgt[:, 1:], epsilon, model.pad_id)
# --8<-- [end:next_token_loss]
