"""The matrix that shifts an encoding: rotations along the diagonal, zeros elsewhere."""

from snippets.figures import style
from snippets.positions.fixed_offset import offset_map
from snippets.positions.sinusoidal import frequencies

D_MODEL, OFFSET = 8, 3

TEXT = {
    "ko": {"turn": "각도 {:.3f}"},
    "en": {"turn": "angle {:.3f}"},
}


def draw(text):
    matrix = offset_map(OFFSET, D_MODEL)
    angles = OFFSET * frequencies(D_MODEL)
    width, height, left, top = 33, 20, 4, 22
    figure, ax = style.canvas(top + D_MODEL * height + 8)
    ax.text(left, top - 8, f"M_{OFFSET}, d_model = {D_MODEL}", weight="bold")
    style.cells(
        ax,
        matrix,
        left,
        top,
        colour=style.QUERY,
        size=(width, height),
        show=lambda value: "0" if value == 0 else f"{value:.3f}".replace("-", "−"),
        depth=matrix.abs(),
    )
    for i, angle in enumerate(angles.tolist()):
        y = top + (2 * i + 1) * height + 3
        ax.text(left + D_MODEL * width + 8, y, text["turn"].format(angle), size=style.SMALL, color=style.QUERY)
    return figure
