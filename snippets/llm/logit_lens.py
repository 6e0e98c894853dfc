"""Reading a language model between its layers, and hiding a token from one of them."""

# --8<-- [start:imports]
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from snippets.families.llama import Llama
from snippets.tools.tracing import outputs
# --8<-- [end:imports]


# --8<-- [start:lens]
def streams(model: Llama, ids: Tensor) -> Tensor:
    """The residual stream after 0, 1, ..., L layers.

    ids: (batch, n); returns (L + 1, batch, n, d_model).
    """
    found = dict(outputs(model, ids))  # by the name of the module
    names = ["tokens", *(f"layers.{i}" for i in range(len(model.layers)))]
    return torch.stack([found[name][0] for name in names])


def lens(model: Llama, x: Tensor) -> Tensor:
    """Logits as if x came out of the last layer.

    x: (..., d_model); returns (..., vocab_size).
    """
    return model.head(model.norm(x))
# --8<-- [end:lens]


# --8<-- [start:ranks]
def ranks(logits: Tensor, token: Tensor) -> Tensor:
    """The rank of a token, 1 for the largest logit.

    logits: (..., vocab_size), token: ids, broadcast to (...); returns (...).
    """
    own = logits.gather(-1, token.expand(logits.shape[:-1])[..., None])
    return 1 + (logits > own).sum(dim=-1)
# --8<-- [end:ranks]


# --8<-- [start:translator]
def translator(x: Tensor, last: Tensor, penalty: float = 0.1) -> Callable:
    """The affine map of vectors x to those of the last layer, by least squares.

    x, last: (N, d_model). Ridge regression, on standardized components.
    """
    mean, spread, target = x.mean(dim=0), x.std(dim=0) + 1e-6, last.mean(dim=0)
    z = (x - mean) / spread
    squares = z.T @ z / len(z) + penalty * torch.eye(x.size(1))
    weight = torch.linalg.solve(squares, z.T @ (last - target) / len(z))
    return lambda x: (x - mean) / spread @ weight + target
# --8<-- [end:translator]


# --8<-- [start:hidden]
@contextmanager
def hidden(model: Llama, layer: int, key: int) -> Iterator[None]:
    """Meanwhile, in one layer, the last token cannot attend to the token at key."""

    def hide(attention, inputs: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        x, attn_mask = inputs
        attn_mask = attn_mask.clone()
        attn_mask[..., -1, key] = False
        return x, attn_mask

    hook = model.layers[layer].attention.register_forward_pre_hook(hide)
    try:
        yield
    finally:
        hook.remove()
# --8<-- [end:hidden]
