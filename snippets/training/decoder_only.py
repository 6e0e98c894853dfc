"""A GPT whose cache is passed in and out: prefill and decode are the same call."""

# --8<-- [start:imports]
import torch
import torch.nn.functional as F
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:Block]
class Block(nn.Module):
    """Pre-LN. past: cached keys and values, each (batch, heads, n_past, d_k)."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)
        self.w_1 = nn.Linear(d_model, 4 * d_model)
        self.w_2 = nn.Linear(4 * d_model, d_model)

    def forward(self, x: Tensor, past: tuple | None) -> tuple:
        """x: (batch, new, d_model). Returns its like, and all keys and values."""
        qkv = self.qkv(self.norm_1(x)).unflatten(-1, (3, self.num_heads, -1))
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each (batch, heads, new, d_k)
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        new, n = q.size(2), k.size(2)  # the queries are the last of n tokens
        mask = torch.ones(new, n, dtype=torch.bool, device=x.device).tril(n - new)
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = x + self.out(heads.transpose(1, 2).flatten(2))
        return x + self.w_2(F.gelu(self.w_1(self.norm_2(x)))), (k, v)
# --8<-- [end:Block]


# --8<-- [start:GPT]
class GPT(nn.Module):
    """Decoder-only; the output layer is the embedding matrix."""

    def __init__(self, vocab_size, max_length, layers, d_model, heads) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.tokens.weight, std=0.02)  # small logits at first
        self.positions = nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList(Block(d_model, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(d_model)

    def forward(self, ids: Tensor, cache: list | None = None) -> tuple:
        """ids: (batch, new). Logits, (batch, new, vocab_size), and the cache."""
        cache = cache or [None] * len(self.blocks)
        start = cache[0][0].size(2) if cache[0] else 0  # tokens in the cache
        positions = torch.arange(start, start + ids.size(1), device=ids.device)
        x, longer = self.tokens(ids) + self.positions(positions), []
        for block, past in zip(self.blocks, cache, strict=True):
            x, keys_values = block(x, past)
            longer.append(keys_values)
        return F.linear(self.norm(x), self.tokens.weight), longer
# --8<-- [end:GPT]


# --8<-- [start:generate]
@torch.no_grad()
def generate(model: GPT, ids: Tensor, new_tokens: int, use_cache=True) -> Tensor:
    """Greedy: appends tokens to ids, (batch, n), and returns all of them."""
    new, cache = ids, None  # prefill: the whole prompt
    for _ in range(new_tokens):
        logits, cache = model(new, cache if use_cache else None)
        token = logits[:, -1].argmax(dim=-1, keepdim=True)
        ids = torch.cat([ids, token], dim=1)
        new = token if use_cache else ids  # decode: one token
    return ids
# --8<-- [end:generate]
