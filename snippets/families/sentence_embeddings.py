"""One vector for a sentence: the mean of what an encoder returns for its tokens."""

# --8<-- [start:imports]
import torch
from torch import Tensor
from torch.nn.functional import normalize

from snippets.families.bert import Bert
# --8<-- [end:imports]


# --8<-- [start:mean_pool]
def mean_pool(hidden: Tensor, is_token: Tensor) -> Tensor:
    """The mean over the tokens of each sentence, padding left out.

    hidden: (batch, n, d_model); is_token: (batch, n), bool. Returns
    (batch, d_model), zeros for a sentence without a token.
    """
    counts = is_token.unsqueeze(-1).to(hidden.dtype)  # (batch, n, 1)
    return (hidden * counts).sum(dim=1) / counts.sum(dim=1).clamp(min=1)
# --8<-- [end:mean_pool]


# --8<-- [start:embed]
@torch.no_grad()
def embed(
    model: Bert, ids: Tensor, segment_ids: Tensor | None = None
) -> Tensor:
    """Sentence embeddings of norm 1: ids (batch, n) -> (batch, d_model)."""
    hidden = model(ids, segment_ids)
    return normalize(mean_pool(hidden, ids != model.pad_id), dim=-1)
# --8<-- [end:embed]
