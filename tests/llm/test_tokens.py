"""The tokenizer of a GGUF file cuts as the library ``tokenizers`` does with the same tokens and merges."""

from __future__ import annotations

import random

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from snippets.llm import tokens as module
from snippets.llm.tokens import GgufTokenizer, as_bytes, tokenizer

LETTERS = [chr(code) for code in [*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)]]
MERGES = ["Ġ t", "h e", "Ġt he", "i n", "Ġ Ġ", "' s", "ë ¹", "! !", "Ċ Ċ", "1 2", "Ġ Ċ"]
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def little_about(without: str = "") -> dict[str, object]:
    """As a file says it; ``without``: letters that no token is."""
    tokens = [*CONTROL, *(letter for letter in LETTERS if letter not in without)]
    tokens += [merge.replace(" ", "") for merge in MERGES]
    return {
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3] * len(CONTROL) + [1] * (len(tokens) - len(CONTROL)),
        "tokenizer.ggml.merges": MERGES,
    }


def of_library(about: dict[str, object]) -> Tokenizer:
    tokens, merges = (about[f"tokenizer.ggml.{name}"] for name in ("tokens", "merges"))
    model = models.BPE(vocab={t: i for i, t in enumerate(tokens)}, merges=[tuple(m.split(" ")) for m in merges])
    library = Tokenizer(model)
    library.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return library


def random_texts(number: int) -> list[str]:
    draw = random.Random(0)
    signs = "the in  \t\n'sS12½²é값漢😀\u00a0\u3000.,!?_-\u0301٣Ⅷ"
    ranges = [(0, 0x2FF), (0, 0xD7FF), (0xE000, 0x1FFFF)]
    texts = ["".join(draw.choices(signs, k=draw.randrange(25))) for _ in range(number)]
    return texts + ["".join(chr(draw.randint(*draw.choice(ranges))) for _ in range(8)) for _ in range(number)]


def test_a_space_is_spelled_as_a_letter():
    assert as_bytes("Ġthe") == b" the" and as_bytes("Ċ") == b"\n" and as_bytes("ê°Ģ") == "가".encode()


@pytest.mark.parametrize("without", ["", "ĸSâ"])
def test_random_texts_are_cut_as_by_the_library(without):
    about = little_about(without)
    of, library = GgufTokenizer(about), of_library(about)
    for text in random_texts(300):
        assert of.encode(text) == library.encode(text).ids, repr(text)


def test_what_is_encoded_comes_back_and_control_tokens_are_only_asked_for():
    of = GgufTokenizer(little_about())
    for text in ["the end  12!!", "값<|im_end|>\n\n", ""]:
        ids = of.encode(text)
        assert of.decode(ids) == text and not set(ids) & set(of.control.values())
    assert of.control == {"<|endoftext|>": 0, "<|im_start|>": 1, "<|im_end|>": 2}
    assert of.decode([1, *of.encode("the")]) == "<|im_start|>the"
    assert of.decode(of.encode("값")[:1]) == "�"


def test_a_piece_is_cut_once(monkeypatch):
    of = GgufTokenizer(little_about())
    assert of.encode("the the the") == of.encode("the") + 2 * of.encode(" the")
    assert of.cut.cache_info().hits >= 2


def test_the_published_tokenizer_is_that_of_its_file_and_read_once(monkeypatch):
    monkeypatch.setattr(module, "published", lambda: (little_about(), {}))
    tokenizer.cache_clear()
    try:
        assert tokenizer() is tokenizer() and tokenizer().tokens == GgufTokenizer(little_about()).tokens
    finally:
        tokenizer.cache_clear()  # it is that of the little file
