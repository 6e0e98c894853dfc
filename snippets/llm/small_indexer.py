"""Small indexers that imitate two heads of attention: what share of the weight they find."""

# --8<-- [start:imports]
import torch
import torch.nn.functional as F
from torch import Tensor

from snippets.attention.masks import causal_mask
from snippets.llm.indexer import Indexer
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:task]
N, D_MODEL, KEEP = 32, 8, 4
MASK = causal_mask(N)


def attention_weights(x: Tensor, w_q: Tensor, w_k: Tensor) -> Tensor:
    """The mean of two heads that look for content. w_q, w_k: (heads, 8, 4)."""
    q, k = x.unsqueeze(1) @ w_q, x.unsqueeze(1) @ w_k
    scores = 3 / 8 * q @ k.mT  # so sharp that four keys hold most of the weight
    return scores.masked_fill(~MASK, -torch.inf).softmax(dim=-1).mean(dim=1)


def share(weights: Tensor, chosen: Tensor) -> float:
    """Percent of the weight on chosen keys, of queries that have to choose."""
    return 100 * (weights * chosen)[:, KEEP:].sum(dim=-1).mean().item()
# --8<-- [end:task]


# --8<-- [start:imitation_loss]
def imitation_loss(indexer: Indexer, x: Tensor, weights: Tensor) -> Tensor:
    """KL divergence of the choice from the weights of attention, (batch, n, n)."""
    scores = indexer.scores(x, x).masked_fill(~MASK, -1e9).log_softmax(dim=-1)
    kl = F.kl_div(scores, weights, reduction="sum")
    return kl / weights[..., 0].numel()
# --8<-- [end:imitation_loss]


# --8<-- [start:run]
SEEDS, SIZES = (0, 1, 2, 3, 4), ((1, 4), (4, 4), (8, 8))
STEPS, RATE, RATES = 150, 0.02, (0.005, 0.02, 0.1)


@cached("small_indexer")
def run(
    num_heads: int, d_k: int, seed: int, steps: int = STEPS, rate: float = RATE
) -> dict:
    """Train one indexer, and say how much its keys hold, beside other choices."""
    torch.manual_seed(seed)
    w_q, w_k = torch.randn(2, 2, D_MODEL, 4)  # they stay as they are
    test, losses = torch.randn(32, N, D_MODEL), []
    weights = attention_weights(test, w_q, w_k)
    indexer = Indexer(D_MODEL, D_MODEL, num_heads, d_k, d_rope=2, keep=KEEP)
    optimizer = torch.optim.Adam(indexer.parameters(), lr=rate)
    untrained = indexer(test, test, MASK)
    for _ in range(steps):
        x = torch.randn(4, N, D_MODEL)
        loss = imitation_loss(indexer, x, attention_weights(x, w_q, w_k))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    chosen = {
        "latest": MASK.triu(1 - KEEP),
        "untrained": untrained,
        "trained": indexer(test, test, MASK),
        "best": weights >= weights.topk(KEEP).values[..., -1:],
    }
    held = {name: share(weights, keys) for name, keys in chosen.items()}
    return {"first losses": losses[:10], **held}
# --8<-- [end:run]


# --8<-- [start:results]
def results() -> dict[str, list[dict]]:
    """By heads and dimensions, a run for each seed. They come with the book."""
    found = {}
    for heads, d_k in SIZES:
        for name, steps in [("", STEPS), (" longer", 4 * STEPS)]:
            runs = run.each((heads, d_k, seed, steps) for seed in SEEDS)
            found[f"{heads} x {d_k}{name}"] = runs
        for rate in RATES:
            runs = run.each((heads, d_k, seed, STEPS, rate) for seed in SEEDS)
            found[f"{heads} x {d_k} at {rate:g}"] = runs
    return found
# --8<-- [end:results]
