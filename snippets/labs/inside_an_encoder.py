"""A published encoder without its heads: what does it still know of a sentence?"""

# --8<-- [start:imports]
import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from snippets.families.bert import Bert
from snippets.families.encoder_views import SENTENCES
from snippets.families.real_encoder import encode, real_encoder
from snippets.families.sentence_embeddings import embed
from snippets.tools.paraphrases import COMPOUNDS, PARAPHRASES
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:switched_off]
HEADS = list(itertools.product(range(6), range(12)))  # (layer, head)


@contextmanager
def switched_off(model: Bert, heads: tuple) -> Iterator[None]:
    """Meanwhile, these heads are off: what each adds is 0."""
    layers = model.encoder.layers
    matrices = [layer.attention.w_o.weight.detach() for layer in layers]
    saved = [matrix.clone() for matrix in matrices]
    for layer, head in heads:  # d_k columns of W_O.weight belong to each
        num_heads = layers[layer].attention.num_heads
        matrices[layer].unflatten(1, (num_heads, -1))[:, head] = 0
    try:
        yield
    finally:
        for matrix, before in zip(matrices, saved, strict=True):
            matrix.copy_(before)
# --8<-- [end:switched_off]


# --8<-- [start:measure]
def in_sentences() -> list[str]:
    """Four for each pair of nouns: the compound, the reversed one, what each is."""
    found = []
    for words, what, other in COMPOUNDS:
        first, second = words.split()
        named = f"the {words}", f"the {second} {first}", what, other
        found += [f"They talked about {thing}." for thing in named]
    return found


@cached("inside_an_encoder")
def measure(heads: tuple = ()) -> dict:
    """With these heads off: is the right one the closest?

    "found": of how many sentences it is their paraphrase, among all of them;
    "words" and "order": for each description, its cosine with the
    right compound less that with another one, or with the reversed one.
    """
    model, tokenizer = real_encoder()
    with switched_off(model, heads):
        texts = embed(model, encode(tokenizer, SENTENCES + PARAPHRASES))
        nouns = embed(model, encode(tokenizer, in_sentences()))
    sentences, paraphrases = texts.chunk(2)
    closest = (sentences @ paraphrases.T).argmax(dim=1)
    named, turned, what, other = nouns.unflatten(0, (-1, 4)).unbind(dim=1)
    meant, right = torch.cat([what, other]), torch.cat([named, turned])
    found: dict = {"found": (closest == torch.arange(len(closest))).sum().item()}
    wrong = {"words": right.roll(1, 0), "order": torch.cat([turned, named])}
    for name, candidates in wrong.items():
        margins = (meant * (right - candidates)).sum(dim=1)
        found[name] = [round(margin, 5) for margin in margins.tolist()]
    return found
# --8<-- [end:measure]


# --8<-- [start:results]
def halves() -> list[tuple]:
    """Half of the heads, drawn at random, with three seeds."""
    return [tuple(random.Random(seed).sample(HEADS, 36)) for seed in range(3)]


def results() -> list[dict]:
    """With all heads, without any, and three times without half of them."""
    return measure.each([(), (tuple(HEADS),), *((half,) for half in halves())])
# --8<-- [end:results]
