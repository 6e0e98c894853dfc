"""SmolLM2 learns to turn requests into calls, by LoRA, on one core."""

# --8<-- [start:imports]
from functools import cache
from itertools import product

import torch
from torch import Generator

from snippets.llm.chat import END, chat_ids, generated
from snippets.llm.layouts import windows
from snippets.llm.smollm import smollm2
from snippets.llm.tokens import tokenizer
from snippets.llm.tuning import (
    IGNORED,
    adapted,
    answer_loss,
    bare,
    batch,
    labeled,
    log_probabilities,
)
from snippets.families.llama import Llama
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:task]
WORDS = {  # no device and no room is in two of these sets
    "training": (
        """lamp heater fan radio oven kettle printer freezer speaker toaster
        mixer shower stove computer camera alarm""".split(),
        """kitchen bathroom garage office bedroom hallway cellar attic balcony
        nursery lobby""".split(),
    ),
    "validation": ("washer blender monitor".split(), "pantry shed lounge".split()),
    "test": (
        "television dishwasher humidifier projector".split(),
        "library garden workshop studio".split(),
    ),
}
REQUESTS = {
    "Turn on the {} in the {}.": True,
    "Could you switch off the {} in the {}?": False,
    "I want the {} running in the {}.": True,
    "Nobody needs the {} in the {} any more.": False,
}
TASK = "Turn each request into one call."


def requests(words: str) -> list[tuple[str, str]]:
    """All requests of one set of WORDS, each with its call."""
    return [
        (request.format(device, room), f'switch("{device}", "{room}", on={on})')
        for (request, on), device, room in product(REQUESTS.items(), *WORDS[words])
    ]


def drawn(words: str, count: int, seed: int) -> list[tuple[str, str]]:
    """So many different ones."""
    everything = requests(words)
    order = torch.randperm(len(everything), generator=Generator().manual_seed(seed))
    return [everything[i] for i in order[:count]]
# --8<-- [end:task]


# --8<-- [start:measures]
def shown_first(examples: list[tuple[str, str]]) -> str:
    """The task, with examples: what can be had without any training."""
    lines = [f"{request} -> {call}" for request, call in examples]
    return "\n".join([TASK, *lines])


@torch.inference_mode()
def examined(model: Llama, examples: list[tuple[str, str]], system: str) -> dict:
    """Loss of a token of the calls, and which calls the model makes exactly.

    Greedy decoding makes a call exactly if each of its tokens is the most
    probable one after those before it, so one pass is enough to know.
    """
    of, losses, exact = tokenizer(), [], []
    for k in range(0, len(examples), 4):
        some = [labeled(of, *one, system) for one in examples[k : k + 4]]
        ids, labels = batch(some)
        logits = model(ids)
        counts = (labels != IGNORED).sum(dim=-1)
        losses += (-log_probabilities(logits, labels) / counts).tolist()
        right = logits[:, :-1].argmax(dim=-1) == labels[:, 1:]
        exact += (right | (labels[:, 1:] == IGNORED)).all(dim=-1).tolist()
    mean = sum(losses) / len(losses)
    return {"loss": mean, "exact": sum(exact), "of": len(exact)}


REPLAYED = [
    "What is the capital of Italy?",
    "What is the plural of child?",
    "Name an animal.",
    "How many hours does a day have?",
    "What do cows eat?",
    "Who painted the Mona Lisa?",
    "Is fire hot?",
    "Say goodbye in French.",
]
QUESTIONS = [
    "What is the capital of France?",
    "What is the plural of mouse?",
    "Name a color.",
    "How many days does a week have?",
    "What do bees make?",
    "Who wrote Hamlet?",
    "Is ice cold?",
    "Say hello in Spanish.",
]


@cache
def old_answers(questions: tuple[str, ...]) -> list[list[int]]:
    """What the published model says to them, at most 16 tokens of it."""
    of = tokenizer()
    prompts = [chat_ids(of, [question]) for question in questions]
    return [[*generated(smollm2(), ids, of.control[END], 16)] for ids in prompts]


