"""GPT-2 of the library. Nothing here may import snippets, which mutants replace under running tests."""

from __future__ import annotations

import torch
import transformers
from torch import nn

PAD, EOS = 0, 2


def gpt2(config, seed: int = 0, *impossible: int) -> transformers.GPT2LMHeadModel:
    """With the sizes of a configuration of the book, all parameters drawn at random, those of the norms too.

    Tokens that are impossible get logits of -50, whatever came before.
    """
    torch.manual_seed(seed)
    sizes = {"n_embd": config.d_model, "n_layer": config.num_layers, "n_head": config.num_heads}
    sizes |= {"vocab_size": config.vocab_size, "n_positions": config.max_length, "n_inner": config.d_ff}
    model = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(**sizes, bos_token_id=1, eos_token_id=EOS, pad_token_id=PAD)
    ).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            nn.init.normal_(parameter, std=0.3)
        if impossible:  # the first component says 1 after the last norm, and only these listen to it
            model.transformer.ln_f.weight[0], model.transformer.ln_f.bias[0] = 0.0, 1.0
            model.transformer.wte.weight[:, 0] = 0.0
            for token in impossible:
                model.transformer.wte.weight[token] = 0.0
                model.transformer.wte.weight[token, 0] = -50.0
    return model
