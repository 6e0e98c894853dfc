"""A decoder-only Transformer in one file: GPT-2 (Radford et al. 2019). It needs
nothing but PyTorch.

    model = GPT(vocab_size=50_257)  # the smallest GPT-2: 124 million parameters
    logits = model(ids)  # (batch, n) -> (batch, n, vocab_size)
    loss = model.loss(ids)  # each token predicted from those before it
    ids = model.eval().generate(ids, max_new_tokens=50, temperature=0.8, top_k=50)

All sequences of a batch have the same length: text that is cut into pieces of n
tokens. From the book "The Executable Transformer", whose tests compare the model
with the modules that the book explains: the same weights give the same logits
and gradients. MIT license.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class CausalSelfAttention(nn.Module):
    """Multi-head attention in which no token attends to a later one."""

    def __init__(self, d_model: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_model, 3 * d_model)  # three projections in one
        self.out = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """x: (batch, n, d_model), returns the same shape."""
        qkv = self.qkv(x).unflatten(-1, (3, self.num_heads, -1))
        q, k, v = qkv.permute(2, 0, 3, 1, 4)  # each (batch, heads, n, d_k)
        # softmax(Q K^T / sqrt(d_k) + mask) V in one call
        heads = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.dropout(self.out(heads.transpose(1, 2).flatten(2)))


class FeedForward(nn.Module):
    """GELU(x W_1 + b_1) W_2 + b_2, with four times as many dimensions between."""

    def __init__(self, d_model: int, dropout: float) -> None:
        super().__init__()
        self.w_1 = nn.Linear(d_model, 4 * d_model)
        self.w_2 = nn.Linear(4 * d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        return self.dropout(self.w_2(F.gelu(self.w_1(x), approximate="tanh")))


class Block(nn.Module):
    """Pre-LN: each sublayer reads a normalized copy and adds to the stream x."""

    def __init__(self, d_model: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = CausalSelfAttention(d_model, num_heads, dropout)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, dropout)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm_1(x))
        return x + self.feed_forward(self.norm_2(x))


class GPT(nn.Module):
    """Embeddings, blocks, a final norm, and the embedding matrix as output layer."""

    def __init__(
        self,
        vocab_size: int,
        num_layers: int = 12,
        d_model: int = 768,
        num_heads: int = 12,
        max_length: int = 1024,
        dropout: float = 0.1,
    ) -> None:
        super().__init__()
        sizes = (d_model, num_heads, dropout)
        self.tokens = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Embedding(max_length, d_model)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(Block(*sizes) for _ in range(num_layers))
        self.norm = nn.LayerNorm(d_model)
        self.initialize()

    def initialize(self) -> None:
        """Standard deviation 0.02, biases 0; 0.02 / sqrt(2 num_layers) for the last
        matrix of each sublayer, since as many are added up in the stream.
        """
        for name, parameter in self.named_parameters():
            last = name.endswith(("out.weight", "w_2.weight"))
            if parameter.dim() == 2:
                share = (2 * len(self.blocks)) ** -0.5 if last else 1.0
                nn.init.normal_(parameter, std=0.02 * share)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits of the token after each: (batch, n) -> (batch, n, vocab_size)."""
        n, max_length = ids.size(1), self.positions.num_embeddings
        if n > max_length:
            raise ValueError(f"{n} tokens, and only {max_length} positions")
        positions = torch.arange(n, device=ids.device)
        x = self.dropout(self.tokens(ids) + self.positions(positions))
        for block in self.blocks:
            x = block(x)
        return F.linear(self.norm(x), self.tokens.weight)

    def loss(self, ids: Tensor, ignore_index: int = -100) -> Tensor:
        """Mean of -ln P of each token but the first, given those before it."""
        logits = self(ids[:, :-1]).transpose(1, 2)  # (batch, vocab_size, n - 1)
        return F.cross_entropy(logits, ids[:, 1:], ignore_index=ignore_index)

    @torch.no_grad()
    def generate(
        self,
        ids: Tensor,
        max_new_tokens: int,
        temperature: float = 1.0,
        top_k: int | None = None,
    ) -> Tensor:
        """Append tokens to ids, (batch, n), one by one, and return all of them.

        temperature 0 takes the most probable one, others sample from the softmax
        of the logits divided by it, with top_k among the top_k most probable only.
        Of a text longer than max_length, the model sees the end.
        """
        for _ in range(max_new_tokens):
            seen = ids[:, -self.positions.num_embeddings :]
            logits = self(seen)[:, -1]  # (batch, vocab_size)
            if top_k is not None:
                least = logits.topk(top_k).values[:, -1:]
                logits = logits.masked_fill(logits < least, -torch.inf)
            if temperature == 0:
                token = logits.argmax(dim=-1, keepdim=True)
            else:
                probabilities = torch.softmax(logits / temperature, dim=-1)
                token = torch.multinomial(probabilities, num_samples=1)
            ids = torch.cat([ids, token], dim=1)
        return ids
