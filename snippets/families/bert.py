"""BERT: an encoder that reads to both sides, and what is put on top of it."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.attention.masks import padding_mask
from snippets.block.config import TransformerConfig
from snippets.block.dropout import Dropout
from snippets.block.encoder_layer import EncoderStack
from snippets.block.layer_norm import LayerNorm
from snippets.positions.absolute import LearnedPositions
# --8<-- [end:imports]


# --8<-- [start:BERT_BASE]
BERT_BASE = TransformerConfig(  # Devlin et al. (2019), section 3
    vocab_size=30_522,
    num_layers=12,
    d_model=768,
    num_heads=12,
    d_ff=3072,
    activation=nn.functional.gelu,
    positions="learned",
    eps=1e-12,
)
# --8<-- [end:BERT_BASE]


# --8<-- [start:Bert]
class Bert(nn.Module):
    """Devlin et al. (2019): tokens, positions and segments, then post-LN layers.

    Whatever config.positions says, the positions are learned.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        d_model = config.d_model
        self.tokens = nn.Embedding(config.vocab_size, d_model)
        self.positions = LearnedPositions(config.max_length, d_model)
        self.segments = nn.Embedding(2, d_model)  # first or second sentence
        self.norm = LayerNorm(d_model, config.eps)
        self.dropout = Dropout(config.dropout)
        self.encoder = EncoderStack(config)
        self.pad_id = config.pad_id
        for embedding in (self.tokens, self.segments):  # as LearnedPositions
            nn.init.normal_(embedding.weight, std=0.02)

    def embed(self, ids: Tensor, segment_ids: Tensor | None = None) -> Tensor:
        """Three vectors a token, added: (batch, n) -> (batch, n, d_model)."""
        if segment_ids is None:  # all in the first sentence
            segment_ids = torch.zeros_like(ids)
        positions = torch.arange(ids.size(1), device=ids.device)
        x = self.tokens(ids) + self.segments(segment_ids)
        return self.dropout(self.norm(x + self.positions(positions)))

    def forward(self, ids: Tensor, segment_ids: Tensor | None = None) -> Tensor:
        """ids, segment_ids: (batch, n). Returns (batch, n, d_model).

        Padding, told by its id, is never attended to; there is no other mask. (The
        second argument of transformers' BertModel is a mask.)
        """
        mask = padding_mask(ids, self.pad_id)  # (batch, 1, n)
        return self.encoder(self.embed(ids, segment_ids), mask)
# --8<-- [end:Bert]


# --8<-- [start:BERT_NAMES]
BERT_NAMES = {  # what stands here in a name, and in that of transformers
    "tokens": "embeddings.word_embeddings",
    "positions.table": "embeddings.position_embeddings.weight",
    "segments": "embeddings.token_type_embeddings",
    "residual_1.norm": "attention.output.LayerNorm",
    "residual_2.norm": "output.LayerNorm",
    "norm.": "embeddings.LayerNorm.",
    "layers": "layer",
    "attention.w_q": "attention.self.query",
    "attention.w_k": "attention.self.key",
    "attention.w_v": "attention.self.value",
    "attention.w_o": "attention.output.dense",
    "feed_forward.w_1": "intermediate.dense",
    "feed_forward.w_2": "output.dense",
    "gamma": "weight",
    "beta": "bias",
}
# --8<-- [end:BERT_NAMES]


# --8<-- [start:BertForMaskedLM]
class MaskedLMHead(nn.Module):
    """From the vectors of a Bert to logits, with its embedding matrix."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.d_model)
        self.activation = config.activation
        self.norm = LayerNorm(config.d_model, config.eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, x: Tensor, table: Tensor) -> Tensor:
        """x: (batch, n, d_model), table: (vocab_size, d_model)."""
        return self.norm(self.activation(self.dense(x))) @ table.T + self.bias


class BertForMaskedLM(nn.Module):
    """Which token is hidden here? Devlin et al. (2019), section 3.1, task 1."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.bert = Bert(config)
        self.head = MaskedLMHead(config)

    def forward(self, ids: Tensor, segment_ids: Tensor | None = None) -> Tensor:
        """Logits at each position: (batch, n) -> (batch, n, vocab_size)."""
        x = self.bert(ids, segment_ids)
        return self.head(x, self.bert.tokens.weight)
# --8<-- [end:BertForMaskedLM]


# --8<-- [start:BertClassifier]
class BertClassifier(nn.Module):
    """One answer for a whole text, or for a pair, from its first token, [CLS]."""

    def __init__(self, config: TransformerConfig, num_labels: int) -> None:
        super().__init__()
        self.bert = Bert(config)
        self.pooler = nn.Linear(config.d_model, config.d_model)
        self.dropout = Dropout(config.dropout)
        self.classifier = nn.Linear(config.d_model, num_labels)

    def forward(self, ids: Tensor, segment_ids: Tensor | None = None) -> Tensor:
        """Logits of the labels: (batch, n) -> (batch, num_labels)."""
        first = self.bert(ids, segment_ids)[:, 0]  # (batch, d_model)
        pooled = torch.tanh(self.pooler(first))
        return self.classifier(self.dropout(pooled))
# --8<-- [end:BertClassifier]


# --8<-- [start:HEAD_NAMES]
MASKED_LM_NAMES = {
    "head.bias": "cls.predictions.bias",
    "head.dense": "cls.predictions.transform.dense",
    "head.norm": "cls.predictions.transform.LayerNorm",
    **BERT_NAMES,
}
CLASSIFIER_NAMES = {"pooler": "bert.pooler.dense", **BERT_NAMES}
# --8<-- [end:HEAD_NAMES]
