"""A translator of two LSTMs: one reads the source, one generates the target."""

# --8<-- [start:imports]
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from snippets.before.vocabulary import BOS, EOS, PAD
from snippets.tools.inputs import check_ids
# --8<-- [end:imports]


# --8<-- [start:Encoded]
class Encoded(NamedTuple):
    """What the encoder hands over."""

    states: Tensor  # (batch, n, d), one for each token
    mask: Tensor  # (batch, 1, n), False where the token is padding
    h: Tensor  # (1, batch, d), the hidden state at the end of both directions
    c: Tensor  # (1, batch, d), the cell state there
# --8<-- [end:Encoded]


# --8<-- [start:Encoder]
class Encoder(nn.Module):
    """A bidirectional LSTM. Raises ValueError unless its two directions share d."""

    def __init__(self, vocab_size: int, d: int) -> None:
        super().__init__()
        if d % 2:
            raise ValueError(f"two directions share d, so it is even, not {d}")
        self.embedding = nn.Embedding(vocab_size, d)
        self.lstm = nn.LSTM(d, d // 2, batch_first=True, bidirectional=True)

    def forward(self, src: Tensor) -> Encoded:
        """src: (batch, n). Raises ValueError unless padding is at the end."""
        check_ids(src)
        mask = src != PAD
        if (mask[:, 1:] & ~mask[:, :-1]).any():
            raise ValueError("padding comes last, not before a token")
        lengths = mask.sum(dim=1).cpu()
        packed = pack_padded_sequence(
            self.embedding(src), lengths, batch_first=True, enforce_sorted=False
        )
        states, last = self.lstm(packed)  # which never sees padding
        states, _ = pad_packed_sequence(
            states, batch_first=True, total_length=src.size(1)
        )
        h, c = (torch.cat([x[:1], x[1:]], dim=-1) for x in last)
        return Encoded(states, mask.unsqueeze(1), h, c)
# --8<-- [end:Encoder]


# --8<-- [start:RecurrentTranslator]
class RecurrentTranslator(nn.Module):
    """The decoder knows the source from one state of fixed size alone."""

    def __init__(self, vocab_size: int, d: int) -> None:
        super().__init__()
        self.encoder = Encoder(vocab_size, d)
        self.embedding = nn.Embedding(vocab_size, d)
        self.lstm = nn.LSTM(d, d, batch_first=True)
        self.combine = nn.Linear(2 * d, d)
        self.output = nn.Linear(d, vocab_size)

    def context(self, hidden: Tensor, encoded: Encoded) -> Tensor:
        """What each step sees of the source: always the same. (batch, m, d)"""
        return encoded.h.transpose(0, 1).expand_as(hidden)

    def decode(
        self, tgt: Tensor, encoded: Encoded, state: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Logits, (batch, m, vocab_size), of the tokens after tgt, (batch, m).

        state: (h, c) before tgt. Returns also the state after it.
        """
        hidden, state = self.lstm(self.embedding(tgt), state)
        both = torch.cat([self.context(hidden, encoded), hidden], dim=-1)
        return self.output(torch.tanh(self.combine(both))), state

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """Teacher forcing: src, (batch, n), and the true tgt, (batch, m)."""
        encoded = self.encoder(src)
        return self.decode(tgt, encoded, (encoded.h, encoded.c))[0]
# --8<-- [end:RecurrentTranslator]


# --8<-- [start:greedy]
@torch.no_grad()
def greedy(model: RecurrentTranslator, src: Tensor, max_new_tokens: int) -> Tensor:
    """The most probable token, again and again: (batch, at most max_new_tokens)."""
    encoded = model.encoder(src)
    state, token = (encoded.h, encoded.c), torch.full_like(src[:, :1], BOS)
    generated, ended = [], torch.zeros_like(token, dtype=torch.bool)
    for _ in range(max_new_tokens):
        logits, state = model.decode(token, encoded, state)
        token = logits.argmax(dim=-1)  # (batch, 1), and the next input
        generated.append(token)
        ended |= token == EOS
        if ended.all():
            break
    return torch.cat(generated, dim=1)
# --8<-- [end:greedy]
