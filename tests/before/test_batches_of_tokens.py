"""What a batch means: every token of every row is in it, once, and whatever is no token is marked."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.processors import TemplateProcessing
from torch import nn
from torch.testing import assert_close

from snippets.before.batches_of_tokens import CLS, MASK, PAD, SEP, SPECIAL, UNK, batch, with_special
from snippets.before.kcbert import kcbert_tokenizer
from tests import properties  # noqa: F401 (the same examples on every run)

rows = st.lists(st.lists(st.integers(1, 99), max_size=7), min_size=1, max_size=4)


def test_special_tokens_have_the_first_ids():
    assert [SPECIAL[i] for i in (PAD, UNK, CLS, SEP, MASK)] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    assert (PAD, UNK, CLS, SEP, MASK) == (0, 1, 2, 3, 4)


def test_the_ids_of_a_text_stand_between_the_marks():
    assert with_special([5, 12], 10) == [2, 5, 12, 3]
    assert with_special([5, 12], 4) == [2, 5, 12, 3]
    assert with_special([], 2) == [2, 3]


@given(st.lists(st.integers(0, 99), max_size=9), st.integers(2, 12))
def test_a_text_that_is_too_long_loses_its_end_and_never_a_mark(ids, max_length):
    row = with_special(ids, max_length)
    assert len(row) == min(len(ids) + 2, max_length)
    assert row[0] == CLS and row[-1] == SEP
    assert row[1:-1] == ids[: max_length - 2]


def test_there_is_room_for_the_marks():
    with pytest.raises(ValueError, match="no room for .* max_length 1"):
        with_special([7], 1)


def test_a_known_batch():
    input_ids, attention_mask = batch([[2, 9, 3], [2, 3]], length=4)
    assert input_ids.tolist() == [[2, 9, 3, 0], [2, 3, 0, 0]]
    assert attention_mask.tolist() == [[1, 1, 1, 0], [1, 1, 0, 0]]
    assert input_ids.dtype == attention_mask.dtype == torch.long
    assert batch([[2, 9, 3], [2, 3]])[0].tolist() == [[2, 9, 3], [2, 3, 0]], "as long as the longest"
    input_ids, attention_mask = batch([[2, 9, 3], [2, 3]], length=4, left=True)
    assert input_ids.tolist() == [[0, 2, 9, 3], [0, 0, 2, 3]]
    assert attention_mask.tolist() == [[0, 1, 1, 1], [0, 0, 1, 1]]


@given(rows, st.booleans(), st.integers(0, 3))
def test_what_the_mask_keeps_are_the_rows(rows, left, more):
    longest = max(map(len, rows))
    input_ids, attention_mask = batch(rows, longest + more if more else None, left)
    assert input_ids.shape == attention_mask.shape == (len(rows), longest + more)
    assert [ids[seen == 1].tolist() for ids, seen in zip(input_ids, attention_mask, strict=True)] == rows
    assert (input_ids[attention_mask == 0] == PAD).all()
    for seen in attention_mask.tolist():
        assert seen == sorted(seen, reverse=not left), "padding is on one side"


def test_rows_that_do_not_fit_and_no_rows_are_refused():
    assert batch([[2, 3]], 2)[0].tolist() == [[2, 3]]
    with pytest.raises(ValueError, match="up to 3 ids, and length 2"):
        batch([[2, 9, 3]], 2)
    with pytest.raises(ValueError, match="0 rows of up to 0 ids"):
        batch([])


@given(st.lists(st.text("국민하이 ab", max_size=12), min_size=1, max_size=3), st.sampled_from(["left", "right"]))
def test_batches_are_those_of_the_library(texts, direction):
    library = kcbert_tokenizer()
    cut = [library.encode(text, add_special_tokens=False).ids for text in texts]
    marks = [("[CLS]", library.token_to_id("[CLS]")), ("[SEP]", library.token_to_id("[SEP]"))]
    library.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    library.enable_truncation(max_length=10)
    library.enable_padding(length=10, direction=direction)
    encoded = library.encode_batch(texts)
    rows = [with_special(ids, 10) for ids in cut]
    input_ids, attention_mask = batch(rows, 10, left=direction == "left")
    assert input_ids.tolist() == [one.ids for one in encoded]
    assert attention_mask.tolist() == [one.attention_mask for one in encoded]


def test_an_encoder_that_masks_padding_gives_a_sentence_what_it_gives_alone():
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    embedding = nn.Embedding(20, 8)
    for left in (False, True):
        ids, seen = batch([[2, 7, 8, 3], [2, 9, 3]], 6, left)
        hidden = encoder(embedding(ids), src_key_padding_mask=seen == 0)
        for row, keep, output in zip([[2, 7, 8, 3], [2, 9, 3]], seen == 1, hidden, strict=True):
            assert_close(output[keep], encoder(embedding(torch.tensor([row])))[0], rtol=1e-4, atol=1e-5)
        other = encoder(embedding(ids), src_key_padding_mask=seen == 1)
        assert (other - hidden)[seen == 1].abs().max() > 0.1, "the other meaning of True"
