"""Opinions: balanced, right, and with new words in the test."""

from __future__ import annotations

import pytest

from snippets.families.opinions import BLAME, FRAMES, PRAISE, THINGS, opinions

LABELS = {sentence: label for test in (False, True) for sentence, label in opinions(test)}


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
def test_a_frame_may_turn_the_opinion_round(sentence, label):
    assert LABELS[sentence] == label


def test_each_word_occurs_once_in_its_list():
    everything = [*PRAISE, *BLAME, *THINGS]
    assert len(set(everything)) == len(everything) == 60


@pytest.mark.parametrize("test", [False, True])
def test_as_many_sentences_praise_as_blame_in_each_frame(test):
    sentences = opinions(test)
    assert len(set(sentences)) == 8 * 10 * 20
    assert sum(label for _, label in sentences) == len(sentences) / 2
    assert sum(FRAMES.values()) == len(FRAMES) / 2


def test_training_and_test_share_no_thing_and_no_adjective():
    words = [{word for sentence, _ in opinions(test) for word in sentence.split()} for test in (False, True)]
    assert not words[0] & words[1] & {*PRAISE, *BLAME, *THINGS}
    assert words[0] | words[1] > {*PRAISE, *BLAME, *THINGS}
