"""Networks with and without residual connections, and what their trainings showed."""

import torch

from snippets.families import deep_network
from snippets.families.deep_network import Network


def test_a_residual_network_adds_to_what_a_plain_one_replaces():
    torch.manual_seed(0)
    images = torch.randn(5, 64)
    network = Network(2, residual=True)
    x = network.first(images)
    for norm, layer in zip(network.norms, network.layers, strict=True):
        x = x + torch.relu(layer(norm(x)))
    assert torch.allclose(network(images), network.last(x))
    network.residual = False
    x = network.first(images)
    for norm, layer in zip(network.norms, network.layers, strict=True):
        x = torch.relu(layer(norm(x)))
    assert torch.allclose(network(images), network.last(x))


def test_hidden_layers_are_initialised_by_xaviers_rule():
    torch.manual_seed(0)
    weights = torch.cat([layer.weight.flatten() for layer in Network(20, residual=False).layers])
    assert abs(weights.std().item() - (2 / 128) ** 0.5) < 0.001


def test_layers_that_add_nothing_leave_a_residual_network_linear():
    torch.manual_seed(0)
    network, images = Network(3, residual=True), torch.randn(2, 64)
    for layer in network.layers:
        layer.weight.data.zero_(), layer.bias.data.fill_(-1)
    assert torch.equal(network(images), network.last(network.first(images)))


def mean(runs):
    return sum(run["loss"] for run in runs) / len(runs)


def test_the_deeper_plain_network_learns_less_at_every_rate_and_the_deeper_residual_one_does_not():
    found = deep_network.results()
    for lr in deep_network.RATES:
        assert mean(found[20, False][lr]) > 2 * mean(found[2, False][lr])
        assert mean(found[20, True][lr]) < mean(found[20, False][lr]) / 5
    best = {kind: min(by_rate, key=lambda lr: mean(by_rate[lr])) for kind, by_rate in found.items()}
    assert all(min(deep_network.RATES) < lr < max(deep_network.RATES) for lr in best.values())
    assert mean(found[20, True][best[20, True]]) < mean(found[2, True][best[2, True]])


def test_the_gradient_of_the_plain_network_does_not_vanish():
    runs = [run for by_rate in deep_network.results()[20, False].values() for run in by_rate]
    assert all(run["gradient"] > 10 for run in runs)
