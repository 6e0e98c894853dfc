"""The models of this book, each beside that of the library, and what both get."""

# --8<-- [start:imports]
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
import torch.nn.functional as F
import transformers
from torch import Generator, Tensor, nn

from snippets.before.prediction_tasks import IGNORED, bert_masking
from snippets.block.config import TransformerConfig
from snippets.families import bert
from snippets.families.library import load_renamed
from snippets.families.same_numbers import Pair, Sizes
from snippets.families.same_numbers import differences, draw_ids, draw_sizes
# --8<-- [end:imports]


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
    # padding as a random token would get a gradient here, and none in the library
    ids = ids.masked_fill((ids == 0) & (clean != 0), 1)
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
