"""Probabilities of the next character at three temperatures, from the small GPT."""

import torch

from snippets.before.vocabulary import BOS
from snippets.families import constitution_gpt
from snippets.families.sampling import with_temperature
from snippets.figures import style
from snippets.figures.labels import language_of

PROMPTS = {"ko": "모든 국민은 ", "en": "The "}
TEMPERATURES = [0.5, 1.0, 1.5]
SHOWN = 8

TEXT = {
    "ko": {"title": "온도 {}", "rest": "나머지 {}가지"},
    "en": {"title": "temperature {}", "rest": "{} others"},
}


def draw(text):
    language = language_of(text, TEXT)
    vocab = constitution_gpt.text_of(language).vocab
    ids = torch.tensor([[BOS] + [vocab.ids[character] for character in PROMPTS[language]]])
    with torch.no_grad():
        logits = constitution_gpt.trained(language)(ids)[0, -1]
    order = logits.argsort(descending=True)
    names = [style.readable(vocab.tokens[i]) for i in order[:SHOWN].tolist()]
    names.append(text["rest"].format(len(order) - SHOWN))
    figure, axes = style.plt.subplots(1, 3, figsize=(style.WIDTH, 2.7), sharey=True)
    for ax, temperature in zip(axes, TEMPERATURES, strict=True):
        P = with_temperature(logits, temperature).softmax(dim=-1)[order]
        shares = [*P[:SHOWN].tolist(), P[SHOWN:].sum().item()]
        colours = [style.WEIGHT] * SHOWN + [style.FAINT]
        ax.barh(range(len(shares)), shares, color=colours, alpha=0.6)
        for y, share in enumerate(shares):
            ax.annotate(f"{share:.2f}", (share, y), (2, -3), textcoords="offset points", size=style.SMALL)
        ax.set_title(text["title"].format(temperature))
        ax.set_xlim(0, 1.3 * max(shares))
        ax.set_xticks([])
        ax.spines["bottom"].set_visible(False)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].invert_yaxis()
    return figure
