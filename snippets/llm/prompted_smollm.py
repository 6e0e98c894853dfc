"""SmolLM2 asked the same questions in other words: which answers are right."""

# --8<-- [start:imports]
import csv

import torch
from torch import Tensor

from snippets import ROOT
from snippets.llm.chat import END, chat_ids
from snippets.llm.prompts import answers, right
from snippets.llm.smollm import smollm2
from snippets.llm.tokens import tokenizer
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:wordings]
WORDINGS = [
    "What is {}?",
    "What's {}?",
    "what is {}",
    "{}?",
    "Name {}.",
    "Tell me {}.",
    "Please tell me what {} is.",
    "I would like to know {}.",
    "Do you know what {} is?",
    "You are an expert. What is {}?",
    "What is {}? This is very important to me.",
    "What is {}? Answer with one word.",
]
TASKS = {"capitals": "the capital of {}", "verbs": "the past tense of {}"}
TEXTS = ROOT / "snippets" / "llm" / "texts"


def pairs(task: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Questions and answers: twelve for examples, and those that are asked."""
    with (TEXTS / f"{task}.csv").open(encoding="utf-8") as file:
        rows = [(row["question"], row["answer"]) for row in csv.DictReader(file)]
    return rows[:12], rows[12:]
# --8<-- [end:wordings]


# --8<-- [start:asked]
def are_right(prompts: list[list[int]], wanted: list[str]) -> Tensor:
    """Whether the answers to prompts, as ids, are right: (questions,)."""
    of = tokenizer()
    said = answers(smollm2(), prompts, of.control[END], max_new_tokens=24)
    found = [right(of.decode(a), b) for a, b in zip(said, wanted, strict=True)]
    return torch.tensor(found)


def by_wording(task: str) -> Tensor:
    """Whether the answer is right, (wordings, questions)."""
    of, asked = tokenizer(), pairs(task)[1]
    things = [TASKS[task].format(question) for question, _ in asked]
    wanted, rows = [answer for _, answer in asked], []
    for wording in WORDINGS:
        prompts = [chat_ids(of, [wording.format(thing)]) for thing in things]
        rows.append(are_right(prompts, wanted))
    return torch.stack(rows)


def results() -> dict[str, Tensor]:
    """By task, which answers are right. They come with the book."""

    def compute() -> tuple[dict[str, Tensor], dict]:
        return {task: by_wording(task) for task in TASKS}, {}

    return kept("prompted_smollm", "llm/prompted_smollm", compute)[0]
# --8<-- [end:asked]
