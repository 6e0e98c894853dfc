"""A marked number is to be kept, and trained gates tell marked tokens from others."""

from __future__ import annotations

import torch
from torch import Generator, nn
from torch.testing import assert_close

from snippets.before.learned_gates import SEEDS, draw, gates, new_weights, read, results


def test_the_number_to_keep_is_the_last_marked_one():
    x, kept = draw(200, 7, Generator().manual_seed(0))
    assert x.shape == (200, 7, 2) and (x[:, 0, 1] == 1).all() and x[..., 0].abs().max() <= 1
    for sequence, number in zip(x, kept, strict=True):
        marked = sequence[sequence[:, 1] == 1, 0]
        assert 1 <= len(marked) <= 2 and marked[-1] == number


def test_the_cells_are_those_of_pytorch():
    x = draw(3, 5, Generator().manual_seed(1))[0]
    for gated, module in ((True, nn.LSTM), (False, nn.RNN)):
        w_x, w_h, b, out = weights = new_weights(gated, 4, 1.0, 0)
        theirs = module(2, 4, batch_first=True)
        values = (w_x, w_h, b, torch.zeros_like(b))
        theirs.load_state_dict(dict(zip(theirs.state_dict(), values, strict=True)))
        states = theirs(x)[0]
        said, before = read(x, weights)
        assert_close(said, (states[:, -1] @ out.T).squeeze(1))
        assert_close(before[:, 1:], states[:, :-1])
        if gated:
            assert (b[4:8] == 1).all()


def test_gates_are_means_over_marked_tokens_and_over_the_others():
    w_x, w_h = torch.zeros(4, 2), torch.zeros(4, 1)
    w_x[0, 1], w_x[1, 1] = 2.0, -3.0  # input and forget gate look at the mark alone
    found = gates(draw(50, 6, Generator().manual_seed(2))[0], [w_x, w_h, torch.zeros(4), torch.ones(1, 1)])
    wanted = {"f": 0.0, "f marked": -3.0, "i": 0.0, "i marked": 2.0}
    for name, x in wanted.items():
        assert abs(found[name] - torch.tensor(x).sigmoid().item()) < 1e-6


def test_what_comes_with_the_book_has_learned_to_keep_and_to_replace():
    found = results()
    assert all(len(runs) == len(SEEDS) for by_rate in found.values() for runs in by_rate.values())
    for run in found["LSTM 0 20"][0.03]:
        assert run["after"]["f"] > 0.9 > 0.3 > run["after"]["f marked"] and run["error"] < 0.05
    assert all(run["error"] > 0.25 for runs in found["RNN 20"].values() for run in runs)
