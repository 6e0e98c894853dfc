"""Where the attention of a Bert looks, and how much its tokens matter."""

# --8<-- [start:imports]
import math

import torch
from torch import Tensor

from torch.nn.functional import normalize

from snippets.attention.masks import padding_mask
from snippets.attention.multi_head import split_heads
from snippets.families.bert import Bert
from snippets.families.sentence_embeddings import embed, mean_pool
from snippets.tools.tracing import outputs
# --8<-- [end:imports]


# --8<-- [start:attention_maps]
def attention_maps(
    model: Bert, ids: Tensor, segment_ids: Tensor | None = None
) -> Tensor:
    """All weights: ids (batch, n) -> (layers, batch, heads, query, key)."""
    returned = dict(outputs(model, ids, segment_ids))
    layers = range(len(model.encoder.layers))
    maps = [returned[f"encoder.layers.{i}.attention"][1] for i in layers]
    return torch.stack(maps)  # an attention returns its output and its weights
# --8<-- [end:attention_maps]


# --8<-- [start:projected]
def projected(model: Bert, ids: Tensor, name: str) -> Tensor:
    """Queries ("w_q"), keys ("w_k") or values ("w_v") of every head.

    ids: (batch, n). Returns (layers, batch, heads, n, d_k).
    """
    returned = dict(outputs(model, ids))
    found = []
    for i, layer in enumerate(model.encoder.layers):
        (x,) = returned[f"encoder.layers.{i}.attention.{name}"]
        found.append(split_heads(x, layer.attention.num_heads))
    return torch.stack(found)
# --8<-- [end:projected]


# --8<-- [start:head_measures]
def head_measures(maps: Tensor) -> dict[str, Tensor]:
    """Where each head looks, on average over the words of one sentence.

    maps: (..., n, n), the first token [CLS], the last [SEP]. Returns shares
    of attention, (...), and the entropy as a share of the largest, ln n.
    """
    from_words = maps[..., 1:-1, :]
    words = from_words[..., 1:-1]  # and to words
    entropy = torch.special.entr(from_words).sum(dim=-1)  # -w ln w
    return {
        "[CLS]": from_words[..., 0].mean(dim=-1),
        "[SEP]": from_words[..., -1].mean(dim=-1),
        "itself": words.diagonal(0, -2, -1).mean(dim=-1),
        "previous": words.diagonal(-1, -2, -1).mean(dim=-1),
        "next": words.diagonal(1, -2, -1).mean(dim=-1),
        "entropy": entropy.mean(dim=-1) / math.log(maps.size(-1)),
    }
# --8<-- [end:head_measures]


# --8<-- [start:rollout]
def rollout(maps: Tensor) -> Tensor:
    """Abnar and Zuidema (2020): (layers, heads, n, n) -> (n, n).

    Each layer as the mean of its heads, half of it the residual connection;
    then all layers in a row.
    """
    identity = torch.eye(maps.size(-1), dtype=maps.dtype, device=maps.device)
    total = identity
    for weights in maps.mean(dim=1):
        total = (weights + identity) / 2 @ total
    return total
# --8<-- [end:rollout]


# --8<-- [start:weighted_norms]
def weighted_norms(model: Bert, ids: Tensor) -> Tensor:
    """Kobayashi et al. (2020): the norm of what each key adds to each query.

    ids: (batch, n). Returns (layers, batch, n, n), all heads together.
    """
    maps, values = attention_maps(model, ids), projected(model, ids, "w_v")
    norms = []
    for i, layer in enumerate(model.encoder.layers):
        w_o = layer.attention.w_o.weight  # (d_model, d_model), W_O transposed
        per_head = w_o.unflatten(1, (values.size(2), -1))  # (m, heads, d_k)
        added = torch.einsum("bhkd,mhd->bhkm", values[i], per_head)
        mixed = torch.einsum("bhqk,bhkm->bqkm", maps[i], added)
        norms.append(mixed.norm(dim=-1))
    return torch.stack(norms).detach()
# --8<-- [end:weighted_norms]


# --8<-- [start:effects]
def effects(model: Bert, ids: Tensor, replacement: int) -> Tensor:
    """How far the sentence embedding moves when one token is replaced.

    ids: (n,). Returns 1 - cosine for each token, (n,). Replaced by padding,
    it is hidden: no query attends to it, and the mean leaves it out.
    """
    changed = ids.repeat(len(ids), 1)  # a row for each token
    changed.fill_diagonal_(replacement)
    whole = embed(model, ids.unsqueeze(0))  # (1, d_model)
    return 1 - (embed(model, changed) @ whole.T).squeeze(1)
# --8<-- [end:effects]


# --8<-- [start:without_first]
@torch.no_grad()
def without_first(
    model: Bert, ids: Tensor, attended: bool = False, averaged: bool = False
) -> Tensor:
    """How far the embedding moves if the first token is there but not used.

    No query attends to it, unless attended; the mean leaves it out, unless
    averaged. ids: (batch, n). Returns 1 - cosine, (batch,).
    """
    is_token = ids != model.pad_id  # (batch, n)
    mask = padding_mask(ids, model.pad_id).clone()  # (batch, 1, n)
    mask[..., 0], is_token[:, 0] = attended, averaged
    hidden = model.encoder(model.embed(ids), mask)
    now = normalize(mean_pool(hidden, is_token), dim=-1)
    return 1 - (now * embed(model, ids)).sum(dim=-1)
# --8<-- [end:without_first]


# --8<-- [start:rank_correlation]
def rank_correlation(a: Tensor, b: Tensor) -> float:
    """Spearman's: 1 where both have the same order, -1 where the opposite.

    a, b: (n,). Equal numbers share the mean of their ranks.
    """
    ranks = []
    for x in (a, b):
        _, place, counts = x.unique(return_inverse=True, return_counts=True)
        ranks.append((counts.cumsum(dim=0) - counts / 2)[place])
    return torch.corrcoef(torch.stack(ranks))[0, 1].item()
# --8<-- [end:rank_correlation]
