"""SmolLM2 with three answered questions before the one that is asked."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.llm.chat import chat_ids
from snippets.llm.prompted_smollm import are_right, pairs
from snippets.llm.tokens import tokenizer
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:forms]
Examples = list[tuple[str, str]]  # countries and capitals


def in_turns(examples: Examples, country: str) -> list[int]:
    """A conversation in which the same question was asked before."""
    question, turns = "What is the capital of {}?", []
    for other, capital in examples:
        turns += [question.format(other), f"The capital of {other} is {capital}."]
    return chat_ids(tokenizer(), [*turns, question.format(country)])


def in_lines(examples: Examples, country: str) -> list[int]:
    """A list to be continued, outside the template."""
    lines = [f"{other}: {capital}\n" for other, capital in examples]
    return tokenizer().encode("".join(lines) + f"{country}:")
# --8<-- [end:forms]


# --8<-- [start:with_examples]
FORMS = {"turns": in_turns, "lines": in_lines}
SETS = [slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12)]


def exchanged(examples: Examples) -> Examples:
    """The same countries, each with the capital of the one before it."""
    names, capitals = zip(*examples, strict=True)
    return list(zip(names, (capitals[-1], *capitals[:-1]), strict=True))


def with_examples(form: str, true: bool) -> Tensor:
    """Whether the answer is right after three examples, (sets, countries)."""
    shown, asked = pairs("capitals")
    wanted, rows = [capital for _, capital in asked], []
    for some in SETS:
        examples = shown[some] if true else exchanged(shown[some])
        prompts = [FORMS[form](examples, country) for country, _ in asked]
        rows.append(are_right(prompts, wanted))
    return torch.stack(rows)


def results() -> dict[str, Tensor]:
    """By form, after true and after false examples. They come with the book."""

    def compute() -> tuple[dict[str, Tensor], dict]:
        found = {f"{form}, true": with_examples(form, True) for form in FORMS}
        found |= {f"{form}, false": with_examples(form, False) for form in FORMS}
        return found, {}

    return kept("shown_examples", "llm/shown_examples", compute)[0]
# --8<-- [end:with_examples]
