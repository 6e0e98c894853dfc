"""Sentences survive the way into ids and back; tensors are filled at the end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.before.vocabulary import BOS, EOS, PAD, Vocabulary, pad, pad_pairs

WORDS = ["b", "a", "c", "a"]


def test_ids_are_numbered_from_padding_on():
    vocab = Vocabulary(WORDS)
    assert vocab.tokens == ["<pad>", "<s>", "</s>", "a", "b", "c"]
    assert (PAD, BOS, EOS) == (0, 1, 2) == tuple(vocab.ids[w] for w in ("<pad>", "<s>", "</s>"))
    assert len(vocab) == 6


@given(st.lists(st.sampled_from(WORDS)), st.booleans())
def test_there_and_back(sentence, bos):
    vocab = Vocabulary(WORDS)
    ids = vocab.encode(sentence, bos=bos)
    assert ids.count(EOS) == 1 and ids[-1] == EOS
    assert ids.count(BOS) == bos and (ids[0] == BOS) is bos
    assert len(ids) == len(sentence) + 1 + bos
    assert vocab.decode(ids) == sentence
    assert vocab.decode([*ids, PAD, ids[0]]) == sentence, "what follows </s> does not count"


def test_sources_do_not_begin_with_a_mark():
    assert Vocabulary(WORDS).encode(["a"]) == [3, EOS]


def test_unknown_words_are_named():
    with pytest.raises(ValueError, match=r"\['x', 'y'\]"):
        Vocabulary(WORDS).encode(["x", "a", "y"])


def test_padding_stands_at_the_end():
    assert pad([[5], [6, 7, 8], [9, 4]]).tolist() == [[5, PAD, PAD], [6, 7, 8], [9, 4, PAD]]


def test_nothing_cannot_be_padded():
    with pytest.raises(ValueError, match="no sentences"):
        pad([])


def test_pairs_become_sources_and_targets_and_only_targets_begin_with_a_mark():
    src, tgt = pad_pairs(Vocabulary(WORDS), [(["a", "b"], ["c"]), (["b"], ["a", "a"])])
    assert src.tolist() == [[3, 4, EOS], [4, EOS, PAD]]
    assert tgt.tolist() == [[BOS, 5, EOS, PAD], [BOS, 3, 3, EOS]]


@pytest.mark.parametrize("special", ["<pad>", "<s>", "</s>"])
def test_a_mark_is_no_word(special):
    """Else a text that contains it would end there, or be hidden as padding."""
    with pytest.raises(ValueError, match="are no tokens of a text"):
        Vocabulary(["a", special])
    with pytest.raises(ValueError, match=f"not in the vocabulary: .*{special}"):
        Vocabulary(WORDS).encode(["a", special, "b"])


def test_rows_without_a_token_are_ids_too():
    assert pad([[]]).dtype == pad([[3]]).dtype and pad([[], []]).shape == (2, 0)
