"""PyTorch's modules with the weights of ours, to be compared with them.

Nothing here imports a module of the book: the tests of mutants would find the one they replace.
"""

from __future__ import annotations

import torch
from torch import nn


def randomise(module: nn.Module, but: str = "") -> nn.Module:
    """Move all parameters from where they start, norms and biases too, except the one named ``but``."""
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if name != but:
                parameter.add_(torch.randn_like(parameter) / 3)
    return module


def copy_attention(ours, theirs: nn.MultiheadAttention) -> None:
    projections = (ours.w_q, ours.w_k, ours.w_v)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([w.weight for w in projections]))
        theirs.in_proj_bias.copy_(torch.cat([w.bias for w in projections]))
    theirs.out_proj.load_state_dict(ours.w_o.state_dict())


def copy_norm(ours, theirs: nn.LayerNorm) -> None:
    theirs.load_state_dict({"weight": ours.gamma, "bias": ours.beta})


def _stack(ours, kind, kind_of_layer, norm_first: bool, dtype: torch.dtype, attentions: dict[str, str], **options):
    first = ours.layers[0]
    d_model, d_ff = first.feed_forward.w_1.in_features, first.feed_forward.w_1.out_features
    num_heads = getattr(first, next(iter(attentions))).num_heads
    layer = kind_of_layer(d_model, num_heads, d_ff, 0.0, batch_first=True, norm_first=norm_first, dtype=dtype)
    norm = nn.LayerNorm(d_model, dtype=dtype) if norm_first else None
    theirs = kind(layer, len(ours.layers), norm=norm, **options)
    for mine, other in zip(ours.layers, theirs.layers, strict=True):
        for own, name in attentions.items():
            copy_attention(getattr(mine, own), getattr(other, name))
        other.linear1.load_state_dict(mine.feed_forward.w_1.state_dict())
        other.linear2.load_state_dict(mine.feed_forward.w_2.state_dict())
        for i in range(1, len(attentions) + 2):
            copy_norm(getattr(mine, f"residual_{i}").norm, getattr(other, f"norm{i}"))
    if norm_first:
        copy_norm(ours.norm, theirs.norm)
    return theirs


def encoder(ours, norm_first: bool, dtype: torch.dtype) -> nn.TransformerEncoder:
    attentions = {"attention": "self_attn"}
    options = {"enable_nested_tensor": False}
    return _stack(ours, nn.TransformerEncoder, nn.TransformerEncoderLayer, norm_first, dtype, attentions, **options)


def decoder(ours, norm_first: bool, dtype: torch.dtype) -> nn.TransformerDecoder:
    attentions = {"self_attention": "self_attn", "cross_attention": "multihead_attn"}
    return _stack(ours, nn.TransformerDecoder, nn.TransformerDecoderLayer, norm_first, dtype, attentions)
