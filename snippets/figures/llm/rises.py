"""By how much DPO changes the log-probability of chosen and rejected answers, for four values of beta."""

from snippets.figures import style
from snippets.llm.small_dpo import BETAS, results

TEXT = {
    "ko": {"x": "β", "y": "로그 확률의 변화(nat)", "chosen": "고른 답", "rejected": "고르지 않은 답"},
    "en": {"x": "β", "y": "change of log-probability, nats", "chosen": "chosen", "rejected": "rejected"},
}


def draw(text):
    measured = results()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    ax.axhline(0, color=style.FAINT, lw=0.8)
    for name, colour, marker in [("chosen", style.VALUE, "o"), ("rejected", style.OUTPUT, "s")]:
        for seed in range(3):
            changes = [measured[f"beta {beta:g}"][seed][name] for beta in BETAS]
            label = text[name] if seed == 0 else None
            ax.plot(range(len(BETAS)), changes, marker, color=colour, ms=4, label=label)
    ax.set(xlabel=text["x"], xticks=range(len(BETAS)), xticklabels=[f"{beta:g}" for beta in BETAS])
    ax.set_title(text["y"])
    ax.legend(loc="lower right")
    return figure
