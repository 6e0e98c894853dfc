"""The models of this book, each beside that of the library, and the input of both."""

# --8<-- [start:imports]
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import torch
import torch.nn.functional as F
import transformers
from torch import Generator, Tensor, nn

from snippets.before.prediction_tasks import IGNORED, bert_masking
from snippets.block.config import TransformerConfig
from snippets.families import bert, gpt, llama, t5
from snippets.families import vision_transformer as vit
from snippets.families.library import load_renamed
from snippets.families.same_numbers import Run, Pair, Sizes
from snippets.families.same_numbers import differences, draw, draw_ids, draw_sizes
# --8<-- [end:imports]


# --8<-- [start:bert_configs]
def bert_configs(
    sizes: Sizes,
) -> tuple[TransformerConfig, transformers.BertConfig]:
    """The same sizes, in the words of this book and in those of the library."""
    ours = replace(bert.BERT_BASE, **sizes.of_model())
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
# --8<-- [end:bert_configs]


# --8<-- [start:bert_model]
def bert_model(sizes: Sizes, generator: Generator) -> Pair:
    """Vectors of all tokens; their mean square stands in for a loss."""
    config, library = bert_configs(sizes)
    ids = draw_ids(sizes, generator)
    segment_ids, inputs = bert_inputs(ids, generator)

    def run_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        x = model(ids, segment_ids)[ids != 0]
        return x, x.square().mean()

    def run_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        x = model(**inputs).last_hidden_state[ids != 0]
        return x, x.square().mean()

    return Pair(
        bert.Bert(config),
        transformers.BertModel(library),
        partial(load_renamed, names=bert.BERT_NAMES),
        run_ours,
        run_theirs,
    )
# --8<-- [end:bert_model]


# --8<-- [start:more_bert_pairs]
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

    def run_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        logits = model(ids, segment_ids)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits[ids != 0], loss

    def run_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        result = model(**inputs, labels=targets)
        return result.logits[ids != 0], result.loss

    return Pair(
        bert.BertForMaskedLM(config),
        transformers.BertForMaskedLM(library),
        partial(load_renamed, names=bert.MASKED_LM_NAMES),
        run_ours,
        run_theirs,
    )


def classifier(sizes: Sizes, generator: Generator) -> Pair:
    """Logits of three labels for each text."""
    config, library = bert_configs(sizes)
    ids = draw_ids(sizes, generator)
    labels = torch.randint(0, 3, (sizes.batch,), generator=generator)
    segment_ids, inputs = bert_inputs(ids, generator)

    def run_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        logits = model(ids, segment_ids)
        return logits, F.cross_entropy(logits, labels)

    def run_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        result = model(**inputs, labels=labels)
        return result.logits, result.loss

    return Pair(
        bert.BertClassifier(config, num_labels=3),
        transformers.BertForSequenceClassification(library),
        partial(load_renamed, names=bert.CLASSIFIER_NAMES),
        run_ours,
        run_theirs,
    )
# --8<-- [end:more_bert_pairs]


# --8<-- [start:other_pairs]
def ignoring(ids: Tensor) -> Tensor:
    """Targets for the library, which leaves out -100 and not padding."""
    return ids.masked_fill(ids == 0, IGNORED)


def next_tokens(ids: Tensor) -> tuple[Run, Run]:
    """How to run ours and theirs: logits, and the loss of each next token."""

    def run_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        return model(ids)[ids != 0], gpt.causal_lm_loss(model, ids, pad_id=0)

    def run_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        mask = (ids != 0).long()
        result = model(ids, attention_mask=mask, labels=ignoring(ids))
        return result.logits[ids != 0], result.loss

    return run_ours, run_theirs


def gpt_model(sizes: Sizes, generator: Generator) -> Pair:
    """Logits of the next token; its matrices are transposed and fused."""
    config = replace(gpt.GPT2, **sizes.of_model())
    library = transformers.GPT2Config(
        vocab_size=sizes.vocab_size,
        n_layer=sizes.num_layers,
        n_head=sizes.num_heads,
        n_embd=sizes.d_model,
        n_inner=sizes.d_ff,
        bos_token_id=None,
        eos_token_id=None,
    )

    def load(model: nn.Module, state: Mapping[str, Tensor]) -> None:
        load_renamed(model, gpt.unfused(state), gpt.GPT_NAMES)

    return Pair(
        gpt.GPT(config),
        transformers.GPT2LMHeadModel(library),
        load,
        *next_tokens(draw_ids(sizes, generator)),
    )


