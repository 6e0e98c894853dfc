"""What the book keeps of the published tokenizer is that tokenizer."""

from __future__ import annotations

import pytest
import torch

from snippets.before.corpus import declaration
from snippets.llm import kept_tokenizer as module
from snippets.llm.kept_tokenizer import kept_tokenizer, listed, paired, used
from snippets.llm.tokens import GgufTokenizer, tokenizer
from tests.llm.model import needs_model
from tests.llm.test_tokens import little_about, random_texts

TEXTS = [*declaration("ko")[:20], *declaration("en")[:20], *random_texts(40)]


@pytest.mark.parametrize("without", ["", "ĸSâ"])
def test_a_file_comes_back_from_its_pairs(without):
    about = little_about(without)
    pairs, beside = paired(about)
    assert pairs.dtype == torch.uint16 and beside["control"] == about["tokenizer.ggml.tokens"][:3]
    assert listed(pairs, beside) == about


def test_merges_in_another_order_than_the_tokens_are_refused():
    about = little_about()
    merges = about["tokenizer.ggml.merges"]
    merges[:2] = merges[1::-1]
    with pytest.raises(ValueError, match="order"):
        paired(about)


@pytest.mark.thorough
def test_first_merges_alone_make_as_many_tokens_as_the_ranks_say():
    whole = kept_tokenizer()
    for most in (0, 1, 250, 9_000, 30_000):
        first = kept_tokenizer(most)
        for text in TEXTS[::7]:
            ids = whole.encode(text)
            later = [rank for rank in used(ids) if rank >= most]
            assert len(first.encode(text)) == len(ids) + len(later), (most, text)


def test_ranks_are_in_order_and_of_every_part():
    whole = kept_tokenizer()
    token = whole.ids[b" the"]
    ranks = used([token, token, 0, 17])
    assert ranks == sorted(2 * [whole.ranks[pair] for pair in [(b" ", b"t"), (b"h", b"e"), (b" t", b"he")]])


def test_one_token_has_a_korean_syllable():
    whole = kept_tokenizer()
    found = [t for t in whole.tokens if any("가" <= letter <= "힣" for letter in t.decode(errors="ignore"))]
    assert found == ["이".encode()]


def test_what_is_kept_is_of_the_file(monkeypatch):
    about = little_about()
    monkeypatch.setattr(module, "published", lambda: (about, {}))
    monkeypatch.setattr(module, "kept", lambda name, by, compute: compute())
    tensors, beside = module.results()
    assert listed(tensors["merges"], beside) == about


@needs_model
def test_it_is_that_of_the_published_file():
    mine, file = kept_tokenizer(), tokenizer()
    assert mine.tokens == file.tokens and mine.ranks == file.ranks and mine.control == file.control
    assert all(mine.encode(text) == file.encode(text) for text in TEXTS)
    assert isinstance(mine, GgufTokenizer) and module.results()[0]["merges"].shape == (48_900, 2)
