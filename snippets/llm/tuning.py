"""Supervised fine-tuning of a Llama with LoRA: the loss counts the answers only."""

# --8<-- [start:imports]
from collections.abc import Collection, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from snippets.families.fine_tuning import LoRA
from snippets.families.llama import Llama
from snippets.llm.chat import END, chat_ids
from snippets.llm.tokens import GgufTokenizer

IGNORED = -100  # the label that cross_entropy leaves out
# --8<-- [end:imports]


# --8<-- [start:labeled]
def labeled(
    tokenizer: GgufTokenizer, request: str, answer: str, system: str
) -> tuple[list[int], list[int]]:
    """Ids of a request with its answer in the chat template, and their labels.

    The answer ends with <|im_end|>, which has a label, too: the model learns to
    stop. All tokens before the answer have the label -100.
    """
    prompt = chat_ids(tokenizer, [request], system)
    said = [*tokenizer.encode(answer), tokenizer.control[END]]
    return prompt + said, [IGNORED] * len(prompt) + said
# --8<-- [end:labeled]


# --8<-- [start:batch]
def batch(examples: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
    """Ids and labels, (batch, n) each, padded on the right.

    The padding has the label -100, and no token before sees it: the model is
    causal, so that no mask is needed.
    """
    n = max(len(ids) for ids, _ in examples)
    ids = [ids + [0] * (n - len(ids)) for ids, _ in examples]
    labels = [labels + [IGNORED] * (n - len(labels)) for _, labels in examples]
    return torch.tensor(ids), torch.tensor(labels)
# --8<-- [end:batch]


# --8<-- [start:answer_loss]
def answer_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean loss of the tokens that have a label; each is predicted one earlier.

    logits: (batch, n, V), labels: (batch, n).
    """
    return F.cross_entropy(
        logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten(), ignore_index=IGNORED
    )
# --8<-- [end:answer_loss]


# --8<-- [start:log_probabilities]
def log_probabilities(logits: Tensor, labels: Tensor) -> Tensor:
    """Of each answer as a whole: the sum over its tokens, (batch)."""
    each = -F.cross_entropy(
        logits[:, :-1].mT, labels[:, 1:], ignore_index=IGNORED, reduction="none"
    )
    return each.sum(dim=-1)
# --8<-- [end:log_probabilities]


# --8<-- [start:adapted]
def adapted(
    model: Llama, rank: int, alpha: float, targets: Collection[str] = ("w_q", "w_v")
) -> Llama:
    """The model, frozen, with a LoRA at the target modules of each attention.

    It is changed in place. Raises ValueError where there is one already.
    """
    model.requires_grad_(False)
    for layer in model.layers:
        for name in targets:
            linear = getattr(layer.attention, name)
            if isinstance(linear, LoRA):
                raise ValueError(f"{name} has a LoRA already: bare() takes it out")
            setattr(layer.attention, name, LoRA(linear, rank, alpha))
    return model


def bare(model: Llama) -> Llama:
    """The model without any LoRA, as it was before."""
    for layer in model.layers:
        for name, module in list(layer.attention.named_children()):
            if isinstance(module, LoRA):
                setattr(layer.attention, name, module.linear)
    return model
# --8<-- [end:adapted]


# --8<-- [start:loras]
def loras(model: Llama) -> list[LoRA]:
    return [module for module in model.modules() if isinstance(module, LoRA)]
# --8<-- [end:loras]