def t5_model(sizes: Sizes, generator: Generator) -> Pair:
    """Logits of a target; a head need not have d_model / num_heads dimensions."""
    config = t5.T5Config(**sizes.of_model(), d_k=8)
    library = transformers.T5Config(**sizes.of_model(), d_kv=8)
    src, tgt = draw_ids(sizes, generator), draw_ids(sizes, generator)
    seen, right = tgt[:, :-1], tgt[:, 1:]

    def run_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        logits = model(src, seen)
        right_ones = ignoring(right).flatten()
        return logits[seen != 0], F.cross_entropy(logits.flatten(0, 1), right_ones)

    def run_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        result = model(
            input_ids=src,
            attention_mask=(src != 0).long(),
            decoder_input_ids=seen,
            labels=ignoring(right),
        )
        return result.logits[seen != 0], result.loss

    return Pair(
        t5.T5(config),
        transformers.T5ForConditionalGeneration(library),
        partial(load_renamed, names=t5.T5_NAMES),
        run_ours,
        run_theirs,
    )


def vit_model(sizes: Sizes, generator: Generator) -> Pair:
    """Logits of five classes of images that need not be square."""
    size, height, width = 4, 4 * draw(1, 3, generator), 4 * draw(1, 3, generator)
    config = replace(vit.VIT_BASE, **sizes.of_model())
    library = transformers.ViTConfig(
        image_size=(height, width),
        patch_size=size,
        num_hidden_layers=sizes.num_layers,
        num_attention_heads=sizes.num_heads,
        hidden_size=sizes.d_model,
        intermediate_size=sizes.d_ff,
        num_labels=5,
    )
    images = torch.randn(sizes.batch, 3, height, width, generator=generator)
    labels = torch.randint(0, 5, (sizes.batch,), generator=generator)

    def run_ours(model: nn.Module) -> tuple[Tensor, Tensor]:
        logits = model(images.to(model.classifier.weight.dtype))
        return logits, F.cross_entropy(logits, labels)

    def run_theirs(model: nn.Module) -> tuple[Tensor, Tensor]:
        result = model(images.to(model.classifier.weight.dtype), labels=labels)
        return result.logits, result.loss

    encoder = vit.VisionTransformer(config, (height, width), size)
    return Pair(
        vit.ViTClassifier(encoder, num_classes=5),
        transformers.ViTForImageClassification(library),
        vit.load_vit,
        run_ours,
        run_theirs,
    )


def llama_model(sizes: Sizes, generator: Generator) -> Pair:
    """Logits of the next token; heads share keys and values."""
    num_kv_heads = sizes.num_heads // 2 if sizes.num_heads % 2 == 0 else 1
    config = llama.LlamaConfig(**sizes.of_model(), num_kv_heads=num_kv_heads)
    library = transformers.LlamaConfig(
        vocab_size=sizes.vocab_size,
        num_hidden_layers=sizes.num_layers,
        num_attention_heads=sizes.num_heads,
        num_key_value_heads=num_kv_heads,
        hidden_size=sizes.d_model,
        intermediate_size=sizes.d_ff,
    )
    load = partial(llama.load_llama, config=config)
    return Pair(
        llama.Llama(config),
        transformers.LlamaForCausalLM(library),
        load,
        *next_tokens(draw_ids(sizes, generator)),
    )
# --8<-- [end:other_pairs]


# --8<-- [start:MODELS]
MODELS: dict[str, Callable[[Sizes, Generator], Pair]] = {
    "Bert": bert_model,
    "BertForMaskedLM": masked_lm,
    "BertClassifier": classifier,
    "GPT": gpt_model,
    "T5": t5_model,
    "ViTClassifier": vit_model,
    "Llama": llama_model,
}


def largest_differences(
    model: str, seed: int, dtype: torch.dtype = torch.float32
) -> dict[str, float]:
    """differences of one of MODELS, its sizes, weights and inputs at random."""
    torch.manual_seed(seed)  # of the weights
    generator = Generator().manual_seed(seed)
    return differences(MODELS[model](draw_sizes(generator), generator), dtype)
# --8<-- [end:MODELS]
