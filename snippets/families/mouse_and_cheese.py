"""Three tiny models, one of each family, trained on the same four sentences."""

# --8<-- [start:imports]
from collections.abc import Callable
from dataclasses import replace

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from snippets.before.vocabulary import Vocabulary, pad
from snippets.block.config import TransformerConfig
from snippets.families.bert import BERT_BASE, BertForMaskedLM
from snippets.families.gpt import GPT, GPT2
from snippets.model.transformer import Transformer
# --8<-- [end:imports]


# --8<-- [start:sentences]
GAP = "[MASK]"
SIZES = {
    "num_layers": 2,
    "d_model": 64,
    "num_heads": 2,
    "d_ff": 128,
    "dropout": 0.0,
}


class Sentences:
    """A few sentences of the same number of words, and their vocabulary."""

    def __init__(self, *lines: str) -> None:
        self.lines = [line.split() for line in lines]
        self.vocab = Vocabulary([GAP, *(w for line in self.lines for w in line)])
        self.gaps = [(line, i) for line in self.lines for i in range(len(line))]
        self.sizes: dict = {"vocab_size": len(self.vocab), **SIZES}

    def ids(self, *lines: list[str], bos: bool = True) -> Tensor:
        """(batch, n), with <s> if bos, and </s>."""
        return pad([self.vocab.encode(line, bos) for line in lines])


def with_gap(line: list[str], position: int) -> list[str]:
    """The sentence with one word hidden."""
    return [*line[:position], GAP, *line[position + 1 :]]
# --8<-- [end:sentences]


# --8<-- [start:train]
def train(model: nn.Module, loss: Callable[[], Tensor]) -> nn.Module:
    """A hundred and fifty steps of Adam, all sentences in each."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(150):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
    return model.eval()


def decoder_only(own: Sentences) -> GPT:
    """Learns the next word, from those before it."""
    torch.manual_seed(0)
    model, text = GPT(replace(GPT2, **own.sizes)), own.ids(*own.lines)

    def loss() -> Tensor:
        logits = model(text[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())

    return train(model, loss)


def encoder_only(own: Sentences) -> BertForMaskedLM:
    """Learns a hidden word, from those on both sides."""
    torch.manual_seed(0)
    model = BertForMaskedLM(replace(BERT_BASE, **own.sizes))
    seen = own.ids(*(with_gap(line, i) for line, i in own.gaps))
    hidden = torch.tensor([own.vocab.ids[line[i]] for line, i in own.gaps])
    at = torch.arange(len(own.gaps)), torch.tensor([i + 1 for _, i in own.gaps])
    return train(model, lambda: F.cross_entropy(model(seen)[at], hidden))


def encoder_decoder(own: Sentences) -> Transformer:
    """Learns to write what is missing, from the rest of the sentence."""
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(**own.sizes))
    source = own.ids(*(with_gap(line, i) for line, i in own.gaps), bos=False)
    target = own.ids(*([line[i]] for line, i in own.gaps))

    def loss() -> Tensor:
        logits = model(source, target[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten())

    return train(model, loss)
# --8<-- [end:train]
