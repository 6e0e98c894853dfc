"""A mixture of experts is Mixtral's and Qwen3's; its loss is theirs; its capacity is counted by hand."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.llm.experts import MixtureOfExperts, balance_loss, load_experts, within_capacity


def block(theirs):
    """Ours with the weights of a block of transformers."""
    torch.manual_seed(0)
    theirs = theirs.double().eval()
    for weight in theirs.parameters():  # made without values
        torch.nn.init.normal_(weight)
    gate = theirs.gate
    ours = MixtureOfExperts(12, 10, gate.num_experts, gate.top_k, normalize=getattr(gate, "norm_topk_prob", True))
    load_experts(ours.double(), theirs.state_dict())
    return ours, theirs


def mixtral(num_experts=4, top_k=2):
    transformers = pytest.importorskip("transformers")
    from transformers.models.mixtral.modeling_mixtral import MixtralSparseMoeBlock

    sizes = {"num_local_experts": num_experts, "num_experts_per_tok": top_k}
    return MixtralSparseMoeBlock(transformers.MixtralConfig(hidden_size=12, intermediate_size=10, **sizes))


def qwen(num_experts=6, top_k=3, normalize=False):
    transformers = pytest.importorskip("transformers")
    from transformers.models.qwen3_moe.modeling_qwen3_moe import Qwen3MoeSparseMoeBlock

    sizes = {"num_experts": num_experts, "num_experts_per_tok": top_k, "norm_topk_prob": normalize}
    config = transformers.Qwen3MoeConfig(hidden_size=12, moe_intermediate_size=10, **sizes)
    return Qwen3MoeSparseMoeBlock(config)


@pytest.mark.parametrize(
    "make",
    [mixtral, lambda: mixtral(3, 1), qwen, lambda: qwen(5, 2, True), lambda: qwen(2, 2)],
    ids=["Mixtral", "one of three", "Qwen", "normalized", "all"],
)
def test_outputs_and_gradients_are_those_of_the_library(make):
    ours, theirs = block(make())
    x = torch.randn(2, 7, 12, dtype=torch.float64)
    a, b = ours(x), theirs(x)
    assert_close(a, b, rtol=1e-5, atol=1e-5)  # the library has its weights in float32
    a.square().sum().backward()
    b.square().sum().backward()
    assert_close(ours.router.scores.weight.grad, theirs.gate.weight.grad, rtol=1e-4, atol=1e-4)
    for number, expert in enumerate(ours.experts):
        gate_up = torch.cat([expert.w_gate.weight.grad, expert.w_up.weight.grad])
        assert_close(gate_up, theirs.experts.gate_up_proj.grad[number], rtol=1e-4, atol=1e-4)
        assert_close(expert.w_down.weight.grad, theirs.experts.down_proj.grad[number], rtol=1e-4, atol=1e-4)


def test_the_loss_is_the_librarys():
    pytest.importorskip("transformers")
    from transformers.models.mixtral.modeling_mixtral import load_balancing_loss_func

    torch.manual_seed(0)
    scores = torch.randn(50, 6)
    for top_k in (1, 2, 3):
        probs = scores.softmax(dim=-1)
        expected = load_balancing_loss_func((scores,), 6, top_k)
        assert_close(balance_loss(probs, probs.topk(top_k).indices), expected)


def test_the_loss_is_top_k_if_balanced_and_as_many_as_the_experts_if_all_choose_one():
    even = torch.full((4, 4), 0.25)
    assert_close(balance_loss(even, torch.tensor([[0, 1], [2, 3], [0, 1], [2, 3]])), torch.tensor(2.0))
    assert_close(balance_loss(even, torch.tensor([[0, 1]]).expand(4, 2)), torch.tensor(2.0))
    one = torch.tensor([[1.0, 0.0, 0.0, 0.0]]).expand(5, 4)
    assert_close(balance_loss(one, torch.zeros(5, 1, dtype=torch.long)), torch.tensor(4.0))


def test_each_token_gets_what_its_experts_make_of_it():
    torch.manual_seed(0)
    ours, x = MixtureOfExperts(6, 5, 4, 2), torch.randn(3, 6)
    probs, chosen, weights = ours.router(x)
    assert_close(probs.sum(dim=-1), torch.ones(3))
    assert_close(weights.sum(dim=-1), torch.ones(3))
    assert (weights[:, 0] >= weights[:, 1]).all()
    for row, numbers, share, y in zip(x, chosen, weights, ours(x), strict=True):
        assert_close(y, sum(w * ours.experts[i](row) for i, w in zip(numbers, share, strict=True)))
        assert_close(
            share[0] / share[1], (ours.router.scores(row)[numbers[0]] - ours.router.scores(row)[numbers[1]]).exp()
        )
    assert_close(ours(x.view(1, 3, 6)), ours(x).unsqueeze(0))


def test_one_expert_is_the_network_itself_and_normalized_is_the_default():
    ours, x = MixtureOfExperts(6, 5, 1, 1, normalize=False), torch.randn(2, 3, 6)
    assert_close(ours(x), ours.experts[0](x))
    assert MixtureOfExperts(6, 5, 3, 2).router.normalize and ours.router.scores.bias is None


def test_an_expert_that_nobody_chooses_gets_no_gradient():
    ours = MixtureOfExperts(2, 3, 2, 1)
    with torch.no_grad():
        ours.router.scores.weight.copy_(torch.tensor([[5.0, 0.0], [-5.0, 0.0]]))
    ours(torch.tensor([[1.0, 0.3], [2.0, -1.0]])).sum().backward()
    assert ours.experts[0].w_up.weight.grad.abs().sum() > 0
    assert not ours.experts[1].w_up.weight.grad.any()


def test_room_is_given_to_first_choices_in_the_order_of_the_tokens():
    chosen = torch.tensor([[0, 1], [0, 2], [1, 0], [0, 1]])
    assert within_capacity(chosen, 2).tolist() == [[True, True], [True, True], [True, False], [False, False]]
    assert within_capacity(chosen, 4).all() and not within_capacity(chosen, 0).any()
    assert within_capacity(chosen, 1).tolist() == [[True, False], [False, True], [True, False], [False, False]]


def test_experts_that_are_not_there_cannot_be_chosen():
    for top_k in (0, 5, -1):
        with pytest.raises(ValueError, match=f"cannot choose {top_k} of 4 experts"):
            MixtureOfExperts(6, 5, 4, top_k)
