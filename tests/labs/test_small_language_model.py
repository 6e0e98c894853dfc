"""The lab trains a model on the text it is given, and lets it go on from a prompt."""

from __future__ import annotations

import math

import pytest
import torch

from snippets.labs import small_language_model as lab
from snippets.labs.small_language_model import LINES, SETTINGS, TEXT, continued, new_model, parts, windows

SHORT = "나는 너를 본다. " * 40  # 400 characters


def run(text=SHORT, context=8, num_layers=1, d_model=16, dropout=0.0, steps=50, seed=0, keep_weights=True) -> dict:
    return lab.train.function(text, context, num_layers, d_model, dropout, steps, seed, keep_weights)


def test_the_last_tenth_is_held_out_and_nothing_is_lost():
    vocab, ids, held_out = parts(TEXT)
    assert len(held_out) == math.ceil(len(TEXT) / 10)
    assert "".join(vocab.tokens[i] for i in torch.cat([ids, held_out])) == TEXT


def test_windows_are_pieces_of_the_text():
    ids = torch.arange(10, 30)
    assert windows(ids, 4, torch.tensor([0, 5])).tolist() == [[10, 11, 12, 13], [15, 16, 17, 18]]


def test_a_model_has_the_sizes_that_are_set():
    vocab = parts(SHORT)[0]
    model = new_model(vocab, context=24, num_layers=3, d_model=32, dropout=0.3)
    assert model.positions.table.shape == (24, 32) and len(model.stack.layers) == 3
    assert model.tokens.weight.shape == (len(vocab), 32)
    assert model.dropout.p == 0.3 and model.stack.layers[0].feed_forward.w_1.out_features == 128


@pytest.mark.thorough
def test_a_text_that_says_the_same_again_and_again_is_learned_to_its_end():
    trained = run(d_model=32, steps=120)
    assert trained["steps"] == [50, 100]
    assert trained["held out"][-1] < 0.7 < 1 < trained["held out"][0], "after a few characters there is no doubt"
    assert trained["train"][-1] == pytest.approx(trained["held out"][-1], abs=0.1)
    assert trained["weights"]["positions.table"].dtype == torch.float16 and trained["seconds"] > 0


@pytest.mark.thorough
def test_each_setting_changes_the_result_and_the_same_gives_the_same(monkeypatch):
    monkeypatch.setattr(lab, "EVERY", 2)
    first = run(steps=4)
    assert run(steps=4)["held out"] == first["held out"]
    changes = [{"text": SHORT[::-1]}, {"context": 9}, {"num_layers": 2}, {"d_model": 20}, {"dropout": 0.3}]
    for change in [*changes, {"seed": 1}, {"steps": 6}]:
        assert run(**{"steps": 4} | change)["held out"] != first["held out"], change
    assert run(steps=2, keep_weights=False)["weights"] == {}


def test_a_text_too_short_for_its_context_is_refused():
    with pytest.raises(ValueError, match="a text of 100 characters is too short for a context of 8"):
        run(text="가나다라마" * 20)


def test_the_control_is_trained_on_the_beginning_only_and_without_dropout(monkeypatch):
    class Train:
        each = staticmethod(list)

    monkeypatch.setattr(lab, "train", Train)
    own = SETTINGS | {"seed": 0}
    assert lab.results(LINES) == {
        "whole": [{"text": TEXT} | own],
        "part": [{"text": "\n".join(LINES)[:3000]} | own | {"dropout": 0.0}],
    }


@pytest.mark.thorough
def test_a_prompt_is_continued_by_as_many_characters_and_the_seed_decides(monkeypatch):
    monkeypatch.setattr(lab, "TEXT", SHORT)
    monkeypatch.setattr(lab, "SETTINGS", {"context": 8, "num_layers": 1, "d_model": 32, "dropout": 0.0, "steps": 1})
    model = lab.trained_model(SHORT, run(d_model=32, steps=120))
    assert not model.training
    several = lab.continuations(model, "나는 너", texts=3, characters=40, temperature=0.1)
    text = continued(model, "나는 너", characters=40, temperature=0.1)
    assert ["나는 너" + new for new in several] == [text] * 3
    assert text == (SHORT * 2)[: len("나는 너") + 40], "further back than it can see"
    samples = [continued(model, "본", temperature=5.0, p=1.0, seed=seed) for seed in (0, 0, 1)]
    assert samples[0] == samples[1] != samples[2] and len(samples[2]) == 61
    greedy = continued(model, "본", temperature=5.0, p=1e-6)
    assert greedy == SHORT[SHORT.index("본") :][:61], "of one candidate, the temperature changes nothing"


def test_the_longest_copy_is_the_longest_piece_that_occurs_in_a_row():
    assert lab.longest_copy("abcXdefg", "..defg..abc") == 4
    assert lab.longest_copy("xyz", "abc") == 0 and lab.longest_copy("", "abc") == 0
    found = lab.copies_of_itself("abcdabcXbcdY", 4)
    assert found == [3, 3, 3], "nothing goes across the gap, nor is a piece its own copy"


def test_what_is_continued_word_for_word_is_counted_up_to_the_first_difference():
    vocab, ids, _ = parts(SHORT)
    model = lab.new_model(vocab, 8, 1, 16, 0.0).eval()

    def next_in_text(asked):  # it knows the text, but takes every 너 for a 나
        logits = torch.zeros(*asked.shape, len(vocab))
        for row, given in enumerate(asked.tolist()):
            _, found, rest = SHORT.partition("".join(vocab.tokens[i] for i in given))
            after = rest[0] if found else "."  # it has gone astray
            logits[row, -1, vocab.ids["나" if after == "너" else after]] = 1
        return logits

    model.forward = next_in_text
    found = lab.verbatim(model, ids, size=9, texts=100).tolist()
    starts = range(0, len(ids) - 18, 9)  # one answer after the other
    wanted = [(SHORT[i + 9 : i + 18] + "너").index("너") for i in starts]
    assert found == wanted and len(set(found)) > 3
    assert lab.verbatim(model, ids, size=9, texts=10).tolist() == [
        (SHORT[i + 9 : i + 18] + "너").index("너") for i in range(0, len(ids) - 18, (len(ids) - 18) // 10)
    ]


def test_shuffled_lines_are_the_same_in_another_order():
    lines, mixed = LINES, TEXT.split("\n")
    assert mixed != lines and sorted(mixed) == sorted(lines) and TEXT == lab.shuffled(LINES)
    tail = len("\n".join(mixed)[: len(TEXT) * 9 // 10].split("\n"))
    places = [lines.index(line) / len(lines) for line in mixed[tail:]]
    assert 0.4 < sum(places) / len(places) < 0.6, "what is held out comes from everywhere"


def test_a_prompt_of_unknown_characters_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="not in the vocabulary.*쀍"):
        continued(new_model(parts(TEXT)[0], 8, 1, 16, 0.0), "쀍")
