"""What is left of other meanings against what was learned: a curve for each method, from rate to rate."""

from statistics import mean

from snippets.families.tuned_encoders import all_runs
from snippets.figures import style

TEXT = {
    "ko": {
        "x": "새 단어로 된 문장의 정확도",
        "y": "마진: 짝과의 코사인 − 가장 가까운 다른 문장과의 코사인",
        "published": "공개된 인코더",
        "prompt, 8 vectors": "프롬프트, 벡터 8개",
        "LoRA, rank 1": "LoRA, r = 1",
        "LoRA, rank 4": "LoRA, r = 4",
        "full fine-tuning": "전체 파인튜닝",
    },
    "en": {
        "x": "accuracy on new words",
        "y": "margin: cosine to the partner − the largest cosine to any other",
        "published": "published encoder",
        "prompt, 8 vectors": "prompt, 8 vectors",
        "LoRA, rank 1": "LoRA, r = 1",
        "LoRA, rank 4": "LoRA, r = 4",
        "full fine-tuning": "full fine-tuning",
    },
}
#: Color and marker of each method.
LOOKS = {
    "prompt, 8 vectors": (style.FAINT, "^"),
    "LoRA, rank 1": (style.VALUE, "D"),
    "LoRA, rank 4": (style.KEY, "s"),
    "full fine-tuning": (style.QUERY, "o"),
}
#: Rates that are written beside their points, and where, in points.
RATES = {
    "full fine-tuning": {"1e-05": (-8, 8), "2e-05": (6, 5), "3e-05": (7, -1), "5e-05": (7, 0), "0.0001": (24, -11)},
    "LoRA, rank 1": {"0.001": (0, 6), "0.002": (14, -10)},
    "prompt, 8 vectors": {"0.1": (3, -14)},
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.6))
    runs = all_runs()
    published = runs["linear probe"]["0.001"][0]["margin"]  # which leaves the encoder as it is
    ax.axhline(published, color=style.INK, lw=1, ls=":")
    ax.annotate(text["published"], (0.5, published), (0, 4), textcoords="offset points", size=style.SMALL)
    for method, (color, marker) in LOOKS.items():
        x, y = ([mean(r[k] for r in seeds) for seeds in runs[method].values()] for k in ("test", "margin"))
        ax.plot(x, y, marker + "-", color=color, ms=4, lw=1, label=text[method])
        for seeds, a, b in zip(runs[method].values(), x, y, strict=True):
            new, margin = ([r[k] for r in seeds] for k in ("test", "margin"))
            ax.plot([a, a], [min(margin), max(margin)], color=color, lw=4, alpha=0.25, solid_capstyle="butt")
            ax.plot([min(new), max(new)], [b, b], color=color, lw=4, alpha=0.25, solid_capstyle="butt")
        for rate, place in RATES.get(method, {}).items():
            at = x[list(runs[method]).index(rate)], y[list(runs[method]).index(rate)]
            said = {"0.0001": "1e-4"}.get(rate, rate.replace("e-0", "e-"))
            ax.annotate(said, at, place, textcoords="offset points", color=color, size=style.SMALL)
    ax.axhline(0, color=style.FAINT, lw=0.6)
    ax.set_xlim(0.46, 1.06)
    ax.set_xticks([0.5, 0.6, 0.7, 0.8, 0.9, 1])
    ax.grid(axis="both")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="lower left")
    return figure
