"""A conversation in the terminal: ``python -m snippets.llm "What is a comet?"``."""

# --8<-- [start:main]
import argparse
import sys
from collections.abc import Callable, Iterable, Sequence

from torch import Tensor

from snippets.llm.chat import answer, drawn, most_probable
from snippets.llm.smollm import smollm2
from snippets.llm.tokens import tokenizer


def main(arguments: Sequence[str], lines: Iterable[str] = sys.stdin) -> None:
    """Answer what stands behind the command, then each line that is typed."""
    parser = argparse.ArgumentParser(prog="python -m snippets.llm")
    parser.add_argument("question", nargs="?", help="none: one is asked after another")
    parser.add_argument("--temperature", type=float, default=0.0, help="0: greedy")
    parser.add_argument("--top-p", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tokens", type=int, default=256, help="at most so many")
    given = parser.parse_args(arguments)
    if given.temperature < 0 or not 0 < given.top_p <= 1:
        parser.error("a temperature is 0 or more, and top-p above 0, at most 1")
    choose: Callable[[Tensor], int] = most_probable
    if given.temperature:
        choose = drawn(given.temperature, given.top_p, given.seed)
    print("Loading the model takes some seconds.", file=sys.stderr)
    try:
        model, of = smollm2(), tokenizer()
    except FileNotFoundError as missing:
        sys.exit(str(missing))
    turns = []
    for asked in [given.question] if given.question else prompted(lines):
        turns.append(asked)
        said = []
        for text in answer(model, of, turns, given.tokens, choose):
            print(text, end="", flush=True)
            said.append(text)
        print()
        turns.append("".join(said))


def prompted(lines: Iterable[str]) -> Iterable[str]:
    """Lines as they are typed, after a sign that one is waited for."""
    print("> ", end="", flush=True)
    for line in lines:
        if line.strip():
            yield line.strip()
        print("> ", end="", flush=True)
# --8<-- [end:main]


if __name__ == "__main__":
    main(sys.argv[1:])
