"""The loss of DPO is that of trl, its best policy maximizes the objective, and training leads there."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from snippets.llm.dpo import best_policy, dpo_loss, implicit_reward, objective, token_divergence, without_lora
from snippets.llm.tuning import adapted, loras
from tests.llm.test_cached_llama import little_llama


def theirs(chosen, rejected, ref_chosen, ref_rejected, beta):
    """The lines of trl 1.16.0 (trl/trainer/dpo_trainer.py) for reverse KL and "sigmoid"."""
    chosen_scores = chosen - ref_chosen
    rejected_scores = rejected - ref_rejected
    delta_score = chosen_scores - rejected_scores
    return -F.logsigmoid(beta * delta_score)


def some_pairs(number: int = 6):
    generator = torch.Generator().manual_seed(0)
    return [torch.randn(number, 2, generator=generator).double() * 5 - 40 for _ in "pr"]


@pytest.mark.parametrize("beta", [0.03, 0.1, 0.5])
def test_the_loss_is_that_of_trl(beta):
    policy, reference = some_pairs()
    wanted = theirs(policy[:, 0], policy[:, 1], reference[:, 0], reference[:, 1], beta).mean()
    assert_close(dpo_loss(policy, reference, beta), wanted)


def test_the_loss_by_hand():
    policy, reference = torch.tensor([[-3.0, -7.0]]), torch.tensor([[-4.0, -5.0]])
    wanted = torch.tensor(1 + 2.718281828459045 ** -(0.5 * (1 + 2))).log()
    assert_close(dpo_loss(policy, reference, 0.5), wanted)
    assert implicit_reward(policy, reference, 0.5).tolist() == [[0.5, -1.0]]
    assert dpo_loss(reference, reference, 0.5).item() == pytest.approx(0.6931472)


def test_gradients_point_to_the_chosen_answer_and_from_the_rejected_one():
    policy, reference = some_pairs()
    policy.requires_grad_()
    dpo_loss(policy, reference, 0.1).backward()
    assert (policy.grad[:, 0] < 0).all() and (policy.grad.sum(dim=1).abs() < 1e-12).all()
    margins = implicit_reward(policy, reference, 0.1).diff(dim=1)[:, 0]  # rejected minus chosen
    assert_close(policy.grad[:, 0], -0.1 * margins.sigmoid() / 6)


def a_choice(answers: int = 5):
    generator = torch.Generator().manual_seed(1)
    reference = torch.randn(answers, generator=generator).double().log_softmax(-1)
    return reference, torch.randn(answers, generator=generator).double()


@pytest.mark.parametrize("beta", [0.2, 1.0, 5.0])
def test_the_best_policy_has_the_largest_objective(beta):
    reference, reward = a_choice()
    best = best_policy(reference, reward, beta)
    assert best.exp().sum().item() == pytest.approx(1)
    value = objective(best, reference, reward, beta)
    assert_close(value, beta * (reference + reward / beta).logsumexp(-1))  # beta log Z
    generator = torch.Generator().manual_seed(2)
    for size in (0.01, 0.1, 1.0):
        others = (best + size * torch.randn(200, 5, generator=generator).double()).log_softmax(-1)
        behind = value - objective(others, reference, reward, beta)
        assert (behind > 0).all()
        divergence = (others.exp() * (others - best)).sum(-1)
        assert_close(behind, beta * divergence)  # the proof says by how much


def test_each_prompt_has_a_best_policy_of_its_own():
    reference = torch.tensor([[0.5, 0.5], [0.9, 0.1]]).log()
    reward = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    together = best_policy(reference, reward, 0.5)
    assert_close(together, torch.stack([best_policy(r, g, 0.5) for r, g in zip(reference, reward, strict=True)]))
    assert_close(together.exp().sum(dim=-1), torch.ones(2))


def test_training_on_all_pairs_leads_to_the_best_policy():
    """Pairs as often as Bradley and Terry say: the minimum of the loss has the implicit rewards of the true ones."""
    reference, reward = a_choice()
    beta, logits = 0.5, torch.zeros(5, dtype=torch.double, requires_grad=True)
    pairs = torch.cartesian_prod(torch.arange(5), torch.arange(5))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    weight = (reward[pairs[:, 0]] - reward[pairs[:, 1]]).sigmoid()
    optimizer = torch.optim.LBFGS([logits], max_iter=200, tolerance_grad=1e-12, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        each = [dpo_loss(logits.log_softmax(-1)[pair][None], reference[pair][None], beta) for pair in pairs]
        value = (torch.stack(each) * weight).sum()
        value.backward()
        return value

    optimizer.step(loss)
    assert_close(logits.detach().log_softmax(-1), best_policy(reference, reward, beta), rtol=0, atol=1e-4)


def test_the_reference_is_the_model_without_its_loras():
    model, ids = little_llama(), torch.tensor([[1, 2, 3]])
    before = model(ids)
    adapted(model, 2, 4.0)
    for module in loras(model):
        torch.nn.init.normal_(module.b, generator=torch.Generator().manual_seed(0))
    after = model(ids)
    assert (after - before).abs().max() > 0.01
    with without_lora(model):
        assert_close(model(ids), before)
    assert_close(model(ids), after)
    with pytest.raises(RuntimeError), without_lora(model):
        raise RuntimeError
    assert_close(model(ids), after)


def test_the_divergence_of_tokens_is_that_of_torch():
    generator = torch.Generator().manual_seed(0)
    policy, reference = (torch.randn(2, 3, 7, generator=generator) for _ in "pr")
    wanted = F.kl_div(reference.log_softmax(-1), policy.log_softmax(-1), reduction="none", log_target=True).sum(-1)
    assert_close(token_divergence(policy, reference), wanted)
    assert_close(token_divergence(policy, policy + 3), torch.zeros(2, 3), atol=1e-6, rtol=0)
