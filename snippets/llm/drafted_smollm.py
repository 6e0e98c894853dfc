"""SmolLM2 with drafts: how many passes its answers take, and how good drafts are."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.llm.chat import END, chat_ids, generated
from snippets.llm.smollm import smollm2
from snippets.llm.speculative import first_layers, look_up, passes
from snippets.llm.tokens import tokenizer
from snippets.tools.kept import kept
# --8<-- [end:imports]


# --8<-- [start:tasks]
NOTE = (
    "The library opens at nine on Monday and at ten on Saturday. It is closed on "
    "Sunday. Returned books go into the blue box beside the main entrance."
)
TASKS = {
    "copy": f"{NOTE}\n\n{NOTE[:19]}",  # not a question: it is continued
    "code": "Write a Python class for a stack with push, pop, peek and is_empty.",
    "squares": "List the squares of the numbers from 1 to 12, one on each line.",
    "explain": "Why is the sky blue?",
    "story": "Tell me a short story about a fox who learns to swim.",
}
GAMMAS, TOKENS = [2, 4, 8], 40
LAYERS = [10, 20, 25, 28]  # of 30
# --8<-- [end:tasks]


# --8<-- [start:counted]
def answer_ids(task: str) -> tuple[list[int], list[int]]:
    """A prompt, and the first 40 tokens of the greedy answer, one token a pass."""
    of = tokenizer()
    ids = of.encode(TASKS[task]) if task == "copy" else chat_ids(of, [TASKS[task]])
    return ids, list(generated(smollm2(), ids, of.control[END], TOKENS))


def counted(task: str) -> dict:
    """Passes for the same tokens with each length of the draft; accepted or not."""
    ids, answer = answer_ids(task)
    found: dict = {"tokens": len(answer), "passes": {}}
    for gamma in GAMMAS:
        draft = look_up(49_152, gamma)
        new = list(passes(smollm2(), ids, len(answer), draft))
        assert [i for some in new for i in some] == answer  # token for token
        found["passes"][str(gamma)] = [len(some) for some in new]
    return found


@torch.inference_mode()
def agreement(task: str) -> dict[str, list[float]]:
    """Of drafts by the first layers along an answer: accepted on average.

    Greedy, and at temperature 1, where a token is accepted with the probability
    sum(min(p, q)).
    """
    ids, answer = answer_ids(task)
    read = torch.tensor([ids + answer])
    last = slice(len(ids) - 1, -1)

    def probabilities(number: int) -> Tensor:
        return first_layers(smollm2(), number)(read)[0, last].softmax(dim=-1)

    p, found = probabilities(30), {}
    for number in LAYERS:
        q = probabilities(number)
        same = (p.argmax(-1) == q.argmax(-1)).float().mean().item()
        found[str(number)] = [same, torch.minimum(p, q).sum(-1).mean().item()]
    return found


def all_counts() -> dict:
    return {
        "counted": {task: counted(task) for task in TASKS},
        "agreement": {task: agreement(task) for task in TASKS},
    }


def counts() -> dict:
    """By task: passes, and how often drafts of the first layers are accepted.

    They come with the book.
    """
    name, module = "drafted_smollm", "llm/drafted_smollm"
    return kept(name, module, lambda: ({}, all_counts()))[1]
# --8<-- [end:counted]
