"""The Transformer of Vaswani et al. (2017) in one file. It needs nothing but PyTorch.

    model = Transformer(vocab_size=37_000)  # the base model of the paper
    logits = model(src, tgt)  # ids (batch, n), (batch, m) -> (batch, m, vocab_size)
    loss = F.cross_entropy(logits.transpose(1, 2), next_tokens, ignore_index=0)
    ids = generate(model.eval(), src, bos_id=1, eos_id=2, max_new_tokens=50)

Source and target share one vocabulary. Id 0 is padding, unless pad_id says
otherwise, and sentences are padded at the end. Masks are True where a query may
attend to a key. norm_first=True is pre-LN, which most models since 2019 use; the
default is post-LN, as in the paper.

From the book "The Executable Transformer", whose tests compare the model with
the modules that the book explains: the same weights give the same logits and
gradients. MIT license.
"""

# --8<-- [start:imports]
import torch
import torch.nn.functional as F
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:attention]
def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """softmax(Q K^T / sqrt(d_k)) V, equation 1 of the paper.

    q: (batch, heads, m, d_k); k and v: (batch, heads, n, d_k); mask: bool,
    broadcasts to (batch, heads, m, n). Returns the shape of q. With 16-bit numbers
    on a GPU, F.scaled_dot_product_attention(q, k, v, mask) is faster.
    """
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1) @ v


class MultiHeadAttention(nn.Module):
    """Attention in num_heads subspaces of d_model / num_heads dimensions."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide d_model = {d_model}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Queries from x, (batch, m, d_model); keys and values from memory,
        (batch, n, d_model); mask: (batch, 1 or m, n). Returns the shape of x.
        """
        q = self.split(self.w_q(x))
        k = self.split(self.w_k(memory))
        v = self.split(self.w_v(memory))
        heads = attention(q, k, v, mask.unsqueeze(1))  # the same mask for all heads
        return self.w_o(heads.transpose(1, 2).flatten(2))

    def split(self, x: Tensor) -> Tensor:
        """(batch, n, d_model) -> (batch, heads, n, d_k)."""
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
# --8<-- [end:attention]


# --8<-- [start:sublayers]
class FeedForward(nn.Module):
    """ReLU(x W_1 + b_1) W_2 + b_2, equation 2: the same for each position."""

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.w_1 = nn.Linear(d_model, d_ff)
        self.w_2 = nn.Linear(d_ff, d_model)

    def forward(self, x: Tensor) -> Tensor:
        return self.w_2(torch.relu(self.w_1(x)))


class Residual(nn.Module):
    """Post-LN: LN(x + F(x)). Pre-LN: x + F(LN(x)). Dropout on what is added."""

    def __init__(self, d_model: int, dropout: float, norm_first: bool) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x: Tensor, sublayer) -> Tensor:
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))
# --8<-- [end:sublayers]


# --8<-- [start:layers]
class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network."""

    def __init__(
        self, d_model: int, num_heads: int, d_ff: int, dropout: float,
        norm_first: bool,
    ) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.residual_1 = Residual(d_model, dropout, norm_first)
        self.residual_2 = Residual(d_model, dropout, norm_first)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = self.residual_1(x, lambda y: self.attention(y, y, mask))
        return self.residual_2(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention to the memory, feed-forward."""

    def __init__(
        self, d_model: int, num_heads: int, d_ff: int, dropout: float,
        norm_first: bool,
    ) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.residual_1 = Residual(d_model, dropout, norm_first)
        self.residual_2 = Residual(d_model, dropout, norm_first)
        self.residual_3 = Residual(d_model, dropout, norm_first)

    def forward(
        self, x: Tensor, memory: Tensor, tgt_mask: Tensor, src_mask: Tensor
    ) -> Tensor:
        x = self.residual_1(x, lambda y: self.self_attention(y, y, tgt_mask))
        x = self.residual_2(x, lambda y: self.cross_attention(y, memory, src_mask))
        return self.residual_3(x, self.feed_forward)


