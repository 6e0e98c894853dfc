"""The matrix that shifts an encoding: rotations along the diagonal, zeros elsewhere."""

from snippets.figures import style
from snippets.positions.fixed_offset import offset_map
from snippets.positions.sinusoidal import frequencies

D_MODEL, OFFSET = 8, 3

TEXT = {
    "ko": {"turn": "각도 {:.3f}"},
    "en": {"turn": "angle {:.3f}"},
}


def draw(text, width=style.WIDTH):
    matrix = offset_map(OFFSET, D_MODEL)
    angles = OFFSET * frequencies(D_MODEL)
    wide = width == style.WIDTH
    cell, height, left, top = 33 if wide else 32.2, 20, 4 if wide else 2, 22
    figure, ax = style.canvas(top + D_MODEL * height + (8 if wide else 20), width)
    ax.text(left, top - 8, f"M_{OFFSET}, d_model = {D_MODEL}", weight="bold")
    style.cells(
        ax,
        matrix,
        left,
        top,
        colour=style.QUERY,
        size=(cell, height),
        show=lambda value: "0" if value == 0 else f"{value:.3f}".replace("-", "−"),
        depth=matrix.abs(),
    )
    for i, angle in enumerate(angles.tolist()):
        place = {"x": left + D_MODEL * cell + 8, "y": top + (2 * i + 1) * height + 3}
        if not wide:
            place = {"x": left + (2 * i + 1) * cell, "y": top + D_MODEL * height + 14, "ha": "center"}
        ax.text(s=text["turn"].format(angle), size=style.SMALL, color=style.QUERY, **place)
    return figure
