"""BLEU: how many n-grams translations share with a reference (Papineni et al., 2002)."""

# --8<-- [start:imports]
import math
from collections import Counter
# --8<-- [end:imports]

# --8<-- [start:of_the_training]
import random
from itertools import pairwise

from snippets.before import dates
from snippets.tools.cached import cached, progress
from snippets.training.translator import DATE_VOCAB, STEPS, date_trainer
from snippets.training.translator import exact_match, translate
# --8<-- [end:of_the_training]


# --8<-- [start:clipped]
def ngram_counts(tokens: list, n: int) -> Counter:
    """How often each n-gram occurs."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def matches(translation: list, reference: list, n: int) -> int:
    """n-grams of a translation that are in the reference, each as often at most."""
    return (ngram_counts(translation, n) & ngram_counts(reference, n)).total()
# --8<-- [end:clipped]


# --8<-- [start:bleu]
def brevity_penalty(length: int, reference_length: int) -> float:
    """1, or less if all translations together are shorter than the references."""
    if length == 0:
        return 0.0
    return min(1.0, math.exp(1 - reference_length / length))


def bleu(
    translations: list[list], references: list[list], longest: int = 4
) -> float:
    """BLEU of a test set, from 0 to 100, with one reference for each translation.

    Raises ValueError if their numbers differ. A test set without a single n-gram
    of some length in common has a BLEU of 0.
    """
    pairs = list(zip(translations, references, strict=True))
    logs = []
    for n in range(1, longest + 1):
        right = sum(matches(ours, theirs, n) for ours, theirs in pairs)
        total = sum(max(0, len(ours) - n + 1) for ours, _ in pairs)
        logs.append(math.log(right / total) if right else -math.inf)
    lengths = (sum(map(len, texts)) for texts in (translations, references))
    return 100 * brevity_penalty(*lengths) * math.exp(sum(logs) / longest)
# --8<-- [end:bleu]


# --8<-- [start:train]
EVERY = 10  # steps between two looks at the model
SEEDS = range(3)
TEST = dates.HELD_OUT[::4]


@cached("bleu")
def train(seed: int) -> dict:
    """Train a date translator; every so many steps, score its translations."""
    trainer = date_trainer(seed)
    sources = [dates.english(date) for date in TEST]
    references = [dates.korean(date) for date in TEST]
    order = random.Random(0).sample(range(len(TEST)), len(TEST))
    others = list(references)  # to each date the reference of another one
    for i, j in pairwise([*order, order[0]]):
        others[i] = references[j]
    looks = {}

    def look() -> dict:
        found = translate(trainer.model, DATE_VOCAB, sources, 13)
        return {
            "bleu": bleu(found, references),
            "others": bleu(found, others),
            "right": exact_match(found, references),
        }

    looks["0"] = look()
    for step in progress(STEPS["dates"], f"{seed=}"):
        trainer.step()
        if (step + 1) % EVERY == 0:
            looks[str(step + 1)] = look()
    return {"looks": looks}


def results() -> list[dict]:
    """What was measured in the training of each seed; trained once, then kept."""
    return train.each((seed,) for seed in SEEDS)
# --8<-- [end:train]
