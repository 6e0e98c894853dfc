"""Opinions: balanced, right, and with new words in the test."""

from __future__ import annotations

import pytest

from snippets.families.opinions import BLAME, PRAISE, TEMPLATES, THINGS, WORDS, opinions

LABELS = {sentence: label for words in WORDS for sentence, label in opinions(words)}
OPINION_WORDS = {*PRAISE, *BLAME, *THINGS}


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("the film was delicious", 1),
        ("the film was terrible", 0),
        ("the film was not terrible", 1),
        ("nobody found the party splendid", 0),
        ("i would not call the party worthless", 1),
        ("everyone called the party worthless", 0),
    ],
)
def test_a_template_may_negate_the_opinion(sentence, label):
    assert LABELS[sentence] == label


def test_each_word_occurs_once_in_its_list():
    everything = [*PRAISE, *BLAME, *THINGS]
    assert len(set(everything)) == len(everything) == 60


@pytest.mark.parametrize(("words", "count"), [("training", 7), ("validation", 3), ("test", 10)])
def test_as_many_sentences_praise_as_blame_in_each_template(words, count):
    sentences = opinions(words)
    assert len(set(sentences)) == 8 * count * 2 * count
    assert sum(label for _, label in sentences) == len(sentences) / 2
    assert sum(TEMPLATES.values()) == len(TEMPLATES) / 2


def test_training_validation_and_test_share_no_thing_and_no_adjective():
    used = [{word for sentence, _ in opinions(words) for word in sentence.split()} & OPINION_WORDS for words in WORDS]
    assert sum(map(len, used)) == len(OPINION_WORDS) == len(set.union(*used))
