"""All answers of the small model are counted, and pairs follow the judge."""

from __future__ import annotations

import torch

from snippets.llm.small_dpo import (
    ANSWERS,
    BETAS,
    HELD_OUT,
    LARGER_RATES,
    RATES,
    REWARD,
    STEPS,
    drawn_pairs,
    log_policy,
    new_model,
    results,
)


def test_the_probabilities_of_all_answers_add_up_to_one():
    with torch.no_grad():
        policy = log_policy(new_model(0))
    assert policy.shape == (256,) and abs(policy.exp().sum().item() - 1) < 1e-5


def test_the_reward_counts_where_digits_rise():
    rewards = dict(zip(map(tuple, ANSWERS.tolist()), REWARD.tolist(), strict=True))
    assert rewards[0, 1, 2, 3] == 3 and rewards[3, 2, 1, 0] == 0 and rewards[1, 1, 2, 0] == 1


def test_pairs_are_of_answers_that_are_not_held_out_and_follow_bradley_and_terry():
    pairs = drawn_pairs(torch.full((256,), 1 / 256).log(), 20_000, 0)
    assert not HELD_OUT[pairs].any() and HELD_OUT.sum() == 64
    apart = REWARD[pairs[:, 0]] - REWARD[pairs[:, 1]]
    for difference in (1, 2):
        won, lost = (apart == difference).sum().item(), (apart == -difference).sum().item()
        assert abs(won / (won + lost) - torch.tensor(float(difference)).sigmoid().item()) < 0.02


def test_what_comes_with_the_book_is_of_every_setting():
    found = results()
    assert [x for x in found if x.startswith("beta")] == [f"beta {beta:g}" for beta in BETAS]
    assert [x for x in found if x.startswith("rate")] == [f"rate {rate:g}" for rate in RATES]
    for name in ("small", "uniform"):
        assert [x for x in found if x.startswith(name)] == [f"{name} {rate:g}" for rate in LARGER_RATES]
    for runs in found.values():
        assert len(runs) == 3
        for run in runs:
            assert run["kl"] >= 0 and run["to best"] >= 0 and 0 <= run["right"] <= 1
    assert [len(run["losses"]) for run in found["longer 0.003"]] == 3 * [4 * STEPS]
    assert found["small 0.001"] == found["beta 0.05"] != found["uniform 0.001"]
