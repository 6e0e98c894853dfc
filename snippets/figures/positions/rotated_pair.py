"""RoPE in one pair of components: query and key turn with their positions, and the angle between them does not."""

import torch
from matplotlib.patches import Arc, Circle

from snippets.figures import style
from snippets.positions.relative import rotate

PLACES = [(0, 0), (5, 2), (9, 6)]  # positions of query and key
FREQUENCY = 0.35

TEXT = {
    "ko": {
        "before": "돌리기 전",
        "at": "쿼리 {}번, 키 {}번",
        "offset": "{}칸 차이: q · k = {:.2f}",
        "plain": "q · k = {:.2f}",
    },
    "en": {
        "before": "not rotated",
        "at": "query at {}, key at {}",
        "offset": "{} apart: q · k = {:.2f}",
        "plain": "q · k = {:.2f}",
    },
}


def pairs():
    """Query and key of one pair, as rotated at each of PLACES: (places, 2, 2)."""
    vectors = torch.tensor([[0.95, 0.31], [0.74, -0.67]], dtype=torch.float64)
    return torch.stack([rotate(vectors, FREQUENCY * torch.tensor(place)) for place in PLACES])


def draw(text, width=style.WIDTH):
    room, radius, top, wide = style.WIDTH * 72 / len(PLACES), 40, 30, width == style.WIDTH
    figure, ax = style.canvas(top + 2 * radius + 34 if wide else 108 * len(PLACES), width)
    for panel, ((i, j), (query, key)) in enumerate(zip(PLACES, pairs(), strict=True)):
        x, y = ((panel + 0.5) * room, top + radius) if wide else (56, (panel + 0.5) * 108)
        ax.add_patch(Circle((x, y), radius, fill=False, ec=style.FAINT, lw=1))
        for vector, colour, name in [(query, style.QUERY, "q"), (key, style.KEY, "k")]:
            right, up = vector.tolist()
            style.arrow(ax, (x, y), (x + radius * right, y - radius * up), colour=colour, width=1.8)
            ax.text(
                x + 1.17 * radius * right, y - 1.17 * radius * up + 3, name, ha="center", color=colour, weight="bold"
            )
        angles = [float(torch.rad2deg(torch.atan2(v[1], v[0]))) for v in (query, key)]
        # the axis of the canvas points downwards, so angles count the other way round
        ax.add_patch(Arc((x, y), 26, 26, theta1=-angles[0], theta2=-angles[1], color=style.FAINT, lw=1.2))
        title = text["at"].format(i, j) if i or j else text["before"]
        beside = {"ha": "center"} if wide else {"ha": "left"}
        ax.text(x if wide else 122, 13 if wide else y - 4, title, weight="bold", **beside)
        score = float(query @ key)
        below = text["offset"].format(i - j, score) if i or j else text["plain"].format(score)
        ax.text(x if wide else 122, top + 2 * radius + 22 if wide else y + 12, below, size=style.SMALL, **beside)
    return figure
