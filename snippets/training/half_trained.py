"""The translator of number words before it has learned enough: what goes wrong."""

# --8<-- [start:imports]
import torch
import torch.nn.functional as F
from torch import Tensor

from snippets.before.vocabulary import pad
from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training import numbers
from snippets.training.decoding import beam_search, greedy, inference
from snippets.training.translator import NUMBER_VOCAB, number_trainer
# --8<-- [end:imports]


# --8<-- [start:after_a_mistake]
def after_a_mistake(model: Transformer, src: Tensor, tgt: Tensor) -> dict:
    """How many tokens after the first wrong one are right, of how many.

    src: (batch, n); tgt: (batch, m), from <s> to </s>. "forced": with the true
    tokens before them; "own": with the model's own. In all sentences, and in
    those that the model makes as long as tgt.
    """
    right = F.pad(tgt[:, 1:], (0, 1), value=model.pad_id)  # one more may come
    counts = right != model.pad_id
    own = greedy(model, src, right.size(1))
    own = F.pad(own, (0, right.size(1) - own.size(1)), value=model.pad_id)
    with inference(model):
        forced = model(src, tgt).argmax(dim=-1)
    wrong = (own != right) & counts
    behind = (wrong.cumsum(dim=1) - wrong.int() > 0) & counts
    as_long = ((own == model.pad_id) == ~counts).all(dim=1, keepdim=True)
    return {
        name: {
            "tokens": places.sum().item(),
            "forced": (forced == right)[places].sum().item(),
            "own": (own == right)[places].sum().item(),
        }
        for name, places in [("all", behind), ("as long", behind & as_long)]
    }
# --8<-- [end:after_a_mistake]


# --8<-- [start:by_beam]
def by_beam(model: Transformer, chosen: list[int], beam_size: int) -> dict:
    """How many numbers come out right, and the mean log-probability."""
    right, total = 0, 0.0
    for n in chosen:
        src = pad([NUMBER_VOCAB.encode(numbers.english(n))])
        ids, score = beam_search(model, src, beam_size, 25, alpha=0.0)
        right += NUMBER_VOCAB.decode(ids) == numbers.korean(n)
        total += score
    return {"right": right, "log p": total / len(chosen)}
# --8<-- [end:by_beam]


# --8<-- [start:train]
HELD_OUT = [n for n in range(10_000, 100_000, 13) if numbers.is_held_out(n)]
FEW = HELD_OUT[::6]  # for beams, which are slower
BEAMS = [1, 2, 4, 8]


@cached("half_trained")
def train(steps: int, seed: int) -> dict:
    """Stop the training after so many steps."""
    trainer = number_trainer(seed)
    for _ in progress(steps, f"{steps=}, {seed=}"):
        trainer.step()
    model = trainer.model
    mistakes = after_a_mistake(model, *numbers.batch(HELD_OUT, NUMBER_VOCAB))
    beams = {str(size): by_beam(model, FEW, size) for size in BEAMS}
    return {"mistakes": mistakes, "beams": beams}
# --8<-- [end:train]


# --8<-- [start:results]
STOPS, SEEDS = [100, 140, 200], range(3)


def results() -> dict[int, list[dict]]:
    """Stopped after each of STOPS, with each seed; trained once, then kept."""
    return {
        steps: train.each((steps, seed) for seed in SEEDS) for steps in STOPS
    }
# --8<-- [end:results]


# --8<-- [start:to_blame]
def log_p(model: Transformer, src: Tensor, tgt: Tensor) -> Tensor:
    """Of each sentence after <s>, padded: (batch, n), (batch, m) -> (batch,)."""
    with inference(model):
        steps = model(src, tgt[:, :-1]).log_softmax(dim=-1)  # (batch, m - 1, V)
    tokens = steps.gather(2, tgt[:, 1:, None]).squeeze(2)
    return tokens.masked_fill(tgt[:, 1:] == model.pad_id, 0.0).sum(dim=1)


@cached("to_blame")
def to_blame(steps: int, seed: int) -> dict:
    """Of greedy translations: how many are wrong, and who is to blame for it.

    The search, if the model prefers the right sentence to the one found; the
    model otherwise, and then to look for more probable ones does not help.
    """
    trainer = number_trainer(seed)
    for _ in progress(steps, f"{steps=}, {seed=}"):
        trainer.step()
    src, right = numbers.batch(HELD_OUT, NUMBER_VOCAB)
    found = greedy(trainer.model, src, 25)
    found = torch.cat([right[:, :1], found], dim=1)  # <s> in front
    decode = NUMBER_VOCAB.decode
    pairs = zip(found.tolist(), right.tolist(), strict=True)
    wrong = torch.tensor([decode(one) != decode(other) for one, other in pairs])
    p_right, p_found = (log_p(trainer.model, src, tgt) for tgt in (right, found))
    return {
        "wrong": wrong.sum().item(),
        "search error": (wrong & (p_right > p_found)).sum().item(),
        "of": len(HELD_OUT),
    }


def errors() -> dict[int, list[dict]]:
    """Stopped after each of STOPS, with each seed; trained once, then kept."""
    return {
        steps: to_blame.each((steps, seed) for seed in SEEDS) for steps in STOPS
    }
# --8<-- [end:to_blame]
