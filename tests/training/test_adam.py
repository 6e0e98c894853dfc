"""Adam is PyTorch's over many steps, and moves by about the learning rate whatever the scale of the gradient."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing import assert_close

from snippets.training.adam import Adam


def walk(make, loss, steps=50):
    """The parameters after each step."""
    torch.manual_seed(0)
    parameters = [torch.randn(3, 4, dtype=torch.float64), torch.randn(5, dtype=torch.float64)]
    parameters = [p.requires_grad_() for p in parameters]
    optimizer, path = make(parameters), []
    for step in range(steps):
        for p in parameters:
            p.grad = None
        loss(parameters, step).backward()
        optimizer.step()
        path.append(torch.cat([p.detach().flatten() for p in parameters]))
    return torch.stack(path)


def bumpy(parameters, step):
    """A loss whose gradients differ in size, in sign and from step to step."""
    a, b = parameters
    return ((a * 3).sin() * (1 + step % 3)).sum() + (b**4).sum() / 100 + (a[0].sum() * b[:3].sum()) * (-1) ** step


@pytest.mark.parametrize("lr", [1e-3, 0.1])
@pytest.mark.parametrize("betas", [(0.9, 0.98), (0.5, 0.999)])
@pytest.mark.parametrize("eps", [1e-9, 0.1])
def test_it_is_that_of_torch_over_many_steps(lr, betas, eps):
    ours = walk(lambda p: Adam(p, lr, betas, eps), bumpy)
    theirs = walk(lambda p: torch.optim.Adam(p, lr, betas, eps), bumpy)
    assert_close(ours, theirs, atol=1e-10, rtol=1e-10)


def test_defaults_are_those_of_the_paper():
    assert_close(
        walk(Adam, bumpy),
        walk(lambda p: torch.optim.Adam(p, lr=1e-3, betas=(0.9, 0.98), eps=1e-9), bumpy),
        atol=1e-10,
        rtol=1e-10,
    )


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_the_first_step_is_the_learning_rate_at_any_scale(scale):
    p = torch.tensor([2.0, -3.0], dtype=torch.float64, requires_grad=True)
    optimizer = Adam([p], lr=0.01)
    (scale * (p[0] - 5 * p[1])).backward()
    optimizer.step()
    assert_close(p.detach(), torch.tensor([2 - 0.01, -3 + 0.01], dtype=torch.float64), atol=1e-6, rtol=0)


@pytest.mark.parametrize(("angle", "smallest", "largest"), [(0, 0, 0.01), (math.pi / 4, 0.99, 1)])
def test_in_a_turned_valley_both_second_moments_are_nearly_equal(angle, smallest, largest):
    turn = torch.tensor([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    x = (turn @ torch.ones(2)).requires_grad_()
    optimizer = Adam([x], lr=0.019)
    for _ in range(200):
        x.grad = None
        across, along = turn.T @ x
        (50 * across**2 + 0.05 * along**2).backward()
        optimizer.step()
        roots = optimizer.state[0][2].sqrt()
        assert smallest <= roots.min() / roots.max() <= largest


def test_a_parameter_without_a_gradient_stays():
    used, unused = torch.zeros(2, requires_grad=True), torch.ones(2, requires_grad=True)
    optimizer = Adam([unused, used])
    used.sum().backward()
    optimizer.step()
    assert unused.tolist() == [1, 1] and (used < 0).all()


def test_a_gradient_that_comes_late_is_corrected_by_the_steps_of_all_parameters():
    """torch counts the steps of each parameter, and moves a full step here."""
    moved = []
    for optimizer_class in (Adam, torch.optim.Adam):
        early, late = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
        optimizer = optimizer_class([early, late], lr=0.1, betas=(0.9, 0.98))
        early.sum().backward()
        optimizer.step()
        late.sum().backward()
        optimizer.step()
        moved.append(-late.item() / 0.1)
    shorter = (0.1 / (1 - 0.9**2)) / (0.02 / (1 - 0.98**2)) ** 0.5
    assert moved == pytest.approx([shorter, 1.0], abs=1e-4)


def test_a_generator_that_is_used_up_is_refused():
    parameters = torch.nn.Linear(2, 2).parameters()
    list(parameters)  # such as printed before
    with pytest.raises(ValueError, match="no parameters"):
        Adam(parameters)


@pytest.mark.parametrize(
    "settings",
    [
        {"lr": -0.1},
        {"lr": math.nan},
        {"betas": (1.0, 0.9)},
        {"betas": (0.9, -0.1)},
        {"betas": (0.9, 1.0)},
        {"eps": -1.0},
    ],
    ids=str,
)
def test_settings_that_torch_refuses_are_refused_here(settings):
    for optimizer in (Adam, torch.optim.Adam):
        with pytest.raises(ValueError):
            optimizer([torch.zeros(1, requires_grad=True)], **settings)


@pytest.mark.parametrize("settings", [{"lr": 0.0}, {"betas": (0.0, 0.0)}, {"eps": 0.0}], ids=str)
def test_settings_at_the_edge_are_accepted(settings):
    for optimizer in (Adam, torch.optim.Adam):
        optimizer([torch.zeros(1, requires_grad=True)], **settings)
