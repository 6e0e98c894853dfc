"""Fitting a pretrained encoder to a task: all of it, a head, LoRA, or a prompt."""

# --8<-- [start:imports]
import copy

import torch
from torch import Tensor, nn

from snippets.attention.masks import padding_mask
from snippets.attention.multi_head import MultiHeadAttention
from snippets.families.bert import Bert
from snippets.families.sentence_embeddings import mean_pool
from snippets.tools.inputs import check_ids, check_parts
# --8<-- [end:imports]


# --8<-- [start:SentenceClassifier]
class SentenceClassifier(nn.Module):
    """The mean of an encoder's outputs over the tokens, then one linear layer.

    Which tokens are padding, the encoder says: it has a pad_id.
    """

    def __init__(self, encoder: nn.Module, d_model: int, num_classes: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(d_model, num_classes)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits of the classes: (batch, n) -> (batch, num_classes)."""
        is_token = ids != self.encoder.pad_id
        return self.head(mean_pool(self.encoder(ids), is_token))
# --8<-- [end:SentenceClassifier]


# --8<-- [start:LoRA]
class LoRA(nn.Module):
    """A frozen linear layer plus (alpha / r) B A: Hu et al. (2022), section 4.1.

    x: (..., d_in) -> (..., d_out), with A (r, d_in) at random and B (d_out, r)
    zero at the start, so that nothing changes before the first step.
    """

    def __init__(self, linear: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        d_out, d_in = linear.weight.shape
        self.linear = linear.requires_grad_(False)
        self.in_features = d_in  # what MultiHeadAttention asks its layers for
        new = linear.weight.new_empty  # on its device, of its dtype
        self.a = nn.Parameter(new(rank, d_in).normal_() / d_in**0.5)
        self.b = nn.Parameter(new(d_out, rank).zero_())
        self.scale = alpha / max(rank, 1)  # rank 0 adds nothing

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) + self.scale * (x @ self.a.T @ self.b.T)

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """One linear layer that gives the same, without a further product."""
        linear = copy.deepcopy(self.linear)
        linear.weight += self.scale * self.b @ self.a
        return linear
# --8<-- [end:LoRA]


# --8<-- [start:add_lora]
def add_lora(model: nn.Module, rank: int, alpha: float) -> nn.Module:
    """Freeze a model; its target modules are each w_q and w_v (section 5.1).

    Raises ValueError if it has none, or LoRA already.
    """
    check_parts(model, LoRA, False, "the model has LoRA: merge_lora(model) first")
    targets = [m for m in model.modules() if isinstance(m, MultiHeadAttention)]
    if not targets:
        raise ValueError("no MultiHeadAttention: there is nothing to adapt")
    model.requires_grad_(False)
    for module in targets:
        module.w_q = LoRA(module.w_q, rank, alpha)
        module.w_v = LoRA(module.w_v, rank, alpha)
    return model


def merge_lora(model: nn.Module) -> nn.Module:
    """Add each B A to its weights: the model has its former shape again."""
    check_parts(model, LoRA, True, "the model has no LoRA: add_lora(...) first")
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            module.w_q, module.w_v = module.w_q.merged(), module.w_v.merged()
    return model
# --8<-- [end:add_lora]


# --8<-- [start:PromptedBert]
class PromptedBert(nn.Module):
    """A frozen Bert that reads p virtual tokens before the tokens.

    Lester et al. (2021), section 2. They begin as embeddings of random tokens,
    and have no positions, so those of the tokens stay what they were.
    """

    def __init__(self, bert: Bert, length: int) -> None:
        super().__init__()
        self.bert, self.pad_id = bert.requires_grad_(False), bert.pad_id
        table = bert.tokens.weight
        ids = torch.randint(len(table), (length,), device=table.device)
        self.prompt = nn.Parameter(bert.norm(bert.tokens(ids)).detach())

    def forward(self, ids: Tensor, segment_ids: Tensor | None = None) -> Tensor:
        """Outputs at the tokens only: (batch, n) -> (batch, n, d_model)."""
        check_ids(ids)
        p = len(self.prompt)
        prompt = self.prompt.expand(ids.size(0), -1, -1)  # (batch, p, d_model)
        x = torch.cat([prompt, self.bert.embed(ids, segment_ids)], dim=1)
        mask = padding_mask(ids, self.pad_id)  # (batch, 1, n)
        mask = nn.functional.pad(mask, (p, 0), value=True)  # (batch, 1, p + n)
        return self.bert.encoder(x, mask)[:, p:]
# --8<-- [end:PromptedBert]


# --8<-- [start:trainable_parameters]
def trainable_parameters(model: nn.Module) -> int:
    """How many numbers an optimizer moves: those that are not frozen."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
# --8<-- [end:trainable_parameters]
