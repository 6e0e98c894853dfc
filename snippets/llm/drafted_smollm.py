"""SmolLM2 with drafts from the text before: how many passes its answers take."""

# --8<-- [start:imports]
from snippets.llm.chat import END, chat_ids, generated
from snippets.llm.smollm import smollm2
from snippets.llm.speculative import look_up, passes
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


def in_pieces(task: str) -> list[str]:
    """What each pass adds to the text, with drafts of at most eight tokens."""
    ids, answer = answer_ids(task)
    new = passes(smollm2(), ids, len(answer), look_up(49_152, GAMMAS[-1]))
    return [tokenizer().decode(some) for some in new]


def all_counts() -> dict:
    return {
        "counted": {task: counted(task) for task in TASKS},
        "copied": in_pieces("copy"),
    }


def counts() -> dict:
    """Passes by task, and the copied text pass by pass; they come with the book."""
    name, module = "drafted_smollm", "llm/drafted_smollm"
    return kept(name, module, lambda: ({}, all_counts()))[1]
# --8<-- [end:counted]
