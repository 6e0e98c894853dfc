"""The whole Transformer, from the ids of two sentences to a score for each word."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.attention.masks import causal_mask, padding_mask
from snippets.block.dropout import Dropout
from snippets.block.encoder_layer import EncoderStack
from snippets.model.decoder_layer import DecoderStack
from snippets.positions.sinusoidal import positional_encoding
from snippets.positions.tokens import TiedEmbedding
# --8<-- [end:imports]


# --8<-- [start:Transformer]
class Transformer(nn.Module):
    """Encoder and decoder with one table: figure 1 of Vaswani et al. (2017).

    Without further arguments, the base model of the paper's table 3.
    """

    def __init__(
        self,
        vocab_size: int,
        num_layers: int = 6,
        d_model: int = 512,
        num_heads: int = 8,
        d_ff: int = 2048,
        p: float = 0.1,
        norm_first: bool = False,
        pad_id: int = 0,
    ) -> None:
        super().__init__()
        sizes = (num_layers, d_model, num_heads, d_ff, p, norm_first)
        self.embedding = TiedEmbedding(vocab_size, d_model)
        self.dropout = Dropout(p)
        self.encoder = EncoderStack(*sizes)
        self.decoder = DecoderStack(*sizes)
        self.pad_id = pad_id

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        """Words and positions from start on: (batch, n) -> (batch, n, d_model)."""
        x = self.embedding(ids)  # times sqrt(d_model): section 3.4
        positions = torch.arange(start, start + ids.size(1))
        return self.dropout(x + positional_encoding(positions, x.size(-1)).to(x))

    def encode(self, src: Tensor) -> Tensor:
        """The memory: (batch, n) -> (batch, n, d_model)."""
        src_mask = padding_mask(src, self.pad_id)  # (batch, 1, n)
        return self.encoder(self.embed(src), src_mask)

    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor) -> Tensor:
        """Logits of the word after each target position: (batch, m, vocab_size)."""
        words = padding_mask(tgt, self.pad_id)  # (batch, 1, m)
        tgt_mask = words & causal_mask(tgt.size(1)).to(tgt.device)  # (batch, m, m)
        memory_mask = padding_mask(src, self.pad_id)  # (batch, 1, n)
        x = self.decoder(self.embed(tgt), memory, tgt_mask, memory_mask)
        return self.embedding.logits(x)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """src: (batch, n), tgt: (batch, m), ids. Returns (batch, m, vocab_size).

        Raises ValueError for ids beyond the vocabulary and shapes that do not fit.
        """
        return self.decode(tgt, self.encode(src), src)
# --8<-- [end:Transformer]
