"""Talking to a language model: the chat template, and an answer token by token."""

# --8<-- [start:imports]
import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence

import torch
from torch import Tensor

from snippets.families.llama import Llama
from snippets.families.sampling import draw, top_p, with_temperature
from snippets.llm.cached_llama import CachedLlama
from snippets.llm.tokens import GgufTokenizer
# --8<-- [end:imports]


# --8<-- [start:chat_ids]
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
START, END = "<|im_start|>", "<|im_end|>"


def chat_ids(
    tokenizer: GgufTokenizer, turns: Sequence[str], system: str = SYSTEM
) -> list[int]:
    """A conversation as the model has learned to read it, up to its next turn.

    turns: the user's and the assistant's, alternately, the user's first and last.
    What they say is text, even if it reads <|im_end|>.
    """
    start, end = tokenizer.control[START], tokenizer.control[END]
    ids = []
    for i, text in enumerate([system, *turns]):
        role = "system" if i == 0 else ("assistant", "user")[i % 2]
        ids += [start, *tokenizer.encode(f"{role}\n{text}"), end]
        ids += tokenizer.encode("\n")
    return [*ids, start, *tokenizer.encode("assistant\n")]
# --8<-- [end:chat_ids]


# --8<-- [start:choices]
def most_probable(logits: Tensor) -> int:
    """Greedy: the token of the largest of the logits, (V,)."""
    return logits.argmax().item()


def drawn(temperature: float, p: float, seed: int) -> Callable[[Tensor], int]:
    """A choice by probability, of the most probable that reach p together."""
    generator = torch.Generator().manual_seed(seed)

    def choose(logits: Tensor) -> int:
        logits = top_p(with_temperature(logits, temperature), p)
        return draw(logits, generator).item()

    return choose
# --8<-- [end:choices]


# --8<-- [start:generated]
@torch.inference_mode()
def generated(
    model: Llama,
    ids: Sequence[int],
    end: int,
    max_new_tokens: int,
    choose: Callable[[Tensor], int] = most_probable,
) -> Iterator[int]:
    """The tokens that the model puts after ids, up to `end`, one by one."""
    cached, ids = CachedLlama(model), list(ids)
    device = next(model.parameters()).device
    for _ in range(max_new_tokens):
        token = choose(cached.next_logits(torch.tensor([ids], device=device))[0])
        if token == end:
            return
        yield token
        ids.append(token)
# --8<-- [end:generated]


# --8<-- [start:as_text]
def as_text(tokenizer: GgufTokenizer, ids: Iterable[int]) -> Iterator[str]:
    """The text of tokens as they come; a character waits until it is complete."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for i in ids:
        if text := decoder.decode(tokenizer.tokens[i]):
            yield text
    if rest := decoder.decode(b"", final=True):
        yield rest
# --8<-- [end:as_text]


# --8<-- [start:answer]
def answer(
    model: Llama,
    tokenizer: GgufTokenizer,
    turns: Sequence[str],
    max_new_tokens: int = 256,
    choose: Callable[[Tensor], int] = most_probable,
) -> Iterator[str]:
    """What the assistant says next, piece by piece."""
    ids, end = chat_ids(tokenizer, turns), tokenizer.control[END]
    return as_text(tokenizer, generated(model, ids, end, max_new_tokens, choose))
# --8<-- [end:answer]
