"""What a translator has learned after so many steps, and what it has it from."""

# --8<-- [start:imports]
import re
from collections import defaultdict

import torch
from torch import Tensor

from snippets.before import dates
from snippets.before.accuracy import exact_match
from snippets.before.vocabulary import BOS
from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training.attention_maps import attention_maps
from snippets.training.decoding import greedy, inference
from snippets.training.translator import (
    DATE_VOCAB,
    STEPS,
    date_trainer,
    translate,
)
# --8<-- [end:imports]


# --8<-- [start:kinds]
def kinds(date) -> list[str]:
    """What each token of the Korean date is for; its form is 년, 월, 일, </s>."""
    kinds = []
    for kind in ("year", "month", "day"):
        kinds += [kind] * len(str(getattr(date, kind))) + ["form"]
    return [*kinds, "weekday", "form"]


def loss_by_kind(
    model: Transformer, src: Tensor, tgt: Tensor, names: list[list[str]]
) -> dict[str, float]:
    """Mean loss of the tokens of each kind, in nats, with teacher forcing.

    src: (batch, n); tgt: (batch, m), from <s> on; names: of each row, the kinds
    of its tokens behind <s>.
    """
    with inference(model):
        log_p = model(src, tgt[:, :-1]).log_softmax(dim=-1)
    losses = -log_p.gather(2, tgt[:, 1:, None]).squeeze(2)
    found = defaultdict(list)
    for row, own in zip(losses.tolist(), names, strict=True):
        for loss, kind in zip(row, own, strict=False):  # then comes padding
            found[kind].append(loss)
    return {kind: sum(row) / len(row) for kind, row in found.items()}
# --8<-- [end:kinds]


# --8<-- [start:written]
MOST = 13  # tokens of the longest date, with </s>
FORM = re.compile(r"\d{4}년\d{1,2}월\d{1,2}일[월화수목금토일]요일")


def written(model: Transformer, test_set: list) -> tuple[float, float]:
    """Shares of the translations that have the form of a date, and are right."""
    sentences = [dates.english(date) for date in test_set]
    found = translate(model, DATE_VOCAB, sentences, MOST)
    formed = [bool(FORM.fullmatch("".join(tokens))) for tokens in found]
    right = exact_match(found, [dates.korean(date) for date in test_set])
    return sum(formed) / len(found), right
# --8<-- [end:written]


# --8<-- [start:looked_up]
def looked_up(model: Transformer, date) -> tuple[list[str], Tensor]:
    """What it generates for a date, token by token, and where it looks for it.

    The cross-attention of the last layer, averaged over its heads: (m, n).
    """
    src, _ = dates.batch([date], DATE_VOCAB)
    ids = greedy(model, src, MOST)  # (1, m)
    tgt = torch.cat([torch.full_like(ids[:, :1], BOS), ids[:, :-1]], dim=1)
    with inference(model):
        maps = attention_maps(model, src, tgt)
    weights = maps["decoder.layers.1.cross_attention"][0].mean(dim=0)
    return [DATE_VOCAB.tokens[i] for i in ids[0].tolist()], weights
# --8<-- [end:looked_up]


# --8<-- [start:train]
EVERY, SEEDS = 10, range(3)  # steps between two looks at the model
TEST = dates.HELD_OUT[::4]
#: For each date of the test set, another one.
OTHER = torch.randperm(
    len(TEST), generator=torch.Generator().manual_seed(1), device="cpu"
)
SHOWN = [dates.HELD_OUT[place] for place in (455, 436, 204)]


def followed(model: Transformer, src: Tensor, tgt: Tensor) -> float:
    """How often the most probable day of the week is that of the other source.

    Of the dates whose own day is another one, with teacher forcing.
    """
    days = [DATE_VOCAB.ids[dates.korean(date)[-1]] for date in TEST]
    own = torch.tensor(days, device=tgt.device)
    place = [kinds(date).index("weekday") for date in TEST]
    with inference(model):
        logits = model(src, tgt[:, :-1])
    best = logits[range(len(TEST)), place].argmax(dim=-1)
    other = own[OTHER]
    return (best == other)[own != other].double().mean().item()


@cached("learning_order")
def train(seed: int) -> dict:
    """Train a date translator, and look at it every so many steps."""
    trainer = date_trainer(seed)
    model, looks = trainer.model, {}
    src, tgt = dates.batch(TEST, DATE_VOCAB)
    names = [kinds(date) for date in TEST]
    examples = SHOWN if seed == SEEDS[0] else []

    def look() -> dict:
        formed, right = written(model, TEST)
        return {
            "own": loss_by_kind(model, src, tgt, names),
            "other": loss_by_kind(model, src[OTHER], tgt, names),
            "followed": followed(model, src[OTHER], tgt),
            "formed": formed,
            "right": right,
            "shown": [shown(*looked_up(model, date)) for date in examples],
        }

    looks["0"] = look()
    for step in progress(STEPS["dates"], f"{seed=}"):
        trainer.step()
        if (step + 1) % EVERY == 0:
            looks[str(step + 1)] = look()
    last = looks[str(step + 1)]["right"]
    return {"losses": trainer.losses, "exact match": last, "looks": looks}


def shown(tokens: list[str], weights: Tensor) -> dict:
    """For a file: with three digits behind the point."""
    rows = (weights * 1000).round().int().tolist()
    return {"tokens": tokens, "weights": rows}


def results() -> list[dict]:
    """What was seen in the training of each seed; trained once, then kept."""
    return train.each((seed,) for seed in SEEDS)
# --8<-- [end:train]
