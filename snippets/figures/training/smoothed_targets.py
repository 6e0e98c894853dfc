"""The target of the loss without and with label smoothing, and where each loss is smallest."""

import functools

import torch

from snippets.figures import style
from snippets.training.loss import smoothed_cross_entropy

V, RIGHT, EPSILON = 5, 2, 0.1

TEXT = {
    "ko": {
        "hard": "하드 타깃",
        "soft": "소프트 타깃",
        "token": "토큰 ID",
        "plain": "ε = 0",
        "smoothed": "ε = {}",
        "p": "정답 토큰의 확률",
        "loss": "손실",
    },
    "en": {
        "hard": "hard target",
        "soft": "soft target",
        "token": "token id",
        "plain": "ε = 0",
        "smoothed": "ε = {}",
        "p": "probability of the correct token",
        "loss": "loss",
    },
}


def targets():
    """One-hot and smoothed distribution: the gradient of the loss is prediction - target."""
    found = []
    for epsilon in (0.0, EPSILON):
        logits = torch.zeros(1, V, requires_grad=True)
        smoothed_cross_entropy(logits, torch.tensor([RIGHT]), epsilon).backward()
        found.append((torch.softmax(logits, dim=-1) - logits.grad)[0].detach())
    return found


@functools.cache
def losses(epsilon):
    """Against the probability of the correct token, the others sharing the rest."""
    p = torch.linspace(0.3, 0.9995, 400)
    predictions = ((1 - p) / (V - 1)).unsqueeze(1).repeat(1, V)
    predictions[:, RIGHT] = p
    each = [smoothed_cross_entropy(row.unsqueeze(0), torch.tensor([RIGHT]), epsilon) for row in predictions.log()]
    return p, torch.stack(each)


def draw(text):
    figure = style.plt.figure(figsize=(style.WIDTH, 3.6))
    upper, lower = figure.subfigures(2, 1, height_ratios=[1, 1.5])
    for ax, target, name, colour in zip(
        upper.subplots(1, 2, sharey=True), targets(), ("hard", "soft"), (style.KEY, style.VALUE), strict=True
    ):
        ax.bar(range(V), target.tolist(), color=colour, alpha=0.8, width=0.7)
        for i, share in enumerate(target.tolist()):
            ax.text(i, share + 0.04, f"{share:.2f}", ha="center", size=style.SMALL)
        ax.set(ylim=(0, 1.2), yticks=[0, 1])
        ax.set_title(text[name])
        ax.set_xlabel(text["token"])
    ax = lower.subplots()
    for epsilon, colour, line, name in [(0.0, style.KEY, "--", "plain"), (EPSILON, style.VALUE, "-", "smoothed")]:
        p, loss = losses(epsilon)
        ax.plot(p, loss, line, color=colour, label=text[name].format(epsilon))
    least = int(loss.argmin())
    ax.plot([p[least]], [loss[least]], "o", color=style.VALUE, ms=5)
    ax.text(float(p[least]), float(loss[least]) + 0.1, f"{p[least]:.2f}", ha="center", size=style.SMALL)
    ax.set_xlabel(text["p"])
    ax.set_title(text["loss"])
    ax.grid(axis="y")
    for name, at, ha in [("plain", (0.58, 0.33), "right"), ("smoothed", (0.6, 0.75), "left")]:
        style.name_line(ax, text[name].format(EPSILON), at, ha=ha)
    return figure
