"""The whole Transformer, from the ids of two sentences to scores of tokens."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.attention.masks import causal_mask, padding_mask
from snippets.block.config import TransformerConfig
from snippets.block.dropout import Dropout
from snippets.block.encoder_layer import EncoderStack
from snippets.model.decoder_layer import DecoderStack
from snippets.positions.absolute import absolute_positions
from snippets.positions.tokens import TiedEmbedding
# --8<-- [end:imports]


# --8<-- [start:Transformer]
class Transformer(nn.Module):
    """Encoder and decoder, shared embedding: figure 1 of Vaswani et al. (2017)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        kind, d_model = config.positions, config.d_model
        self.embedding = TiedEmbedding(config.vocab_size, d_model)
        self.positions = absolute_positions(kind, config.max_length, d_model)
        self.dropout = Dropout(config.dropout)
        self.encoder = EncoderStack(config)
        self.decoder = DecoderStack(config)
        self.pad_id = config.pad_id

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        """Tokens and positions from start on: (batch, n) -> (batch, n, d_model).

        self.positions looks up the positions it is given: (n,) -> (n, d_model).
        """
        x = self.embedding(ids)  # times sqrt(d_model): section 3.4
        # sinusoids are computed in float64, which not every GPU has
        positions = torch.arange(start, start + ids.size(1), device="cpu")
        return self.dropout(x + self.positions(positions).to(x))

    def encode(self, src: Tensor) -> Tensor:
        """The memory: (batch, n) -> (batch, n, d_model)."""
        src_mask = padding_mask(src, self.pad_id)  # (batch, 1, n)
        return self.encoder(self.embed(src), src_mask)

    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor) -> Tensor:
        """Logits of the token after each position: (batch, m, vocab_size)."""
        causal = causal_mask(tgt.size(1), tgt.device)
        tgt_mask = padding_mask(tgt, self.pad_id) & causal  # (batch, m, m)
        memory_mask = padding_mask(src, self.pad_id)  # (batch, 1, n)
        x = self.decoder(self.embed(tgt), memory, tgt_mask, memory_mask)
        return self.embedding.logits(x)

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """src: (batch, n), tgt: (batch, m), ids. Returns (batch, m, vocab_size).

        Raises ValueError for shapes that do not fit.
        """
        return self.decode(tgt, self.encode(src), src)
# --8<-- [end:Transformer]
