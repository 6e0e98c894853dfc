"""Does cross-attention align words, or does the model only remember? Five training runs, and a control."""

# --8<-- [start:imports]
import torch

from snippets.before.vocabulary import PAD
from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training.decoding import inference
from snippets.training.one_pair import (
    KOREAN,
    NEW,
    PAIRS,
    STEPS,
    VOCAB,
    batch,
    cross_attention,
    cut,
    pair_trainer,
)
from snippets.training.translator import translate
# --8<-- [end:imports]


# --8<-- [start:aligned]
def attended(model: Transformer, pairs: list[tuple[str, str]]) -> list[list[str]]:
    """For each token of each translation, the source token with most weight."""
    src, tgt = batch(pairs)
    best = cross_attention(model, src, tgt).argmax(dim=-1)
    found = [[VOCAB.tokens[src[i, j]] for j in row] for i, row in enumerate(best)]
    return [row[: len(cut(ko))] for row, (_, ko) in zip(found, pairs, strict=True)]


def meanings(token: str) -> list[str]:
    """The English of a Korean token, as tokens: two for 산다, live and buy."""
    return KOREAN.get(token, "").lower().split("/")


def aligned(pairs: list[tuple[str, str]], looked_at: list[list[str]]) -> float:
    """Of the Korean tokens whose English is in the source, how many look at it."""
    hits = [
        word in meanings(token)
        for (english, korean), words in zip(pairs, looked_at, strict=True)
        for token, word in zip(cut(korean), words, strict=True)
        if set(meanings(token)) & set(cut(english))
    ]
    return sum(hits) / len(hits)
# --8<-- [end:aligned]


# --8<-- [start:hidden]
def wrong_without(model: Transformer, pairs: list[tuple[str, str]]) -> list[float]:
    """How many Korean tokens with a counterpart are predicted wrong, as shares.

    If cross-attention does not see the counterpart; if it does not see the
    full stop instead.
    """
    wrong: list[list[bool]] = [[], []]
    for pair in pairs:
        src, tgt = batch([pair])
        source = cut(pair[0])
        for i, token in enumerate(cut(pair[1])):
            english = meanings(token)
            if own := [j for j, word in enumerate(source) if word in english]:
                for kind, hidden in enumerate([own, [source.index(".")]]):
                    seen = src.clone()
                    seen[0, hidden] = PAD  # no cross-attention looks at padding
                    with inference(model):
                        logits = model.decode(tgt[:, :-1], model.encode(src), seen)
                    best = logits[0, i].argmax()
                    wrong[kind].append((best != tgt[0, i + 1]).item())
    return [sum(kind) / len(kind) for kind in wrong]
# --8<-- [end:hidden]


# --8<-- [start:train]
def exchanged(pairs: list[tuple[str, str]], seed: int) -> list[tuple[str, str]]:
    """The same sentences, but each with the translation of another, at random."""
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(pairs), generator=generator, device="cpu").tolist()
    others = order[1:] + order[:1]
    return [(pairs[i][0], pairs[j][1]) for i, j in zip(order, others, strict=True)]


@cached("alignment")
def train(is_exchanged: bool, seed: int) -> dict:
    """Train a translator on the pairs, and look at what it has learned."""
    pairs = exchanged(PAIRS, seed) if is_exchanged else PAIRS
    trainer = pair_trainer(pairs, seed)
    for _ in progress(STEPS, f"{seed=}"):
        trainer.step()
    model = trainer.model.eval()

    def translated(sources: list[list[str]]) -> list[str]:
        found = translate(model, VOCAB, sources, max_new_tokens=15)
        return [" ".join(tokens) for tokens in found]

    sources = [cut(english) for english, _ in pairs]
    looked_at = attended(model, pairs)
    return {
        "losses": trainer.losses,
        "known": translated(sources),
        "new": translated([cut(english) for english, _ in NEW]),
        "reversed": translated([source[::-1] for source in sources]),
        "looked at": looked_at,
        "aligned": aligned(pairs, looked_at),
        "wrong": wrong_without(model, pairs),
    }


def results() -> list[dict]:
    """What was seen of five training runs; trained once, then kept."""
    return train.each((False, seed) for seed in range(5))


def control() -> list[dict]:
    """The same of five training runs on shuffled translations."""
    return train.each((True, seed) for seed in range(5))

# --8<-- [end:train]
