"""Whether a result that is trained anew agrees with the kept one: ``python -m book results --check``."""

from __future__ import annotations

import math
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from snippets.tools import kept
from snippets.tools.results import found

if TYPE_CHECKING:
    from book.artifacts.results import Trained

#: Steps of a training in which the losses have to agree, and how closely. Later, rounding grows without bound.
#: Found: of sgd, smoothed and the two recurrent translators of dates, losses 2e-7 apart (``default``, ``float64``).
STEPS, TOLERANCE = 10, 1e-3
#: By how much a share of right answers, or bits per character, may differ after another training.
MARGIN = 0.1


def shares(one: Trained) -> dict[str, float]:
    """What shares of their examinations the models of a result get right."""
    from snippets.training import numbers
    from snippets.training import translator as t

    made: dict[str, Any] = one.make()
    if one.module == "before/constitution_vectors":  # how many neighbors another seed finds again
        one_seed, another = made["results"]["nearest-2"][:2]
        return {"found again": (one_seed.unsqueeze(-1) == another.unsqueeze(-2)).any(-1).float().mean().item()}
    if one.module.startswith("before/"):
        from snippets.before.recurrent_translator import date_exact_match

        if one.name.endswith("-dates"):
            return {"dates": date_exact_match(*made.values())}
        return {name: curve.mean().item() for curves in made.values() for name, curve in curves.items()}
    if one.module == "families/constitution_bert":
        from snippets.families.constitution_bert import ranks, text_of

        (model, _), own = made["trained"], text_of(*one.arguments)
        return {"gaps": (ranks(model, own, own.test) == 0).float().mean().item()}
    if one.name == "dates-0":
        return {"dates": t.date_exact_match(made["trained"].model)}
    if one.name == "numbers-0":
        asked = [n for n in range(1_000, 10**5, 299) if numbers.is_held_out(n)]
        written = t.translate(made["trained"].model, t.NUMBER_VOCAB, [numbers.english(n) for n in asked])
        return {"numbers": t.exact_match(written, [numbers.korean(n) for n in asked])}
    if one.name in ("prompted_smollm", "shown_examples"):
        return {name: answers.double().mean().item() for name, answers in made["results"].items()}
    if one.name == "vision_transformer":
        from snippets.families.vision_training import RUNS, by_seed

        return {name: by_seed(name, "accuracies")[:, -1].mean().item() for name in RUNS}
    return _means(made)


def _measure(run: object) -> float | None:
    """What a run gets right, or the bits per character that a language model needs for what was held out."""
    if not isinstance(run, dict):
        return None
    if "held out" in run:  # by step
        return run["held out"][-1]
    return run.get("exact match", run.get("test"))


def _means(made: dict, where: str = "") -> dict[str, float]:
    """Of what some functions return, the mean over the runs with each setting, where there is something to compare."""
    if (measure := _measure(made)) is not None:
        return {where: measure}
    shares = {}
    for name, value in made.items():
        if isinstance(value, list):  # over seeds
            if found := [measure for run in value if (measure := _measure(run)) is not None]:
                shares[f"{where}/{name}"] = statistics.mean(found)
        elif isinstance(value, dict):
            shares |= _means(value, f"{where}/{name}")
    return shares


#: What a model writes before it has learned to: any rounding may make it another token.
SHOWN = "/shown"


def differences(old: object, new: object, where: str = "") -> list[str]:
    """Where two results differ: in their names, or in the first steps of what was noted step by step."""
    if where.endswith(SHOWN):
        return []
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        pairs = [(f"{where}/{key}", old[key], new[key]) for key in old]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        if all(isinstance(number, float) for number in [*old, *new]):
            first = enumerate(zip(old[:STEPS], new[:STEPS], strict=True))
            steps = [i for i, pair in first if not math.isclose(*pair, rel_tol=TOLERANCE)]  # nan is close to nothing
            return [f"{where}: step {i + 1} had {old[i]:.6g}, now {new[i]:.6g}" for i in steps[:1]]
        pairs = [(f"{where}/{number}", *pair) for number, pair in enumerate(zip(old, new, strict=True))]
    else:
        numbers = isinstance(old, float) and isinstance(new, float)  # of the end, such as seconds
        return [] if numbers or old == new else [f"{where}: another shape"]
    return [difference for name, a, b in pairs for difference in differences(a, b, name)]


def check(one: Trained) -> list[str]:
    """Train it anew, and say how that differs from what the repository holds."""
    code = one.code
    if (old := found(kept.RESULTS / one.name, code)) is None:
        return [f"{one.name}: was made by other code, or not at all; run: python -m book results"]
    before, places = shares(one), (kept.RESULTS, kept.CACHE)
    with tempfile.TemporaryDirectory() as folder:
        kept.RESULTS = kept.CACHE = Path(folder)
        try:
            after = shares(one)
            new = found(kept.CACHE / one.name, code)
        finally:
            kept.RESULTS, kept.CACHE = places
    assert new is not None, "it has just been made"
    said = differences(old[0], new[0], one.name)
    said += [
        f"{one.name}: {name}: {before[name]:.3f} on what was held out, now {after[name]:.3f}"
        for name in before
        if abs(before[name] - after[name]) > MARGIN
    ]
    return said
