"""A draft's probabilities: what of them is accepted, and how the residual distribution fills up the model's."""

import torch

from snippets.figures import style
from snippets.llm.speculative import residual

#: Of three tokens: the model's, and those of the draft.
P, Q = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.3, 0.2, 0.5])

TEXT = {
    "ko": {
        "draft": "초안: q에서 뽑은 토큰",
        "result": "결과: 나오는 토큰",
        "accepted": "수락",
        "rejected": "거절",
        "residual": "거절한 다음 r에서",
        "p": "모델의 p",
    },
    "en": {
        "draft": "draft: a token from q",
        "result": "result: the token that comes",
        "accepted": "accepted",
        "rejected": "rejected",
        "residual": "from r, after a rejection",
        "p": "the model's p",
    },
}


def parts():
    """Accepted, rejected, and drawn from the residual distribution: three times (3,)."""
    accepted = Q * (P / Q).clamp(max=1)
    rejected = Q - accepted
    return accepted, rejected, rejected.sum() * residual(P, Q)


def draw(text):
    accepted, rejected, filled = (part.tolist() for part in parts())
    figure, axes = style.plt.subplots(1, 2, figsize=(style.WIDTH, 2.9), sharey=True)
    kept = {"width": 0.6, "color": style.VALUE, "alpha": style.DEEPEST, "label": text["accepted"]}
    lost = {
        "width": 0.6,
        "fill": False,
        "edgecolor": style.OUTPUT,
        "ls": "--",
        "label": text["rejected"],
    }
    more = {"width": 0.6, "color": style.WEIGHT, "alpha": style.DEEPEST, "label": text["residual"]}
    tokens = range(len(accepted))
    for ax, above, form in [(axes[0], rejected, lost), (axes[1], filled, more)]:
        ax.bar(tokens, accepted, **kept)
        some = [token for token in tokens if above[token] > 0.01]
        ax.bar(some, [above[token] for token in some], bottom=[accepted[token] for token in some], **form)
        ax.set_xticks(tokens, ["A", "B", "C"])
        middle = {"ha": "center", "va": "center", "size": style.SMALL}
        for token in tokens:
            ax.text(token, accepted[token] / 2, f"{accepted[token]:.1f}", **middle)
            if token in some:
                ax.text(token, accepted[token] + above[token] / 2, f"{above[token]:.1f}", **middle)
    for token, height in enumerate(P.tolist()):
        label = text["p"] if token == 0 else None
        axes[1].plot([token - 0.42, token + 0.42], [height, height], color=style.INK, lw=1.2, label=label)
    axes[0].set(ylim=(0, 0.56))
    axes[0].set_title(text["draft"])
    axes[1].set_title(text["result"])
    entries = {name: handle for ax in axes for handle, name in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=2)
    return figure
