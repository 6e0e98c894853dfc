"""The two layouts of queries and keys, and what it costs to mistake one for the other."""

# --8<-- [start:imports]
import copy

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from snippets import ROOT
from snippets.families.library import renamed
from snippets.families.llama import LLAMA_NAMES, Llama, LlamaConfig, halves_to_pairs
from snippets.llm.smollm import smollm2
from snippets.llm.tokens import tokenizer
from snippets.tools.kept import kept

TEXT = ROOT / "snippets" / "llm" / "texts" / "book.en.txt"
# --8<-- [end:imports]


# --8<-- [start:pairs_to_halves]
def pairs_to_halves(weight: Tensor, num_heads: int) -> Tensor:
    """Rows 2i and 2i + 1 of each head come to lie d_k / 2 apart.

    weight: (num_heads d_k, ...), of W_Q or W_K; returns the same shape. From the
    layout of this book and of GGUF files to that of transformers.
    """
    pairs = weight.unflatten(0, (num_heads, -1, 2))  # (heads, d_k / 2, 2, ...)
    return pairs.transpose(1, 2).flatten(0, 2)
# --8<-- [end:pairs_to_halves]


# --8<-- [start:library_state]
def library_state(model: Llama) -> dict[str, Tensor]:
    """The weights as LlamaForCausalLM of transformers has them."""
    of = model.layers[0].attention
    heads = {"w_q": of.num_heads, "w_k": of.num_kv_heads}
    state = {}
    for name, weight in model.state_dict().items():
        if (number := heads.get(name.split(".")[-2])) is not None:
            weight = pairs_to_halves(weight, number)
        state[renamed(name, LLAMA_NAMES)] = weight
    return state


def as_library(model: Llama, config: LlamaConfig) -> nn.Module:
    """LlamaForCausalLM with the same weights."""
    from transformers import LlamaConfig as TheirConfig, LlamaForCausalLM

    theirs = TheirConfig(
        vocab_size=config.vocab_size,
        hidden_size=config.d_model,
        intermediate_size=config.d_ff,
        num_hidden_layers=config.num_layers,
        num_attention_heads=config.num_heads,
        num_key_value_heads=config.num_kv_heads,
        rope_parameters={"rope_type": "default", "rope_theta": config.rope_theta},
        rms_norm_eps=config.eps,
        tie_word_embeddings=True,
    )
    library = LlamaForCausalLM(theirs)
    library.load_state_dict(library_state(model))
    return library.eval()
# --8<-- [end:library_state]


# --8<-- [start:mistaken]
def mistaken(model: Llama) -> Llama:
    """The same model, its q and k read as if the file had halves, not pairs."""
    wrong = copy.deepcopy(model)
    for layer in wrong.layers:
        of = layer.attention
        of.w_q.weight.data = halves_to_pairs(of.w_q.weight, of.num_heads)
        of.w_k.weight.data = halves_to_pairs(of.w_k.weight, of.num_kv_heads)
    return wrong
# --8<-- [end:mistaken]


# --8<-- [start:losses]
CONTEXTS = [8, 32, 128]
WINDOWS = list(range(32))


def windows() -> Tensor:
    """Pieces of a text of this book, one after the other: (number, 129) ids."""
    ids = torch.tensor(tokenizer().encode(TEXT.read_text(encoding="utf-8")))
    return ids.unfold(0, CONTEXTS[-1] + 1, CONTEXTS[-1])[: len(WINDOWS)]


@torch.inference_mode()
def window_losses(model: Llama, window: Tensor) -> list[float]:
    """Of one window, the loss of the token after 8, 32 and 128 others, in nats."""
    logits = model(window[None, :-1])[0]
    losses = cross_entropy(logits, window[1:], reduction="none")
    return losses[[n - 1 for n in CONTEXTS]].tolist()


def all_losses() -> dict[str, list[list[float]]]:
    models = {"right": smollm2(), "mistaken": mistaken(smollm2())}
    return {
        name: [window_losses(model, window) for window in windows()]
        for name, model in models.items()
    }


def losses() -> dict[str, list[list[float]]]:
    """By layout and window, the loss after 8, 32 and 128 tokens, in nats.

    They come with the book.
    """
    return kept("layouts", "llm/layouts", lambda: ({}, all_losses()))[1]
# --8<-- [end:losses]
