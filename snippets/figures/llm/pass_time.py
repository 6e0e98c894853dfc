"""Seconds of a pass of SmolLM2 over one or several new tokens, and of whole texts with and without drafts."""

import functools
import time

import torch

from snippets.figures import style
from snippets.llm.drafted_smollm import GAMMAS, answer_ids
from snippets.llm.smollm import smollm2
from snippets.llm.speculative import RewindingLlama, look_up, passes
from snippets.tools.kept import kept
from snippets.tools.timing import seconds

NEW, READ = [1, 2, 3, 5, 9, 17], 128
TEXTS = ["copy", "story"]

TEXT = {
    "ko": {
        "x": "한 패스가 읽는 토큰",
        "y": "한 패스의 시간(토큰 하나일 때 = 1)",
        "one": "하나씩 읽으면",
        "pass": "한 패스",
    },
    "en": {
        "x": "tokens that a pass reads",
        "y": "time of a pass (one token = 1)",
        "one": "one by one",
        "pass": "one pass",
    },
}


def nothing(vocab_size):
    """A draft of no tokens: the model generates them one by one."""
    return lambda ids: ([], torch.zeros(0, vocab_size))


def of_text(task):
    """Seconds for all tokens of an answer, without drafts and with."""
    prompt, answer = answer_ids(task)

    def generate(draft):
        return list(passes(smollm2(), prompt, len(answer), draft))

    drafts = {"without": nothing(49_152), "with": look_up(49_152, GAMMAS[-1])}
    whole = {name: functools.partial(generate, draft) for name, draft in drafts.items()}
    return seconds(whole, rounds=3, clock=time.thread_time)


@functools.cache
@torch.inference_mode()
def measure():
    """Seconds of processor time, of one core: of passes over so many tokens, and of texts."""
    model = smollm2()
    torch.manual_seed(0)
    ids = torch.randint(1_000, 40_000, (1, READ + NEW[-1]))
    cached = RewindingLlama(model)
    cached.new_logits(ids[:, :READ])

    def one_pass(new):
        cached.rewind(READ)
        cached.new_logits(ids[:, : READ + new])

    of_new = seconds({n: functools.partial(one_pass, n) for n in NEW}, rounds=5, clock=time.thread_time)
    taken = {"passes": list(of_new.values())}
    return taken | {task: of_text(task) for task in TEXTS}


@functools.cache
def measured():
    """What measure() said on the machine that made snippets/results/pass_time.json, as JSON holds it."""
    return kept("pass_time", "figures/llm/pass_time", lambda: ({}, measure()))[1]


def draw(text):
    times = measured()["passes"]
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    ax.plot(NEW, NEW, "--", color=style.KEY, lw=1.2, label=text["one"])
    ax.plot(NEW, [time / times[0] for time in times], "s-", color=style.QUERY, ms=4, label=text["pass"])
    ax.set(xlabel=text["x"], xticks=NEW, ylim=(0, None))
    ax.set_title(text["y"])
    ax.legend(loc="upper left")
    return figure
