"""The models of this book beside the library's: the same weights, the same numbers."""

# --8<-- [start:imports]
import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial

import torch
import torch.nn.functional as F
import transformers
from torch import Generator, Tensor, nn

from snippets.before.prediction_tasks import IGNORED, bert_masking
from snippets.block.config import TransformerConfig
from snippets.families import bert
from snippets.families.library import load_renamed
# --8<-- [end:imports]


# --8<-- [start:Pair]
@dataclass(frozen=True)
class Pair:
    """A model of this book, one of the library, and the same question to both.

    load(ours, state) copies the library's weights. ask_ours(model) and
    ask_theirs(model) return the outputs that count, and a loss.
    """

    ours: nn.Module
    theirs: nn.Module
    load: Callable[[nn.Module, Mapping[str, Tensor]], None]
    ask_ours: Callable[[nn.Module], tuple[Tensor, Tensor]]
    ask_theirs: Callable[[nn.Module], tuple[Tensor, Tensor]]
# --8<-- [end:Pair]


# --8<-- [start:differences]
def relative(ours: list[Tensor], theirs: list[Tensor]) -> float:
    """The largest difference, divided by the largest number."""
    pairs = zip(ours, theirs, strict=True)
    most = max((a - b).abs().max().item() for a, b in pairs)
    return most / max(b.abs().max().item() for b in theirs)


def differences(pair: Pair, dtype: torch.dtype = torch.float32) -> dict[str, float]:
    """How far outputs, loss and gradients of the two models are apart."""
    ours, theirs = (model.to(dtype).eval() for model in (pair.ours, pair.theirs))
    with torch.no_grad():  # norms and biases must not stay at 1 and 0
        for parameter in theirs.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    pair.load(ours, theirs.state_dict())
    output, loss = pair.ask_ours(ours)
    expected, expected_loss = pair.ask_theirs(theirs)
    loss.backward()
    expected_loss.backward()
    # gradients have the names of weights: what loads these can load those
    renamed = deepcopy(ours)
    state = theirs.state_dict(keep_vars=True)
    pair.load(renamed, {name: gradient(x) for name, x in state.items()})
    return {
        "outputs": relative([output], [expected]),
        "loss": relative([loss], [expected_loss]),
        "gradients": relative(
            [gradient(x) for x in ours.parameters()], [*renamed.parameters()]
        ),
    }


def gradient(x: Tensor) -> Tensor:
    """That of a parameter, or 0 if the loss does not depend on it."""
    return torch.zeros_like(x) if x.grad is None else x.grad
# --8<-- [end:differences]


# --8<-- [start:bound]
BOUNDS = (1e-13, 1e-8, 1e-5, math.inf)


def bound(difference: float) -> float:
    """The first of BOUNDS that it is below: the last digits differ by machine."""
    return next(bound for bound in BOUNDS if difference < bound)
# --8<-- [end:bound]


# --8<-- [start:Sizes]
def draw(low: int, high: int, generator: Generator) -> int:
    """An integer between low and high, both included."""
    return int(torch.randint(low, high + 1, (), generator=generator))


@dataclass(frozen=True)
class Sizes:
    """Of a small model, and of what it is asked."""

    vocab_size: int
    num_layers: int
    num_heads: int
    d_model: int
    d_ff: int
    batch: int
    n: int


def draw_sizes(generator: Generator) -> Sizes:
    """Any that fit together."""
    one_to = partial(draw, 1, generator=generator)
    num_heads = one_to(4)
    return Sizes(
        vocab_size=10 + one_to(90),
        num_layers=one_to(3),
        num_heads=num_heads,
        d_model=num_heads * 4 * one_to(4),
        d_ff=8 * one_to(8),
        batch=1 + one_to(3),
        n=2 + one_to(10),
    )


def draw_ids(sizes: Sizes, generator: Generator) -> Tensor:
    """Token ids, (batch, n); all rows but the first end in some padding, 0."""
    shape = (sizes.batch, sizes.n)
    ids = torch.randint(1, sizes.vocab_size, shape, generator=generator)
    for row in ids[1:]:
        row[draw(1, sizes.n - 1, generator) :] = 0
    return ids
# --8<-- [end:Sizes]


