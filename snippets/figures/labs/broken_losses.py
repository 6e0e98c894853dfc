"""Loss of the translator and of its broken variants during training, mean and range of the seeds."""

from snippets.figures import style
from snippets.labs.broken_translator import results

TEXT = {
    "ko": {
        "baseline": "베이스라인",
        "no positions": "위치 없음",
        "no mask": "마스크 없음",
        "no scaling": "스케일링 없음",
        "no warm-up": "워밍업 없음",
        "1 head": "베이스라인",
        "1 head, no scaling": "스케일링 없음",
        "heads": "토큰당 손실, 헤드 4개",
        "one": "토큰당 손실, 헤드 1개",
        "x": "스텝",
    },
    "en": {
        "baseline": "baseline",
        "no positions": "without positions",
        "no mask": "without a mask",
        "no scaling": "without scaling",
        "no warm-up": "without warm-up",
        "1 head": "baseline",
        "1 head, no scaling": "unscaled",
        "heads": "loss per token, 4 heads",
        "one": "loss per token, 1 head",
        "x": "step",
    },
}
LOOKS = {
    "baseline": (style.INK, "o-"),
    "no positions": (style.KEY, "s-"),
    "no mask": (style.OUTPUT, "^-"),
    "no scaling": (style.VALUE, "--"),
    "no warm-up": (style.WEIGHT, ":"),
    "1 head": (style.INK, "o-"),
    "1 head, no scaling": (style.VALUE, "--"),
}


def draw(text, runs=None):
    """runs: as ``results`` returns them, in the order of ``LOOKS``."""
    runs = runs or results()
    known = [*LOOKS] if len(runs) >= len(LOOKS) else []
    names = known + [*runs][len(known) :]  # what a reader adds comes last, by its own name
    runs = dict(zip(names, runs.values(), strict=True))
    one = [name for name in runs if name.startswith("1 head")]
    panels = [("heads", [name for name in runs if name not in one]), ("one", one)]
    panels = [panel for panel in panels if panel[1]]
    figure, axes = style.plt.subplots(
        len(panels), 1, figsize=(style.WIDTH, 2.6 * len(panels) + 0.4), sharex=True, squeeze=False
    )
    for ax, (title, names) in zip(axes[:, 0], panels, strict=True):
        for name in names:
            colour, line = LOOKS.get(name, (style.FAINT, "-"))
            steps, losses = style.means([run["losses"] for run in runs[name]], 10)
            ax.fill_between(steps, losses.amin(dim=0), losses.amax(dim=0), color=colour, alpha=0.15, lw=0)
            ax.plot(
                steps, losses.mean(dim=0), line, color=colour, lw=1.3, ms=3, markevery=3, label=text.get(name, name)
            )
        style.loss_axes(ax, {"x": "", "y": text[title]})
        ax.legend(loc="lower left")
    axes[-1, 0].set_xlabel(text["x"])
    return figure
