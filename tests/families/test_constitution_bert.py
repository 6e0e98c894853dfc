"""The small BERT: what it is asked, what it has learned, and that nothing it is tested on was trained on."""

from __future__ import annotations

import pytest
import torch
from torch import Generator

from snippets.before.prediction_tasks import IGNORED
from snippets.families.constitution_bert import (
    LENGTH,
    MASK,
    STEPS,
    Text,
    around,
    fill,
    masked,
    new_trainer,
    ranks,
    text_of,
    trained,
)

each_language = pytest.mark.parametrize("language", ["ko", "en"])


def test_15_of_100_characters_are_asked_for_and_never_a_special_token():
    vocab = text_of("ko").vocab
    ids = torch.randint(0, len(vocab), (2000, 32), generator=Generator().manual_seed(0))
    inputs, targets = masked(ids, vocab, Generator().manual_seed(1))
    chosen = targets != IGNORED
    special = ids <= 2
    assert not chosen[special].any() and torch.equal(inputs[special], ids[special])
    assert torch.equal(targets[chosen], ids[chosen]) and torch.equal(inputs[~chosen], ids[~chosen])
    asked = int(chosen.sum())
    assert abs(asked / int((~special).sum()) - 0.15) < 0.005
    hidden, same = (inputs[chosen] == vocab.ids[MASK]).sum() / asked, (inputs[chosen] == ids[chosen]).sum() / asked
    assert abs(hidden - 0.8) < 0.02 and abs(same - 0.1) < 0.02


@each_language
def test_windows_cover_a_line_and_around_finds_the_character(language):
    own = Text(language)
    for line in own.test[:6]:
        assert all(len(window) <= LENGTH for window in own.windows(line))
        for position in range(len(line)):
            window, at = around(own, line, position)
            assert own.vocab.tokens[window[at]] == line[position]


@pytest.mark.thorough
@each_language
def test_it_fills_most_gaps_in_lines_it_has_not_seen(language):
    own, (model, _) = text_of(language), trained(language)
    assert not set(own.test) & set(own.train)
    right = (ranks(model, own, own.test) == 0).float().mean().item()
    assert 0.63 < right < {"ko": 0.72, "en": 0.95}[language]


def test_a_gap_has_probabilities_that_do_not_depend_on_what_it_hides():
    own, (model, _) = text_of("ko"), trained("ko")
    line = "모든 국민은 법 앞에 평등하다."
    p = fill(model, own, line, [5])
    assert p.shape == (1, len(own.vocab)) and p.sum().item() == pytest.approx(1, abs=1e-5)
    assert torch.allclose(p, fill(model, own, line[:5] + "의" + line[6:], [5]))


@pytest.mark.thorough
def test_a_hundred_steps_of_training_lower_the_loss():
    trainer = new_trainer("ko", 1)
    trainer.run(100)
    first, last = (torch.tensor(part).mean() for part in (trainer.losses[:10], trainer.losses[-10:]))
    assert last < first - 1 and STEPS > 100
