"""Three families of models: what each position may see, and what they learn from a text."""

# --8<-- [start:imports]
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from snippets.attention.masks import causal_mask
# --8<-- [end:imports]


# --8<-- [start:masks]
def full_mask(n: int, device: torch.device | None = None) -> Tensor:
    """Encoder-only: every position may attend to every position, (n, n)."""
    return torch.ones(n, n, dtype=torch.bool, device=device)


def prefix_mask(
    n: int, prefix: int, device: torch.device | None = None
) -> Tensor:
    """Every position sees the prefix, and what comes before it: (n, n).

    With a source as the prefix, that is what an encoder-decoder may see; a
    prefix LM does it in a single stack. Raffel et al. (2020), section 3.2.1.
    """
    in_prefix = torch.arange(n, device=device) < prefix
    return causal_mask(n, device) | in_prefix
# --8<-- [end:masks]


# --8<-- [start:dependence]
@torch.no_grad()
def dependence(
    model: Callable[[Tensor], Tensor], ids: Tensor, other: int
) -> Tensor:
    """Whether output i changes with token j: bool, (outputs, tokens).

    ids: (1, n); other: an id that is put in place of each token in turn.
    """
    before = model(ids)[0]  # (outputs, d)
    columns = []
    for j in range(ids.size(1)):
        changed = ids.clone()
        changed[0, j] = other
        columns.append((model(changed)[0] != before).any(dim=-1))
    return torch.stack(columns, dim=1)
# --8<-- [end:dependence]


# --8<-- [start:span_corruption]
def span_corruption(
    tokens: Sequence[str], spans: Sequence[tuple[int, int]]
) -> tuple[list[str], list[str]]:
    """Source and target of T5: Raffel et al. (2020), figure 2.

    spans: start and end of each stretch that is taken out, from left to right.
    In its place is a sentinel; in the target, it follows its sentinel.
    """
    source: list[str] = []
    target: list[str] = []
    done = 0
    for k, (start, end) in enumerate(spans):
        sentinel = f"<extra_id_{k}>"
        source += [*tokens[done:start], sentinel]
        target += [sentinel, *tokens[start:end]]
        done = end
    return source + [*tokens[done:]], [*target, f"<extra_id_{len(spans)}>"]
# --8<-- [end:span_corruption]