# --8<-- [start:bert_pairs]
def bert_configs(
    sizes: Sizes,
) -> tuple[TransformerConfig, transformers.BertConfig]:
    """The same sizes, in the words of this book and in those of the library."""
    ours = replace(
        bert.BERT_BASE,
        vocab_size=sizes.vocab_size,
        num_layers=sizes.num_layers,
        num_heads=sizes.num_heads,
        d_model=sizes.d_model,
        d_ff=sizes.d_ff,
    )
    theirs = transformers.BertConfig(
        vocab_size=sizes.vocab_size,
        num_hidden_layers=sizes.num_layers,
        num_attention_heads=sizes.num_heads,
        hidden_size=sizes.d_model,
        intermediate_size=sizes.d_ff,
        num_labels=3,
    )
    return ours, theirs


def bert_inputs(ids: Tensor, generator: Generator) -> tuple[Tensor, dict]:
    """Random segments, and what the library calls ids, segments and padding."""
    segment_ids = torch.randint(0, 2, ids.shape, generator=generator)
    return segment_ids, {
        "input_ids": ids,
        "token_type_ids": segment_ids,
        "attention_mask": (ids != 0).long(),
    }


def bert_model(sizes: Sizes, generator: Generator) -> Pair:
    """Vectors of all tokens; their mean square stands in for a loss."""
    config, library = bert_configs(sizes)
    ids = draw_ids(sizes, generator)
    segment_ids, inputs = bert_inputs(ids, generator)

    def ask_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        x = model(ids, segment_ids)[ids != 0]
        return x, x.square().mean()

    def ask_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        x = model(**inputs).last_hidden_state[ids != 0]
        return x, x.square().mean()

    return Pair(
        bert.Bert(config),
        transformers.BertModel(library),
        partial(load_renamed, names=bert.BERT_NAMES),
        ask_ours,
        ask_theirs,
    )


def masked_lm(sizes: Sizes, generator: Generator) -> Pair:
    """Logits of all tokens; the loss counts those that are to be predicted."""
    config, library = bert_configs(sizes)
    clean = draw_ids(sizes, generator)
    ids, targets = bert_masking(clean, 1, sizes.vocab_size, generator)
    targets = targets.masked_fill(clean == 0, IGNORED)
    targets[0, 0] = clean[0, 0]  # one there is always
    segment_ids, inputs = bert_inputs(ids, generator)

    def ask_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        logits = model(ids, segment_ids)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits[ids != 0], loss

    def ask_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        result = model(**inputs, labels=targets)
        return result.logits[ids != 0], result.loss

    return Pair(
        bert.BertForMaskedLM(config),
        transformers.BertForMaskedLM(library),
        partial(load_renamed, names=bert.MASKED_LM_NAMES),
        ask_ours,
        ask_theirs,
    )


def classifier(sizes: Sizes, generator: Generator) -> Pair:
    """Logits of three labels for each text."""
    config, library = bert_configs(sizes)
    ids = draw_ids(sizes, generator)
    labels = torch.randint(0, 3, (sizes.batch,), generator=generator)
    segment_ids, inputs = bert_inputs(ids, generator)

    def ask_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        logits = model(ids, segment_ids)
        return logits, F.cross_entropy(logits, labels)

    def ask_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        result = model(**inputs, labels=labels)
        return result.logits, result.loss

    return Pair(
        bert.BertClassifier(config, num_labels=3),
        transformers.BertForSequenceClassification(library),
        partial(load_renamed, names=bert.CLASSIFIER_NAMES),
        ask_ours,
        ask_theirs,
    )
# --8<-- [end:bert_pairs]


# --8<-- [start:MODELS]
MODELS: dict[str, Callable[[Sizes, Generator], Pair]] = {
    "Bert": bert_model,
    "BertForMaskedLM": masked_lm,
    "BertClassifier": classifier,
}


def largest_differences(
    model: str, seed: int, dtype: torch.dtype = torch.float32
) -> dict[str, float]:
    """differences of one of MODELS, its sizes, weights and inputs at random."""
    torch.manual_seed(seed)  # of the weights
    generator = Generator().manual_seed(seed)
    return differences(MODELS[model](draw_sizes(generator), generator), dtype)
# --8<-- [end:MODELS]
