"""A whole text at once gives what reading token by token gives; what was measured is of every way and text."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from torch.nn.functional import cross_entropy
from torch.testing import assert_close

from snippets.llm import longer_smollm as module
from snippets.llm.longer import StreamingLlama
from snippets.llm.longer_smollm import attend, losses
from tests.llm.test_cached_llama import little_llama


def some_ids(n: int = 30) -> torch.Tensor:
    return torch.randint(40, (n,), generator=torch.Generator().manual_seed(3))


def test_without_a_window_it_is_the_model():
    model, ids = little_llama(), some_ids()
    wanted = cross_entropy(model(ids[None, :-1])[0], ids[1:], reduction="none")
    assert_close(losses(model, ids), wanted)


def test_a_base_is_that_of_the_model_whose_layers_have_it():
    model, ids = little_llama(), some_ids()
    found = losses(model, ids, base=37.0)
    for layer in model.layers:
        layer.attention.rope_theta = 37.0
    assert_close(found, losses(model, ids))


def test_a_score_depends_on_the_distance_divided_by_the_factor():
    """Written anew with complex numbers, one query at a time."""
    of = little_llama().layers[0].attention
    x = torch.randn(1, 8, 24, generator=torch.Generator().manual_seed(4)).double()
    q = torch.view_as_complex(of.w_q(x)[0].view(8, 6, 2, 2))  # heads of two pairs
    k = torch.view_as_complex(of.w_k(x)[0].view(8, 2, 2, 2)).repeat_interleave(3, dim=1)
    v = of.w_v(x)[0].view(8, 2, 4).repeat_interleave(3, dim=1)
    omega = torch.tensor([1.0, 100.0**-0.5], dtype=torch.float64)
    rows = []
    for i in range(8):
        distance = (i - torch.arange(i + 1).double()) / 3.0
        turn = torch.polar(torch.ones(i + 1, 2).double(), distance[:, None] * omega)[:, None]
        scores = (q[i] * turn * k[: i + 1].conj()).real.sum(dim=-1) / 2.0  # (keys, heads)
        rows.append((scores.softmax(dim=0)[..., None] * v[: i + 1]).sum(dim=0).flatten())
    assert_close(attend(of, x, base=100.0, factor=3.0)[0], of.w_o(torch.stack(rows)))


@pytest.mark.parametrize("first", [[], [0], [0, 1, 2]])
@pytest.mark.parametrize("window", [4, 7, 29])
def test_a_window_gives_what_reading_token_by_token_gives(monkeypatch, window, first):
    model, ids = little_llama(), some_ids()
    streaming = StreamingLlama(model, window, len(first))
    logits = torch.cat([streaming.next_logits(token[None]) for token in ids[:-1]])
    wanted = cross_entropy(logits, ids[1:], reduction="none")
    for block in (8, 1024):
        monkeypatch.setattr(module, "BLOCK", block)
        assert_close(losses(model, ids, window=window, first=first), wanted)


def test_other_tokens_can_be_kept_in_place_of_the_first():
    of = little_llama().layers[0].attention
    x = torch.randn(1, 9, 24, generator=torch.Generator().manual_seed(5)).double()
    found = attend(of, x, base=of.rope_theta, window=4, first=[2])[:, -1]
    kept = x[:, [2, 6, 7, 8]]
    assert_close(found, of(kept, torch.ones(4, 4).tril().bool())[:, -1])


def test_passages_stand_twice_at_their_distances(monkeypatch):
    pieces = list(range(100_000, 110_000))
    monkeypatch.setattr(module, "tokenizer", lambda: SimpleNamespace(encode=lambda text: pieces))
    monkeypatch.setattr(module, "text_ids", lambda number: torch.arange(module.LENGTH + 1))
    for number in module.TEXTS:
        ids, again = module.with_passages(number)
        assert list(sorted(again)) == module.DISTANCES and all(len(begins) == 2 for begins in again.values())
        firsts = []
        for distance, begins in again.items():
            for begin in begins:
                copy = ids[begin : begin + module.PASSAGE]
                assert copy.equal(ids[begin - distance :][: module.PASSAGE]) and copy.min() >= 100_000
                firsts.append(begin - distance)
        assert sorted(firsts) == [64 * i for i in range(1, 9)], "the first copies, one after the other"
        assert (ids < 100_000).sum() == len(ids) - 16 * 64, "nothing else was changed"
    at = [module.with_passages(number)[1][module.DISTANCES[0]] for number in module.TEXTS]
    assert len({tuple(begins) for begins in at}) == len(at), "a distance is not that of one passage"


def test_without_the_first_copies_only_they_are_gone(monkeypatch):
    monkeypatch.setattr(module, "tokenizer", lambda: SimpleNamespace(encode=lambda text: list(range(100_000, 110_000))))
    monkeypatch.setattr(module, "text_ids", lambda number: torch.arange(module.LENGTH + 1))
    (twice, again), (once, same) = module.with_passages(1), module.with_passages(1, twice=False)
    assert again == same
    assert (twice != once).nonzero().flatten().tolist() == list(range(64, 9 * 64))
    assert once[: 9 * 64].tolist() == list(range(9 * 64)), "the text as it was"


def test_only_what_is_known_by_then_counts(monkeypatch):
    """The first tokens of a copy, from which nobody could know which passage it is, do not."""
    again = {d: [100 + 100 * i] for i, d in enumerate(module.DISTANCES)}
    texts = {True: torch.arange(700), False: torch.arange(700) + 1000}
    monkeypatch.setattr(module, "with_passages", lambda number, twice: (texts[twice], again))
    monkeypatch.setattr(module, "smollm2", lambda: None)
    monkeypatch.setattr(module, "losses", lambda model, ids: ids[1:].double())  # of each token its number
    found = module.found_again(0, "unchanged")
    middle = (8 + 63) / 2
    for i, d in enumerate(module.DISTANCES):
        assert found[str(d)] == {"twice": [100 + 100 * i + middle], "once": [1100 + 100 * i + middle]}


def test_what_is_measured_is_kept_by_way_and_text(monkeypatch):
    def measured(measure, calls):
        return [(measure.__name__, *call) for call in calls]

    monkeypatch.setattr(module, "in_parallel", measured)
    monkeypatch.setattr(module, "weights_on", lambda number: ("weights", number))
    found = module.compute()
    assert found["by_position"]["window"] == [("of_bins", i, "window") for i in module.TEXTS]
    assert found["again"]["base for 2"] == [("found_again", i, "base for 2") for i in module.TEXTS]
    assert list(found["by_position"]) == list(module.WAYS) and list(found["again"]) == module.FAR
    assert found["weights"] == [("weights", i) for i in module.TEXTS]


def test_weights_are_those_of_later_tokens_on_the_first(monkeypatch):
    weights = torch.zeros(2, 1, 3, 512, 512)  # layers, batch, heads, query, key
    weights[1, 0, 2, 256:384, 5] = 1  # half of the later tokens
    weights[1, 0, 2, :256, 6] = 1  # and none of them
    asked = []
    monkeypatch.setattr(module, "smollm2", lambda: "model")
    monkeypatch.setattr(module, "text_ids", lambda number: torch.arange(1000) + number)
    monkeypatch.setattr(module, "attention_weights", lambda model, ids: asked.append(ids) or weights)
    found = module.weights_on(3)
    assert asked[0].tolist() == [list(range(3, 515))]
    assert found == [[0.0] * 8] * 5 + [[0, 0, 0, 0, 0, 0.5, 0, 0]]


def test_losses_costs_and_gains_are_means_of_differences(monkeypatch):
    rows = {"window": [[9.0, 3.0, 5.0]] * 3, "window, tokens 0-3": [[0.0, 1.0, 2.0]] * 3}
    copies = {str(d): {"twice": [1.0, 2.0], "once": [2.0, 5.0]} for d in module.DISTANCES}
    monkeypatch.setattr(module, "results", lambda: {"by_position": rows, "again": {"far": [copies]}})
    assert module.mean_losses("window, tokens 0-3") == [0.0, 1.0, 2.0]
    assert module.costs("window") == [2.5] * 3, "what is before the window is full does not count"
    assert module.gains("far") == [(2.0, 1.0)] * 4


def test_what_comes_with_the_book_is_of_every_way_and_text():
    found = module.results()
    assert list(found["by_position"]) == list(module.WAYS) and list(found["again"]) == module.FAR
    assert [len(heads) for heads in found["weights"]] == [270] * len(module.TEXTS)
    for of_texts in found["by_position"].values():
        assert [len(row) for row in of_texts] == [module.LENGTH // module.BIN] * len(module.TEXTS)
    for of_texts in found["again"].values():
        assert [sorted(map(int, of)) for of in of_texts] == [module.DISTANCES] * len(module.TEXTS)
        assert all(len(x["twice"]) == len(x["once"]) == 2 for of in of_texts for x in of.values())


def test_within_the_window_all_ways_with_one_read_the_same():
    found = module.results()["by_position"]
    firsts = [[row[0] for row in found[way]] for way in found if way.startswith("window") or way == "unchanged"]
    for others in firsts[1:]:
        assert others == pytest.approx(firsts[0], abs=1e-3)
