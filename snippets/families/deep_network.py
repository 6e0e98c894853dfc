"""Shallow and deep networks, with residual connections and without them."""

# --8<-- [start:imports]
import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy

from snippets.families.digit_images import digits
from snippets.tools.cached import cached, progress
# --8<-- [end:imports]


# --8<-- [start:Network]
class Network(nn.Module):
    """Images of 8 by 8 pixels, (batch, 64), to logits of ten digits, (batch, 10).

    Every hidden layer normalizes what it reads, and Xavier initializes it, so
    that neither the sizes of vectors nor the gradients vanish.
    """

    def __init__(self, num_layers: int, residual: bool) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(64, 64), nn.Linear(64, 10)
        self.norms = nn.ModuleList(nn.LayerNorm(64) for _ in range(num_layers))
        self.layers = nn.ModuleList(nn.Linear(64, 64) for _ in range(num_layers))
        for layer in self.layers:
            nn.init.xavier_normal_(layer.weight)
        self.residual = residual

    def forward(self, images: Tensor) -> Tensor:
        x = self.first(images)
        for norm, layer in zip(self.norms, self.layers, strict=True):
            change = torch.relu(layer(norm(x)))
            x = x + change if self.residual else change
        return self.last(x)
# --8<-- [end:Network]


# --8<-- [start:train]
STEPS = 300


@cached("deep_network")
def train(num_layers: int, residual: bool, lr: float, seed: int) -> dict:
    """Train on 1,437 digits; the loss and the share of errors on the same digits.

    "gradient": its norm in the first hidden layer before any training, as a
    multiple of that in the last.
    """
    (images, labels), _ = digits()
    images = images.flatten(start_dim=1)  # (1437, 64)
    torch.manual_seed(seed)
    network = Network(num_layers, residual)
    generator = Generator().manual_seed(seed)
    cross_entropy(network(images), labels).backward()
    norms = [layer.weight.grad.norm().item() for layer in network.layers]
    optimizer = torch.optim.Adam(network.parameters(), lr=lr)
    for _ in progress(STEPS, f"{num_layers=}, {lr=}"):
        chosen = torch.randint(len(labels), (64,), generator=generator)
        loss = cross_entropy(network(images[chosen]), labels[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        logits = network(images)
    return {
        "loss": cross_entropy(logits, labels).item(),
        "errors": (logits.argmax(dim=-1) != labels).double().mean().item(),
        "gradient": norms[0] / norms[-1],
    }
# --8<-- [end:train]


# --8<-- [start:results]
DEPTHS, RATES, SEEDS = [2, 20], [0.0003, 0.001, 0.003, 0.01], range(3)


def results() -> dict[tuple[int, bool], dict[float, list[dict]]]:
    """Each depth, without and with residual connections, at each rate."""
    kinds = [(depth, residual) for residual in (False, True) for depth in DEPTHS]
    settings = [(*kind, lr) for kind in kinds for lr in RATES]
    runs = iter(train.each((*of, seed) for of in settings for seed in SEEDS))
    found = {of: [next(runs) for _ in SEEDS] for of in settings}
    return {kind: {lr: found[*kind, lr] for lr in RATES} for kind in kinds}
# --8<-- [end:results]
