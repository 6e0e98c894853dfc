"""Embeddings: pieces of words, look-up, and one table for input and output."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from snippets.before.kcbert import kcbert_vocabulary
from snippets.positions.tokens import TiedEmbedding, encode, one_hot_lookup, wordpiece
from tests.properties import sizes

WORDS = ["[UNK]", "[CLS]", "[SEP]", "a", "ab", "abc", "##b", "##c", "##bc", "##cc", "x"]
VOCABULARY = {piece: number for number, piece in enumerate(WORDS)}


# Pieces


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("a", ["a"]),
        ("abc", ["abc"]),  # the longest, not a + ##bc
        ("abcc", ["abc", "##c"]),
        ("abbcc", ["ab", "##bc", "##c"]),  # from the left, not ab + ##b + ##cc
        ("abccc", ["abc", "##cc"]),
        ("x", ["x"]),
        ("xx", ["[UNK]"]),  # there is no ##x
        ("bc", ["[UNK]"]),  # ##bc does not begin a word
        ("abz", ["[UNK]"]),  # one letter that fits nowhere spoils the word
    ],
)
def test_words_are_cut_into_the_longest_pieces_from_the_left(word, pieces):
    assert wordpiece(word, VOCABULARY) == pieces


def test_kcbert_cuts_the_sentence_of_the_korean_page_as_the_page_does():
    words = "고양이들은 불친절한 강아지들을 싫어해요".split()
    pieces = [" ".join(wordpiece(word, kcbert_vocabulary())) for word in words]
    assert pieces == ["고양이 ##들은", "불 ##친 ##절한", "강아지 ##들을", "싫어 ##해요"]


@given(st.text("abcx", min_size=1, max_size=8))
def test_pieces_put_together_are_the_word(word):
    pieces = wordpiece(word, VOCABULARY)
    if pieces != ["[UNK]"]:
        assert pieces[0] + "".join(piece.removeprefix("##") for piece in pieces[1:]) == word
        assert not pieces[0].startswith("##") and all(piece.startswith("##") for piece in pieces[1:])


def test_a_sentence_is_framed_and_its_words_are_numbered_in_order():
    assert encode("x abcc zz", VOCABULARY) == [VOCABULARY[p] for p in ["[CLS]", "x", "abc", "##c", "[UNK]", "[SEP]"]]
    assert encode("", VOCABULARY) == [VOCABULARY["[CLS]"], VOCABULARY["[SEP]"]]


# Look-up


@given(sizes, sizes, st.data())
def test_a_product_with_one_hot_vectors_looks_up_rows(vocab_size, d_model, data):
    table = torch.randn(vocab_size, d_model, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    ids = torch.tensor(data.draw(st.lists(st.integers(0, vocab_size - 1), min_size=1, max_size=6)))
    assert torch.equal(one_hot_lookup(ids, table), table[ids])
    assert torch.equal(one_hot_lookup(ids.view(1, -1), table), nn.functional.embedding(ids.view(1, -1), table))


def test_the_gradient_counts_how_often_a_row_was_used():
    table = torch.zeros(4, 3, requires_grad=True)
    one_hot_lookup(torch.tensor([2, 2, 0]), table).sum().backward()
    assert table.grad[:, 0].tolist() == [1, 0, 2, 0]


@pytest.mark.parametrize("ids", [[4], [-1], [0, 7]])
def test_an_id_without_a_row_is_refused(ids):
    with pytest.raises(RuntimeError, match="Class values must be"):
        one_hot_lookup(torch.tensor(ids), torch.zeros(4, 2))


# One table for both


def tied(vocab_size=50, d_model=64):
    torch.manual_seed(0)
    return TiedEmbedding(vocab_size, d_model)


def test_embeddings_are_rows_times_the_root_of_the_width():
    module = tied()
    ids = torch.tensor([[3, 1], [49, 3]])
    assert_close(module(ids), nn.functional.embedding(ids, module.table) * math.sqrt(64))


def test_embeddings_start_with_variance_one():
    for d_model in (16, 256):
        assert tied(4000, d_model)(torch.arange(4000)).std().item() == pytest.approx(1, abs=0.01)


def test_scores_are_products_with_the_same_table():
    module = tied()
    x = torch.randn(2, 3, 64)
    assert_close(module.logits(x), nn.functional.linear(x, module.table))
    assert [name for name, _ in module.named_parameters()] == ["table"]


def test_both_uses_train_the_table():
    module = tied()
    module(torch.tensor([[5]])).sum().backward()
    used = module.table.grad.abs().sum(dim=1).nonzero().flatten().tolist()
    assert used == [5]
    module.zero_grad()
    module.logits(torch.ones(1, 1, 64)).sum().backward()
    assert (module.table.grad != 0).all()


def test_a_token_that_does_not_occur_gets_a_gradient_from_the_output_alone():
    tied = TiedEmbedding(vocab_size=5, d_model=4)
    ids = torch.tensor([[0, 1]])
    tied(ids).sum().backward()
    assert tied.table.grad[2:].abs().max() == 0
    tied.table.grad = None
    nn.functional.cross_entropy(tied.logits(tied(ids))[0], torch.tensor([1, 0])).backward()
    assert tied.table.grad[2:].abs().amax(dim=1).min() > 0


def test_an_embedding_is_most_like_itself():
    module = tied(d_model=256)
    ids = torch.arange(50).unsqueeze(0)
    assert torch.equal(module.logits(module(ids)).argmax(dim=-1), ids)


def test_its_sizes_are_printed():
    assert str(TiedEmbedding(5, 8)) == "TiedEmbedding(5, 8)"


@pytest.mark.parametrize("ids", [[[50]], [[-1, 3]]])
def test_the_shared_table_has_no_row_for_other_ids(ids):
    with pytest.raises(IndexError, match="out of range"):
        tied()(torch.tensor(ids))


@pytest.mark.parametrize("shape", [(2, 3, 63), (64, 1)])
def test_a_wrong_width_is_named(shape):
    with pytest.raises(ValueError, match=r"x is \(\.\.\., 64\)") as error:
        tied().logits(torch.zeros(shape))
    assert str(shape) in str(error.value)