class Stack(nn.Module):
    """Layers in a row. Pre-LN needs a norm at the end; post-LN ends with one."""

    def __init__(
        self, layers: list[nn.Module], d_model: int, norm_first: bool
    ) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)
        self.norm = nn.LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x: Tensor, *others: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x, *others)
        return self.norm(x)
# --8<-- [end:layers]


# --8<-- [start:positions]
def positional_encoding(n: int, d_model: int) -> Tensor:
    """Sines and cosines of n positions, (n, d_model): section 3.5."""
    i = torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu")
    positions = torch.arange(n, dtype=torch.float64, device="cpu").unsqueeze(1)
    angles = positions * 10_000 ** (-i / d_model)  # (n, d_model / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
# --8<-- [end:positions]


# --8<-- [start:Transformer]
class Transformer(nn.Module):
    """Encoder and decoder, one embedding matrix for both and for the output."""

    def __init__(
        self, vocab_size: int, num_layers: int = 6, d_model: int = 512,
        num_heads: int = 8, d_ff: int = 2048, dropout: float = 0.1,
        norm_first: bool = False, pad_id: int = 0,
    ) -> None:
        super().__init__()
        sizes = (d_model, num_heads, d_ff, dropout, norm_first)
        encoder = [EncoderLayer(*sizes) for _ in range(num_layers)]
        decoder = [DecoderLayer(*sizes) for _ in range(num_layers)]
        self.embedding = nn.Embedding(vocab_size, d_model)
        nn.init.normal_(self.embedding.weight, std=d_model**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.encoder = Stack(encoder, d_model, norm_first)
        self.decoder = Stack(decoder, d_model, norm_first)
        self.pad_id = pad_id

    def embed(self, ids: Tensor) -> Tensor:
        """Embeddings times sqrt(d_model), plus positions: section 3.4 and 3.5."""
        x = self.embedding(ids) * self.embedding.embedding_dim**0.5
        positions = positional_encoding(ids.size(1), self.embedding.embedding_dim)
        return self.dropout(x + positions.to(x))

    def encode(self, src: Tensor) -> Tensor:
        """The memory, (batch, n, d_model), of source ids, (batch, n)."""
        return self.encoder(self.embed(src), self.not_padding(src))

    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor) -> Tensor:
        """Logits of the token after each target token, (batch, m, vocab_size)."""
        m = tgt.size(1)
        causal = torch.ones(m, m, dtype=torch.bool, device=tgt.device).tril()
        tgt_mask = self.not_padding(tgt) & causal  # (batch, m, m)
        x = self.decoder(self.embed(tgt), memory, tgt_mask, self.not_padding(src))
        return F.linear(x, self.embedding.weight)  # the embedding matrix once more

    def not_padding(self, ids: Tensor) -> Tensor:
        return (ids != self.pad_id).unsqueeze(1)  # (batch, 1, n)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        return self.decode(tgt, self.encode(src), src)
# --8<-- [end:Transformer]


# --8<-- [start:generate]
@torch.no_grad()
def generate(
    model: Transformer, src: Tensor, bos_id: int, eos_id: int, max_new_tokens: int
) -> Tensor:
    """Greedy decoding: ids that begin with bos_id, (batch, 1 + at most
    max_new_tokens), and padding after eos_id. Call model.eval() before: it
    switches dropout off.
    """
    memory = model.encode(src)
    tgt = torch.full_like(src[:, :1], bos_id)
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    for _ in range(max_new_tokens):
        logits = model.decode(tgt, memory, src)[:, -1]
        logits[:, model.pad_id] = -torch.inf  # padding is no token
        token = logits.argmax(dim=-1).masked_fill(ended, model.pad_id)
        tgt = torch.cat([tgt, token.unsqueeze(1)], dim=1)
        ended |= token == eos_id
        if ended.all():
            break
    return tgt
# --8<-- [end:generate]
