"""Which characters top-k and top-p keep, where the small GPT is sure and where it is not."""

import functools

import torch

from snippets.before.vocabulary import BOS
from snippets.families import constitution_gpt
from snippets.families.sampling import top_k, top_p
from snippets.figures import style
from snippets.figures.labels import language_of

#: By language, one certain continuation, and many.
PROMPTS = {"ko": ["법률이 정하", "모든 국민은 "], "en": ["The Congress shall hav", "The "]}
K, P = 5, 0.9
SHOWN = 120

TEXT = {
    "ko": {"title": "다음: top-k {}개, top-p {}개", "x": "확률이 높은 순서"},
    "en": {"title": "next: top-k keeps {}, top-p {}", "x": "rank of the character"},
}


@functools.cache
def candidates(language, prompt):
    """Probabilities in descending order, and how many of them each cut keeps."""
    vocab = constitution_gpt.text_of(language).vocab
    ids = torch.tensor([[BOS] + [vocab.ids[character] for character in prompt]])
    with torch.no_grad():
        logits = constitution_gpt.trained(language)(ids)[:, -1]
    sizes = [cut.isfinite().sum().item() for cut in (top_k(logits, K), top_p(logits, P))]
    return logits[0].softmax(dim=-1).sort(descending=True).values, *sizes


def draw(text):
    language = language_of(text, TEXT)
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 3.9), sharex=True)
    for ax, prompt in zip(axes, PROMPTS[language], strict=True):
        probabilities, k, p = candidates(language, prompt)
        ranks = range(1, min(SHOWN, len(probabilities)) + 1)
        ax.fill_between(ranks, probabilities[:SHOWN].tolist(), step="mid", color=style.WEIGHT, alpha=0.5, lw=0)
        for size, name, colour, line, height in [
            (k, "top-k", style.KEY, "--", 0.9),
            (p, "top-p", style.QUERY, "-", 0.7),
        ]:
            ax.axvline(size + 0.5, color=colour, ls=line)
            place = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points", "size": style.SMALL}
            ax.annotate(name, (size + 0.5, height), (4, 0), color=colour, **place)
        ax.set_title(prompt.replace(" ", "␣"), loc="left")
        ax.set_title(text["title"].format(k, p), loc="right")
        ax.grid(axis="y")
    style.log_axes(axes[1], x=[1, 2, 5, 10, 20, 50, 100])
    axes[1].set_xlim(0.9, SHOWN)
    axes[1].set_xlabel(text["x"])
    return figure
