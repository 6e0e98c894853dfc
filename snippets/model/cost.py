"""What a layer costs: multiplications by formula, as in the paper's table 1."""

# --8<-- [start:multiplications]
def self_attention(n: int, d: int) -> int:
    """Q K^T and the weighted sum of values, without projections: n^2 d each."""
    return 2 * n**2 * d


def restricted_attention(n: int, d: int, r: int) -> int:
    """The same where each position attends to r of them: n r d each."""
    return 2 * r * n * d


def recurrent(n: int, d: int) -> int:
    """x W + h U at each of n positions, one after the other."""
    return 2 * n * d**2


def convolution(n: int, d: int, k: int) -> int:
    """A kernel over k positions, from d channels to d, at each of n positions."""
    return k * n * d**2
# --8<-- [end:multiplications]


# --8<-- [start:encoder_layer]
def encoder_layer(n: int, d_model: int, d_ff: int) -> dict[str, int]:
    """Multiplications of the parts of an encoder layer, for n positions."""
    return {
        "projections": 4 * n * d_model**2,
        "attention": self_attention(n, d_model),
        "feed-forward": 2 * n * d_model * d_ff,
    }
# --8<-- [end:encoder_layer]
