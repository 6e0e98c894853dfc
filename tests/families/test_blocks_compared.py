"""The comparison of the blocks is the one that its page describes, and says what its page says."""

from __future__ import annotations

import functools
import statistics

import pytest
import torch
from torch.testing import assert_close

from snippets.before.two_constitutions import constitution
from snippets.families import blocks_compared as experiment
from snippets.families.block_changes import CHANGES, CONTROL, ChangedLayer, ChangedModel
from snippets.families.blocks_compared import (
    BLOCKS,
    LENGTH,
    PEAKS,
    SEEDS,
    STEPS,
    UNKNOWN,
    all_runs,
    compared,
    schedule,
    text_of,
)
from snippets.model.sizes import count


def test_each_change_alone_and_all_at_once_with_three_seeds_and_four_rates():
    assert list(BLOCKS) == ["2017", *CHANGES, "today", CONTROL]
    assert BLOCKS["2017"] == () and BLOCKS["today"] == CHANGES and all(BLOCKS[c] == (c,) for c in (*CHANGES, CONTROL))
    assert len(SEEDS) >= 3 and len(PEAKS) == 4


LANGUAGES = pytest.mark.parametrize("language", ["ko", "en"])


@LANGUAGES
def test_the_lines_to_choose_by_and_to_test_on_are_not_trained_on(language):
    lines, own = constitution(language), text_of(language)
    assert "\n".join(lines[9::10]) + "\n" == own.test
    assert "\n".join(lines[4::10]) + "\n" == own.dev
    assert len(own.train) + len(own.dev) + len(own.test) == sum(len(line) + 1 for line in lines)
    assert_close(own.encoded, own.encode(own.train))


def test_there_is_no_third_language():
    with pytest.raises(ValueError, match="not 'de'"):
        experiment.Text("de")


def test_characters_have_ids_and_those_that_training_lacks_do_not_count():
    own = text_of("ko")
    assert len(set(own.encoded.tolist())) == len(own.characters) and UNKNOWN not in own.encoded
    assert own.encode("\u2603대").tolist() == [UNKNOWN, own.characters.index("대") + 1]

    def model(ids):
        return torch.zeros(*ids.shape, 5) + torch.tensor([0.0, 1.0, 0.0, 0.0, 0.0])

    ids = torch.tensor([[3, 1, UNKNOWN, 1]])
    assert experiment.loss(model, ids).item() == pytest.approx(-torch.log_softmax(model(ids)[0, 0], 0)[1].item())


def test_passages_come_from_anywhere_in_the_text():
    own = text_of("ko")
    text = own.encoded
    batch = own.draw_batch(torch.Generator().manual_seed(0))
    assert batch.shape == (16, LENGTH + 1)
    whole = "".join(map(chr, text.tolist()))
    assert all("".join(map(chr, row)) in whole for row in batch.tolist())
    many = own.draw_batch(torch.Generator().manual_seed(0), 200_000)
    assert (many == text[: LENGTH + 1]).all(dim=1).any() and (many == text[-LENGTH - 1 :]).all(dim=1).any()


