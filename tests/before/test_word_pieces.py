"""The tokenizer of the page on batches: which pieces it has in English, and that it is KcBERT's in Korean."""

from __future__ import annotations

import pytest

from snippets.before.batches_of_tokens import SPECIAL
from snippets.before.kcbert import kcbert_tokenizer
from snippets.before.two_constitutions import constitution
from snippets.before.word_pieces import english_pieces, tokenizer_of
from snippets.positions.tokens import wordpiece


def test_special_tokens_come_first_and_ids_have_no_gap():
    pieces = english_pieces(500)
    assert list(pieces)[: len(SPECIAL)] == SPECIAL
    assert list(pieces.values()) == list(range(500))


def test_a_word_is_a_piece_of_its_own_or_begins_with_one_that_has_no_mark():
    pieces = english_pieces(2000)
    assert wordpiece("liberty", pieces) == ["liberty"]
    assert wordpiece("equality", pieces) == ["equal", "##ity"]
    assert not any(" " in piece for piece in pieces)
    assert {"q", "##q"} <= pieces.keys(), "each letter is there with the mark and without it"


def test_nothing_of_its_text_is_unknown_and_decoding_gives_it_back():
    tokenizer = tokenizer_of("en")
    assert tokenizer.get_vocab_size() == 2000
    for line in constitution("en"):
        assert "[UNK]" not in tokenizer.encode(line).tokens
    assert tokenizer.decode(tokenizer.encode("We the People").ids) == "We the People", "capital letters stay"


def test_in_korean_it_is_that_of_kcbert_and_there_are_two_languages():
    assert tokenizer_of("ko").get_vocab() == kcbert_tokenizer().get_vocab()
    with pytest.raises(ValueError, match="'de'"):
        tokenizer_of("de")
