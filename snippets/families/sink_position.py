"""Is it the token [CLS] or position 0 that collects attention? One without the other."""

# --8<-- [start:imports]
import torch
from torch import Tensor
from torch.nn.functional import normalize

from snippets.families.bert import Bert
from snippets.families.encoder_views import ORDINARY, SENTENCES
from snippets.families.real_encoder import encode, real_encoder
from snippets.tools.cached import cached
from snippets.tools.tracing import outputs
# --8<-- [end:imports]


# --8<-- [start:at_positions]
def at_positions(
    model: Bert, ids: Tensor, positions: Tensor
) -> tuple[Tensor, Tensor]:
    """One sentence with positions of one's own: ids, positions (n,).

    Returns the attention each token receives, averaged over layers, heads and
    queries, (n,), and the sentence embedding, (d_model,).
    """
    x = model.tokens(ids) + model.positions(positions)
    x = model.norm(x + model.segments(torch.zeros_like(ids))).unsqueeze(0)
    returned = dict(outputs(model.encoder, x))
    layers = range(len(model.encoder.layers))
    maps = torch.stack([returned[f"layers.{i}.attention"][1] for i in layers])
    (hidden,) = returned[""]  # (1, n, d_model)
    return maps.mean(dim=(0, 1, 2, 3)), normalize(hidden.mean(dim=1), dim=-1)[0]
# --8<-- [end:at_positions]


# --8<-- [start:sinks]
SHIFTS = (0, 1, 50)


@torch.no_grad()
def apart(model: Bert, tokenizer, text: str) -> dict[str, list[float]]:
    """[CLS] or an ordinary word in front, with position 0 or without.

    For each, the attention that the first token receives, the most that another
    one does, and how far the embedding moves, 1 - cosine. "both": what [CLS]
    and a word receive when they exchange positions, averaged over the words.
    """
    ids = encode(tokenizer, [text])[0]
    positions = torch.arange(len(ids), device=ids.device)
    _, whole = at_positions(model, ids, positions)
    found = {}
    for token in ["[CLS]", *ORDINARY]:
        changed = ids.clone()
        changed[0] = tokenizer.token_to_id(token)
        for shift in SHIFTS:
            received, moved = at_positions(model, changed, positions + shift)
            numbers = [received[0], received[1:].max(), 1 - moved @ whole]
            found[f"{token} {shift}"] = torch.stack(numbers).tolist()
    both = []
    for j in range(1, len(ids) - 1):
        exchanged = positions.clone()
        exchanged[0], exchanged[j] = j, 0
        received, _ = at_positions(model, ids, exchanged)
        both.append(received[[0, j]])
    return found | {"both": torch.stack(both).mean(dim=0).tolist()}


@cached("sink_position")
def sinks_apart(text: str) -> dict[str, list[float]]:
    """That of the published encoder. It comes with the book."""
    return apart(*real_encoder(), text)


def results() -> list[dict[str, list[float]]]:
    """Of each of the 24 sentences."""
    return [sinks_apart(text) for text in SENTENCES]
# --8<-- [end:sinks]
