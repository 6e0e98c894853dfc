"""Direct preference optimization: a loss from pairs of answers, and where it leads."""

# --8<-- [start:imports]
from collections.abc import Iterator
from contextlib import contextmanager

import torch.nn.functional as F
from torch import Tensor

from snippets.families.llama import Llama
from snippets.llm.tuning import loras
# --8<-- [end:imports]


# --8<-- [start:dpo_loss]
def implicit_reward(policy: Tensor, reference: Tensor, beta: float) -> Tensor:
    """Of answers, from their log-probabilities; up to a constant of the prompt."""
    return beta * (policy - reference)


def dpo_loss(policy: Tensor, reference: Tensor, beta: float) -> Tensor:
    """Mean loss of pairs: Rafailov et al. (2023), equation 7.

    policy, reference: (pairs, 2), log-probabilities of the whole answers, the
    chosen one first.
    """
    chosen, rejected = implicit_reward(policy, reference, beta).unbind(dim=-1)
    return -F.logsigmoid(chosen - rejected).mean()
# --8<-- [end:dpo_loss]


# --8<-- [start:best_policy]
def objective(
    policy: Tensor, reference: Tensor, reward: Tensor, beta: float
) -> Tensor:
    """E[reward] - beta KL(policy || reference), for one prompt.

    policy, reference: log-probabilities of all answers, (..., answers), as are
    their rewards. Rafailov et al. (2023), equation 3.
    """
    return (policy.exp() * (reward - beta * (policy - reference))).sum(dim=-1)


def best_policy(reference: Tensor, reward: Tensor, beta: float) -> Tensor:
    """The log-probabilities that maximize it: equation 4."""
    return (reference + reward / beta).log_softmax(dim=-1)
# --8<-- [end:best_policy]


# --8<-- [start:without_lora]
@contextmanager
def without_lora(model: Llama) -> Iterator[None]:
    """The reference: the same model, its LoRAs multiplied by 0."""
    scales = [(module, module.scale) for module in loras(model)]
    for module, _ in scales:
        module.scale = 0.0
    try:
        yield
    finally:
        for module, scale in scales:
            module.scale = scale
# --8<-- [end:without_lora]


# --8<-- [start:token_divergence]
def token_divergence(policy: Tensor, reference: Tensor) -> Tensor:
    """KL(policy || reference) of each next token: (..., V) logits -> (...).

    Summed along answers that the policy has drawn, and averaged over them, it
    estimates the divergence of whole answers.
    """
    policy, reference = policy.log_softmax(dim=-1), reference.log_softmax(dim=-1)
    return (policy.exp() * (policy - reference)).sum(dim=-1)
# --8<-- [end:token_divergence]
