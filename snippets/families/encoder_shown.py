"""What the pages show of the published encoder: kept results, by a function for each."""

# --8<-- [start:encoder_shown]
from torch import Tensor

from snippets.families.encoder_views import look


def pieces(*texts: str) -> tuple[list[str], list[int], list[int]]:
    """Of a text or a pair: tokens, their ids, their segments."""
    found = look("tokens", *texts)
    return found["tokens"], found["ids"], found["segments"]


def sentence_vectors(*texts: str) -> Tensor:
    """Sentence embeddings of norm 1: (len(texts), d_model)."""
    return look("embeddings", *texts)["weights"]["embeddings"]


def all_maps(*texts: str) -> Tensor:
    """Attention of a text or a pair: (layers, heads, n, n)."""
    return look("attention", *texts)["weights"]["maps"].float()


def queries_and_keys(text: str, layer: int, head: int) -> tuple[Tensor, Tensor]:
    """Those of one head: (n, d_k) each."""
    found = look("neurons", text)["weights"]
    queries, keys = found["queries"].float(), found["keys"].float()
    return queries[layer, head], keys[layer, head]


def head_means(*texts: str) -> dict[str, Tensor]:
    """Where each head looks, on average over the texts: (layers, heads) each."""
    return look("heads", *texts)["weights"]


def without_segments(*pair: str) -> float:
    """The cosine of a pair's embeddings with and without segment 1."""
    return look("segments", *pair)["cosine"]


def importance(text: str) -> dict[str, list[float]]:
    """By measure, a number for each token: attention received, and effects."""
    return look("importance", text)


def sink(text: str) -> dict:
    """[CLS] taken away piece by piece: 1 - cosine; and the norms of its values."""
    return look("sink", text)
# --8<-- [end:encoder_shown]
