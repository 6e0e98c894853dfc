"""A mixture of experts: many feed-forward networks, of which a token uses a few."""

# --8<-- [start:imports]
from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from snippets.families.todays_block import SwiGLU
# --8<-- [end:imports]


# --8<-- [start:Router]
class Router(nn.Module):
    """Which experts a token uses, and how much: Jiang et al. (2024), 2.1.

    normalize: whether the weights of the chosen experts add up to 1. Raises
    ValueError unless there are top_k experts to choose from.
    """

    def __init__(
        self, d_model: int, num_experts: int, top_k: int, normalize: bool = True
    ) -> None:
        super().__init__()
        if not 1 <= top_k <= num_experts:
            raise ValueError(f"cannot choose {top_k} of {num_experts} experts")
        self.top_k, self.normalize = top_k, normalize
        self.scores = nn.Linear(d_model, num_experts, bias=False)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(tokens, d_model) -> probabilities of all experts, and the best ones.

        Returns (tokens, num_experts), and of those chosen, the number of each
        and the weight of each: both (tokens, top_k), the largest first.
        """
        probs = self.scores(x).softmax(dim=-1)
        weights, chosen = probs.topk(self.top_k, dim=-1)
        if self.normalize:
            weights = weights / weights.sum(dim=-1, keepdim=True)
        return probs, chosen, weights
# --8<-- [end:Router]


# --8<-- [start:MixtureOfExperts]
class MixtureOfExperts(nn.Module):
    """Some of num_experts feed-forward networks for each token."""

    def __init__(
        self, d_model: int, d_ff: int, num_experts: int, top_k: int, **options: bool
    ) -> None:
        super().__init__()
        self.router = Router(d_model, num_experts, top_k, **options)
        experts = (SwiGLU(d_model, d_ff) for _ in range(num_experts))
        self.experts = nn.ModuleList(experts)

    def forward(self, x: Tensor) -> Tensor:
        """x: (..., d_model); returns the same shape."""
        tokens = x.flatten(end_dim=-2)
        _, chosen, weights = self.router(tokens)
        y = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            token, place = (chosen == number).nonzero(as_tuple=True)
            y[token] += weights[token, place, None] * expert(tokens[token])
        return y.view_as(x)
# --8<-- [end:MixtureOfExperts]


# --8<-- [start:load_experts]
def load_experts(model: MixtureOfExperts, state: Mapping[str, Tensor]) -> None:
    """Copy the weights of transformers' block of Mixtral or Qwen3-MoE."""
    gate_up = state["experts.gate_up_proj"]  # (experts, 2 d_ff, d_model)
    down = state["experts.down_proj"]
    with torch.no_grad():
        model.router.scores.weight.copy_(state["gate.weight"])
        for number, expert in enumerate(model.experts):
            gate, up = gate_up[number].chunk(2)
            expert.w_gate.weight.copy_(gate)
            expert.w_up.weight.copy_(up)
            expert.w_down.weight.copy_(down[number])
# --8<-- [end:load_experts]


# --8<-- [start:balance_loss]
def balance_loss(probs: Tensor, chosen: Tensor) -> Tensor:
    """top_k if all experts have the same load, usually more if some are preferred.

    probs: (tokens, num_experts), chosen: (tokens, top_k), as from Router. Fedus
    et al. (2022), equations 4 to 6, with all top_k counted, without the factor.
    """
    num_experts = probs.size(-1)
    load = F.one_hot(chosen, num_experts).sum(dim=1).to(probs).mean(dim=0)
    return num_experts * (load * probs.mean(dim=0)).sum()
# --8<-- [end:balance_loss]


# --8<-- [start:within_capacity]
def within_capacity(chosen: Tensor, capacity: int) -> Tensor:
    """Which choices an expert still has room for: bool, (tokens, top_k).

    First come all first choices, in the order of the tokens, then the second.
    Lepikhin et al. (2021), algorithm 1.
    """
    queue = F.one_hot(chosen.T.flatten())  # (top_k tokens, experts)
    position = (queue.cumsum(dim=0) * queue).sum(dim=-1)  # in its expert's, from 1
    return (position <= capacity).view(chosen.T.shape).T
# --8<-- [end:within_capacity]