def replayed() -> list[tuple[list[int], list[int]]]:
    """Other questions with the answers that the model gave before, labeled."""
    of, said = tokenizer(), old_answers(tuple(REPLAYED))
    prompts = [chat_ids(of, [question]) for question in REPLAYED]
    return [
        (prompt + answer, [IGNORED] * len(prompt) + answer)
        for prompt, answer in zip(prompts, said, strict=True)
    ]


@torch.inference_mode()
def general(model: Llama) -> dict[str, list[float]]:
    """What it may forget, in losses: of each text, and of each old answer."""
    of, texts, answers = tokenizer(), [], []
    for text in windows()[:8, :65]:
        texts.append(answer_loss(model(text[None]), text[None]).item())
    old = old_answers(tuple(QUESTIONS))
    for question, said in zip(QUESTIONS, old, strict=True):
        prompt = chat_ids(of, [question])
        labels = torch.tensor([[IGNORED] * len(prompt) + said])
        logits = model(torch.tensor([prompt + said]))
        answers.append(answer_loss(logits, labels).item())
    return {"texts": texts, "answers": answers}
# --8<-- [end:measures]


# --8<-- [start:tune]
STEPS, BATCH, EXAMPLES = 20, 4, 64
RANK, ALPHA = 8, 16.0


def tune(model: Llama, rate: float, seed: int, replay: bool) -> list[float]:
    """20 steps of AdamW on 64 requests; the rate falls to 0 after a warm-up.

    replay: one in four examples is an old answer instead.
    """
    of, losses = tokenizer(), []
    training = drawn("training", EXAMPLES, seed)
    examples = [labeled(of, *one, TASK) for one in training]
    others = replayed() if replay else []
    generator = Generator().manual_seed(seed)
    moved = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(moved, lr=rate, weight_decay=0.0)
    for step in range(STEPS):
        share = min((step + 1) / 4, 1 - step / STEPS)
        optimizer.param_groups[0]["lr"] = rate * share
        some = torch.randint(EXAMPLES, (BATCH,), generator=generator).tolist()
        chosen = [examples[i] for i in some]
        if others:
            chosen[-1] = others[step % len(others)]
        ids, labels = batch(chosen)
        loss = answer_loss(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
# --8<-- [end:tune]


# --8<-- [start:results]
SEEDS, RATES, CHOSEN = (0, 1, 2), (1e-3, 3e-3, 1e-2), 3e-3
VALIDATED, TESTED = 12, 24


@cached("tuned_smollm")
def run(rate: float, replay: bool, seed: int) -> dict:
    """Tune the published model once, and measure all that the page tells of it."""
    model = bare(smollm2())
    old_answers(tuple(QUESTIONS))  # while there is no LoRA
    torch.manual_seed(seed)
    adapted(model, RANK, ALPHA)
    try:
        losses = tune(model, rate, seed, replay)
        return {"losses": losses, **measured(model)}
    finally:
        bare(model)


@cached("tuned_smollm")
def untuned(shots: int) -> dict:
    """The published model, with so many examples before each request."""
    model = bare(smollm2())
    if shots == 0:
        return measured(model)
    system = shown_first(drawn("training", shots, 0))
    return {"calls": examined(model, drawn("test", TESTED, 0), system)}


def measured(model: Llama) -> dict:
    """Of a tuned model: losses, exact calls, and what it says, in and out of it."""
    of, end = tokenizer(), tokenizer().control[END]
    asked = [chat_ids(of, [QUESTIONS[0]])]
    asked += [chat_ids(of, [r], TASK) for r, _ in drawn("test", 1, 0)]
    test = examined(model, drawn("test", TESTED, 0), TASK)
    return {
        "validation": examined(model, drawn("validation", VALIDATED, 0), TASK),
        "exact match": test["exact"] / test["of"],
        "calls": test,
        **general(model),
        "says": [of.decode(generated(model, ids, end, 16)) for ids in asked],
    }


def results() -> dict[str, list[dict]]:
    """By setting, a run for each seed. They come with the book."""
    found = {"before": [untuned(0)], "examples": [untuned(4)]}
    for rate in RATES:
        found[f"{rate:g}"] = [run(rate, False, seed) for seed in SEEDS]
    found["replay"] = [run(CHOSEN, True, seed) for seed in SEEDS]
    return found
# --8<-- [end:results]