def test_the_rate_rises_over_100_steps_and_falls_over_the_last_half():
    rate = schedule(0.01)
    assert [rate(step) for step in (1, 50, 100, STEPS // 2)] == pytest.approx([1e-4, 5e-3, 1e-2, 1e-2])
    assert rate(STEPS) == pytest.approx(0.01 * 2 / STEPS) and rate(STEPS + 1) == 0


@pytest.mark.thorough
@LANGUAGES
def test_what_both_pages_say_of_the_runs_that_come_with_the_book(language):
    chosen, by_peak = compared(language), all_runs(language)
    losses = {block: of for block, (_, of) in chosen.items()}
    mean = {block: statistics.mean(of) for block, of in losses.items()}
    for block in ("RoPE", "today"):  # each seed is below each of 2017
        assert max(losses[block]) < min(losses["2017"]) - 0.1
    others = [block for block in CHANGES if block != "RoPE"]
    spread = {block: max(of) - min(of) for block, of in losses.items()}
    for block in others:
        assert max(losses[block]) > min(losses["2017"]) and min(losses[block]) < max(losses["2017"])
    for block in ("RMSNorm", "GQA", "no biases"):
        assert abs(mean[block] - mean["2017"]) < min(spread[block], spread["2017"]), block
    assert min(others, key=mean.__getitem__) == "SwiGLU"
    assert mean["RoPE"] < mean["today"], "no better than RoPE alone"
    assert all(min(PEAKS) < peak < max(PEAKS) for peak, _ in chosen.values())
    highest = {block: [run["test"] for run in runs[str(max(PEAKS))]] for block, runs in by_peak.items()}
    assert min(highest["2017"]) > max(losses["2017"])
    assert max(highest["pre-LN"]) < min(highest["2017"]) - 0.1
    assert mean[CONTROL] > mean["2017"] + 0.05, "without positions it is worse, not better"
    for block, (peak, of) in chosen.items():
        dev = {p: statistics.mean(run["dev"] for run in runs) for p, runs in by_peak[block].items()}
        assert dev[str(peak)] == min(dev.values())
        assert of == [run["test"] for run in by_peak[block][str(peak)]]


def of_test(language):
    """For each block, its means by peak and its seeds at the highest one, and its seeds at the best."""
    by_peak = {
        block: {float(peak): [run["test"] for run in of] for peak, of in runs.items()}
        for block, runs in all_runs(language).items()
    }
    means = {block: {peak: statistics.mean(of) for peak, of in runs.items()} for block, runs in by_peak.items()}
    highest = {block: runs[max(PEAKS)] for block, runs in by_peak.items()}
    return means, highest, {block: of for block, (_, of) in compared(language).items()}


@pytest.mark.thorough
def test_what_only_the_korean_page_says():
    means, highest, losses = of_test("ko")
    mean = {block: statistics.mean(of) for block, of in losses.items()}
    for block in CHANGES:
        if block != "RoPE":
            assert abs(mean[block] - mean["2017"]) < max(losses[block]) - min(losses[block]), block
    assert min(losses["today"]) < max(losses["RoPE"]), "they overlap"
    for peak in PEAKS:
        assert means["RoPE"][peak] < means["2017"][peak] - 0.1, "with the same rate, too"
        assert means["RoPE"][peak] < means["today"][peak]
    for block in (*CHANGES, CONTROL):  # each would pass for a gain there, even without positions
        assert means[block][max(PEAKS)] < means["2017"][max(PEAKS)] - 0.1
    for block in ("pre-LN", "RoPE"):  # about as at its best rate
        assert statistics.mean(highest[block]) == pytest.approx(mean[block], abs=0.05)


@pytest.mark.thorough
def test_what_only_the_english_page_says():
    means, highest, losses = of_test("en")
    mean = {block: statistics.mean(of) for block, of in losses.items()}
    for block in CHANGES:
        if block != "RoPE":
            assert abs(mean[block] - mean["2017"]) < max(losses["2017"]) - min(losses["2017"]), block
    pairs = zip(losses["SwiGLU"], losses["2017"], strict=True)
    assert all(new < before for new, before in pairs), "seed by seed"
    assert max(losses["RoPE"]) < min(losses["today"]) < max(losses["RoPE"]) + 0.01, "just above"
    for block in (*CHANGES, CONTROL):  # with post-LN each breaks down, even RoPE, and with pre-LN none
        if block != "pre-LN":
            assert min(highest[block]) > max(losses[block]) + 0.5, block
            assert means[block][max(PEAKS)] == pytest.approx(means["2017"][max(PEAKS)], abs=0.1)
    least, *level = means["today"].values()
    assert max(level) - min(level) < 0.02 < least - max(level)
    assert max(means["pre-LN"].values()) - min(means["pre-LN"].values()) < 0.25
    lower, higher = PEAKS[:2], PEAKS[2:]
    assert all(means["RoPE"][peak] < means["today"][peak] for peak in lower)
    assert all(means["today"][peak] < means["RoPE"][peak] for peak in higher)


@pytest.mark.parametrize(
    ("language", "characters", "number", "times", "fewer_of_model"),
    [("ko", 14_873, 29, 17, [6.3, 1.2]), ("en", 35_126, 65, 7, [7.8, 1.4])],
)
def test_the_sizes_that_the_page_names(language, characters, number, times, fewer_of_model):
    own = text_of(language)
    windows = own.encode(own.test).unfold(0, LENGTH + 1, LENGTH)
    assert (len(own.train), len(windows)) == (characters, number)
    assert round(STEPS * 16 * LENGTH / len(own.train)) == times
    layer, model = (
        {block: count(make(*BLOCKS[block])) for block in BLOCKS}
        for make in (ChangedLayer, functools.partial(ChangedModel, len(own.characters) + 1))
    )
    fewer = [1 - sizes[block] / sizes["2017"] for sizes in (layer, model) for block in ("GQA", "no biases")]
    assert [round(100 * share, 1) for share in fewer] == [8.3, 1.5, *fewer_of_model]
    assert round(100 * (1 - layer["today"] / layer["RoPE"])) == 10
