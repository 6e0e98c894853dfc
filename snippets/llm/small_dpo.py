"""DPO on a model so small that all of its answers can be enumerated."""

# --8<-- [start:imports]
from itertools import product

import torch
from torch import Generator, Tensor

from snippets.families.llama import Llama, LlamaConfig
from snippets.llm.dpo import best_policy, dpo_loss, objective
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:answers]
LENGTH, DIGITS, START = 4, 4, 4
ANSWERS = torch.tensor(list(product(range(DIGITS), repeat=LENGTH)))  # (256, 4)
REWARD = (ANSWERS.diff(dim=1) > 0).sum(dim=1).float()  # 0 to 3: where they rise
HELD_OUT = torch.arange(len(ANSWERS)) % 4 == 1  # in no pair of the training


def new_model(seed: int) -> Llama:
    torch.manual_seed(seed)
    sizes = {"d_model": 32, "num_heads": 2, "num_kv_heads": 1, "d_ff": 64}
    return Llama(LlamaConfig(vocab_size=DIGITS + 1, num_layers=2, **sizes))


def log_policy(model: Llama) -> Tensor:
    """Of all 256 answers, normalized over the four digits: (256)."""
    start = torch.full_like(ANSWERS[:, :1], START)
    logits = model(torch.cat([start, ANSWERS[:, :-1]], dim=1))[..., :DIGITS]
    each = logits.log_softmax(dim=-1).gather(-1, ANSWERS.unsqueeze(-1))
    return each.squeeze(-1).sum(dim=-1)
# --8<-- [end:answers]


# --8<-- [start:reference]
def trained_reference(seed: int) -> Llama:
    """A model of answers that mostly fall or stay, by their exact cross-entropy."""
    model = new_model(seed)
    target = (-REWARD).log_softmax(dim=-1).exp()  # falling ones are more probable
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.0)
    for _ in range(100):
        loss = -(target * log_policy(model)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def drawn_pairs(reference: Tensor, number: int, seed: int) -> Tensor:
    """Pairs of answers of the reference, the chosen one first: (number, 2).

    Which is chosen, a judge says by Bradley and Terry: sigmoid(r - r').
    """
    generator = Generator().manual_seed(seed)
    p = reference.exp().masked_fill(HELD_OUT, 0.0)
    pairs = torch.multinomial(p, 2 * number, True, generator=generator).view(-1, 2)
    first = REWARD[pairs].diff(dim=1)[:, 0].neg().sigmoid()
    swap = torch.rand(number, generator=generator) >= first
    return torch.where(swap.unsqueeze(1), pairs.flip(1), pairs)
# --8<-- [end:reference]


# --8<-- [start:preferred]
PAIRS, BATCH, STEPS = 2048, 128, 200


def preferred(
    model: Llama, pairs: Tensor, beta: float, rate: float, steps: int, seed: int
) -> list[float]:
    """Steps of AdamW on the loss of DPO, at a rate that falls to 0."""
    losses, generator = [], Generator().manual_seed(seed)
    with torch.no_grad():
        reference = log_policy(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.0)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
        some = pairs[torch.randint(len(pairs), (BATCH,), generator=generator)]
        loss = dpo_loss(log_policy(model)[some], reference[some], beta)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
# --8<-- [end:preferred]


# --8<-- [start:results]
SEEDS, BETAS, RATES = (0, 1, 2), (0.05, 0.2, 1.0, 5.0), (3e-4, 1e-3, 3e-3, 1e-2)
CHOSEN = {"beta": 1.0, "rate": 1e-3}
SMALL, LARGER_RATES = 0.05, (1e-3, 3e-3, 1e-2, 3e-2)


@cached("small_dpo")
def run(
    beta: float, rate: float, seed: int, steps: int = STEPS, uniform: bool = False
) -> dict:
    """Train one model, and compare it with the best policy, answer by answer.

    uniform: pairs of answers that are all equally probable, not the reference's.
    """
    model = trained_reference(seed)
    with torch.no_grad():
        reference = log_policy(model)
    drawn_from = torch.zeros_like(reference) if uniform else reference
    pairs = drawn_pairs(drawn_from, PAIRS, seed)
    losses = preferred(model, pairs, beta, rate, steps, seed)
    with torch.no_grad():
        policy = log_policy(model)
    best = best_policy(reference, REWARD, beta)
    rises, compared = policy - reference, pairs.unique()
    a, b = torch.nonzero(REWARD[:, None] > REWARD[None]).T
    new = HELD_OUT[a] & HELD_OUT[b]  # the first of both is better
    right = (rises[a] > rises[b])[new].float().mean()
    values = {
        "right": right,
        "reward": policy.exp() @ REWARD,
        "best reward": best.exp() @ REWARD,
        "reward before": reference.exp() @ REWARD,
        "kl": policy.exp() @ rises,
        "best kl": best.exp() @ (best - reference),
        "to best": policy.exp() @ (policy - best),
        "objective": objective(policy, reference, REWARD, beta),
        "chosen": rises[pairs[:, 0]].mean(),
        "rejected": rises[pairs[:, 1]].mean(),
        "fell": (rises[pairs[:, 0]] < 0).float().mean(),
        "chosen by best": (best - reference)[pairs[:, 0]].mean(),
        "fell by best": ((best - reference)[pairs[:, 0]] < 0).float().mean(),
        "compared before": reference.exp()[compared].sum(),
        "compared": policy.exp()[compared].sum(),
        "compared by best": best.exp()[compared].sum(),
        "three rises compared": (REWARD[pairs] == 3).sum(),
    }
    return {"losses": losses} | {name: x.item() for name, x in values.items()}


def results() -> dict[str, list[dict]]:
    """By setting, a run for each seed. They come with the book."""
    found = {}
    for beta in BETAS:
        found[f"beta {beta:g}"] = [run(beta, CHOSEN["rate"], s) for s in SEEDS]
    for rate in RATES:
        found[f"rate {rate:g}"] = [run(CHOSEN["beta"], rate, s) for s in SEEDS]
    for rate in LARGER_RATES:  # what the smallest beta might lack
        found[f"small {rate:g}"] = [run(SMALL, rate, s) for s in SEEDS]
        even = [run(SMALL, rate, s, uniform=True) for s in SEEDS]
        found[f"uniform {rate:g}"] = even
    found["longer 0.003"] = [run(SMALL, 3e-3, s, steps=4 * STEPS) for s in SEEDS]
    return found
# --8<-- [end:results]
