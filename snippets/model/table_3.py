"""Which size of the vocabulary would explain table 3 of the 2017 paper."""

# --8<-- [start:imports]
from dataclasses import replace
from math import ceil, floor

from snippets.model.sizes import BASE, parameters
# --8<-- [end:imports]


# --8<-- [start:table_3]
TABLE_3 = [  # what differs from base, and millions of parameters
    ("base", {}, 65),
    ("N = 2", {"num_layers": 2}, 36),
    ("N = 4", {"num_layers": 4}, 50),
    ("N = 8", {"num_layers": 8}, 80),
    ("d_model = 256", {"d_model": 256}, 28),
    ("d_model = 1024", {"d_model": 1024}, 168),
    ("d_ff = 1024", {"d_ff": 1024}, 53),
    ("d_ff = 4096", {"d_ff": 4096}, 90),
    ("d_k = 16", {"d_k": 16}, 58),
    ("d_k = 32", {"d_k": 32}, 60),
    ("big", {"d_model": 1024, "d_ff": 4096, "num_heads": 16}, 213),
]
# --8<-- [end:table_3]


# --8<-- [start:without_embeddings]
def without_embeddings(d_k: int | None = None, **changes) -> tuple[int, int]:
    """d_model, and the parameters of all layers, for one row of table 3."""
    config = replace(BASE, **changes)
    parts, d = parameters(config), config.d_model
    fewer = 0 if d_k is None else d - config.num_heads * d_k
    fewer *= 2 * (d + 1)  # columns of W_Q and W_K, with their biases
    attentions = 3 * config.num_layers
    return d, parts["encoder"] + parts["decoder"] - attentions * fewer
# --8<-- [end:without_embeddings]


# --8<-- [start:vocabulary_range]
def vocabulary_range(changes: dict, millions: int) -> tuple[int, int]:
    """The least and the greatest V with which a row has so many millions."""
    d, layers = without_embeddings(**changes)
    low = ceil(((millions - 0.5) * 1e6 - layers) / d)
    high = floor(((millions + 0.5) * 1e6 - layers) / d)
    return low, high
# --8<-- [end:vocabulary_range]
