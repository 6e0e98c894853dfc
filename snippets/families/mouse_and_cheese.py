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
SENTENCES = [
    line.split()
    for line in [
        "the mouse eats cheese",
        "the cat eats fish",
        "the cow eats grass",
        "the panda eats bamboo",
    ]
]
GAP = "[MASK]"
VOCAB = Vocabulary([GAP, *(word for line in SENTENCES for word in line)])


def ids(*lines: list[str], bos: bool = True) -> Tensor:
    """(batch, n), with <s> if bos, and </s>."""
    return pad([VOCAB.encode(line, bos) for line in lines])


def with_gap(line: list[str], position: int) -> list[str]:
    """The sentence with one word hidden."""
    return [*line[:position], GAP, *line[position + 1 :]]
# --8<-- [end:sentences]


# --8<-- [start:train]
SIZES = {
    "vocab_size": len(VOCAB),
    "num_layers": 2,
    "d_model": 64,
    "num_heads": 2,
    "d_ff": 128,
    "dropout": 0.0,
}
GAPS = [(line, i) for line in SENTENCES for i in range(len(line))]


def train(model: nn.Module, loss: Callable[[], Tensor]) -> nn.Module:
    """A hundred and fifty steps of Adam, all sentences in each."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for _ in range(150):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
    return model.eval()


def decoder_only() -> GPT:
    """Learns the next word, from those before it."""
    torch.manual_seed(0)
    model, text = GPT(replace(GPT2, **SIZES)), ids(*SENTENCES)

    def loss() -> Tensor:
        logits = model(text[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())

    return train(model, loss)


def encoder_only() -> BertForMaskedLM:
    """Learns a hidden word, from those on both sides."""
    torch.manual_seed(0)
    model = BertForMaskedLM(replace(BERT_BASE, **SIZES))
    seen = ids(*(with_gap(line, i) for line, i in GAPS))
    hidden = torch.tensor([VOCAB.ids[line[i]] for line, i in GAPS])
    at = torch.arange(len(GAPS)), torch.tensor([i + 1 for _, i in GAPS])
    return train(model, lambda: F.cross_entropy(model(seen)[at], hidden))


def encoder_decoder() -> Transformer:
    """Learns to write what is missing, from the rest of the sentence."""
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(**SIZES))
    source = ids(*(with_gap(line, i) for line, i in GAPS), bos=False)
    target = ids(*([line[i]] for line, i in GAPS))

    def loss() -> Tensor:
        logits = model(source, target[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten())

    return train(model, loss)
# --8<-- [end:train]
