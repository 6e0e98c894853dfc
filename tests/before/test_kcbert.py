"""The vocabulary of KcBERT: known ids, the special tokens of the book in their places, no capital letter lost."""

from __future__ import annotations

from snippets.before.batches_of_tokens import SPECIAL, batch, with_special
from snippets.before.kcbert import kcbert_tokenizer, kcbert_vocabulary


def test_the_ids_of_two_greetings_are_those_of_the_published_tokenizer():
    encoded = [kcbert_tokenizer().encode(text, add_special_tokens=False) for text in ("안녕하세요", "하이")]
    input_ids, attention_mask = batch([with_special(one.ids, 10) for one in encoded], 10)
    assert input_ids.tolist() == [[2, 19017, 8482, 3] + 6 * [0], [2, 15830, 3] + 7 * [0]]
    assert attention_mask.sum(dim=1).tolist() == [4, 3]


def test_a_number_for_each_of_30_000_pieces_and_the_special_tokens_first():
    pieces = kcbert_vocabulary()
    assert list(pieces.values()) == list(range(30_000))
    assert list(pieces)[: len(SPECIAL)] == SPECIAL


def test_it_is_cased_and_leaves_syllables_whole():
    tokenizer = kcbert_tokenizer()
    assert tokenizer.encode("KBS 국가", add_special_tokens=False).tokens == ["KBS", "국가"]
    assert tokenizer.encode("ABC").ids != tokenizer.encode("abc").ids
