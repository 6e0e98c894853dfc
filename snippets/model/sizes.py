"""How many parameters a Transformer has: by formula, and counted."""

# --8<-- [start:imports]
from dataclasses import replace

from torch import nn

from snippets.block.config import TransformerConfig
# --8<-- [end:imports]


# --8<-- [start:configurations]
#: The two models of Vaswani et al. (2017), table 3.
BASE = TransformerConfig()
BIG = replace(BASE, d_model=1024, num_heads=16, d_ff=4096, dropout=0.3)
# --8<-- [end:configurations]


# --8<-- [start:layer_parameters]
def attention_parameters(d_model: int) -> int:
    """W_Q, W_K, W_V and W_O, each with a bias, for any number of heads."""
    return 4 * (d_model**2 + d_model)


def feed_forward_parameters(d_model: int, d_ff: int) -> int:
    """W_1, b_1, W_2 and b_2."""
    return 2 * d_model * d_ff + d_ff + d_model


def norm_parameters(d_model: int) -> int:
    """gamma and beta."""
    return 2 * d_model
# --8<-- [end:layer_parameters]


# --8<-- [start:parameters]
def parameters(config: TransformerConfig) -> dict[str, int]:
    """Parameters of a Transformer's parts, and in all, with one embedding matrix.

    Positions are sinusoidal, and have none.
    """
    num_layers, d_model = config.num_layers, config.d_model
    attention = attention_parameters(d_model)
    network = feed_forward_parameters(d_model, config.d_ff)
    norm = norm_parameters(d_model)
    final = norm if config.norm_first else 0
    parts = {
        "embedding": config.vocab_size * d_model,
        "encoder": num_layers * (attention + network + 2 * norm) + final,
        "decoder": num_layers * (2 * attention + network + 3 * norm) + final,
    }
    return parts | {"all": sum(parts.values())}
# --8<-- [end:parameters]


# --8<-- [start:count]
def count(module: nn.Module) -> int:
    """The numbers in a module that training sets; a shared one counts once."""
    return sum(parameter.numel() for parameter in module.parameters())
# --8<-- [end:count]
