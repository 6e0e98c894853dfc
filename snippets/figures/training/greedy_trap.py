"""A tree of two tokens: greedy decoding takes the larger branch first and misses the more probable sentence."""

from snippets.figures import style

FIRST = {"a": 0.6, "b": 0.4}  # those of the example on the page
SECOND = {"a": {"c": 0.5, "d": 0.5}, "b": {"c": 0.9, "d": 0.1}}

TEXT = {
    "ko": {"greedy": "탐욕적", "best": "최선", "probability": "확률"},
    "en": {"greedy": "greedy", "best": "best", "probability": "probability"},
}


def sentences():
    """The probability of each sentence, and which one is found by greedy decoding."""
    found = {(one, two): p * q for one, p in FIRST.items() for two, q in SECOND[one].items()}
    one = max(FIRST, key=FIRST.get)
    return found, (one, max(SECOND[one], key=SECOND[one].get))


def draw(text):
    found, greedy = sentences()
    best = max(found, key=found.get)
    xs, top, step, size = (20, 104, 188), 30, 34, 22
    figure, ax = style.canvas(top + len(found) * step)
    middle = {sentence: top + (i + 0.5) * step for i, sentence in enumerate(found)}
    first = {one: sum(middle[s] for s in found if s[0] == one) / len(SECOND[one]) for one in FIRST}
    root = sum(first.values()) / len(first)

    def edge(start, end, p, colour):
        style.arrow(ax, start, end, colour=colour, width=0.6 + 4 * p)
        ax.text((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 - 6, f"{p:.1f}", ha="center", size=style.SMALL)

    def colour(*path):
        return style.KEY if path == greedy[: len(path)] else style.VALUE if path == best[: len(path)] else style.FAINT

    style.block(ax, xs[0], root - size / 2, size + 8, "<s>", height=size)
    for one, y in first.items():
        edge((xs[0] + 16, root), (xs[1] - size / 2 - 2, y), FIRST[one], colour(one))
        style.block(ax, xs[1], y - size / 2, size, one, height=size, colour=colour(one))
    for (one, two), y in middle.items():
        edge((xs[1] + size / 2 + 1, first[one]), (xs[2] - size / 2 - 2, y), SECOND[one][two], colour(one, two))
        style.block(ax, xs[2], y - size / 2, size, two, height=size, colour=colour(one, two))
        marked = {greedy: "greedy", best: "best"}.get((one, two))
        ax.text(xs[2] + 22, y + 3, f"{found[one, two]:.2f}", weight="bold" if marked else "normal")
        if marked:
            ax.text(xs[2] + 50, y + 3, text[marked], color=colour(one, two), weight="bold")
    ax.text(xs[2] + 22, 14, text["probability"], size=style.SMALL)
    return figure
