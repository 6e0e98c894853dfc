"""Model view: the weights of all heads of all layers for one sentence, as small maps."""

import numpy as np
from matplotlib.colors import to_rgb

from snippets.families.encoder_views import FLIES, look
from snippets.figures import style

LEFT, TOP, CELL = 16, 28, 3.3
SHARP = 8  # pixels of a cell: enlarged by the browser, a smaller picture would blur

TEXT = {
    "ko": {"axes": "층 ↓, 헤드 →"},
    "en": {"axes": "layer ↓, head →"},
}


def draw(text):
    maps = look("attention", FLIES)["weights"]["maps"].float().numpy()
    layers, heads, n, _ = maps.shape
    side = n + 1  # and a gap
    depth = np.full((layers, side, heads, side), -1.0)
    depth[:, :n, :, :n] = maps.transpose(0, 2, 1, 3)
    depth = depth.reshape(layers * side, heads * side)[:-1, :-1]
    picture = np.empty((*depth.shape, 4))
    picture[..., :3] = to_rgb("#9a5cc0")  # a picture has no variables: a shade for either theme
    picture[..., 3] = np.where(depth < 0, 0, 0.08 + 0.92 * depth)
    height, width = (CELL * size for size in depth.shape)
    figure, ax = style.canvas(TOP + height + 4)
    picture = picture.repeat(SHARP, axis=0).repeat(SHARP, axis=1)
    box = (LEFT, LEFT + width, TOP + height, TOP)
    ax.imshow(picture, extent=box, interpolation="none", aspect="auto")
    ax.set(xlim=(0, style.WIDTH * 72), ylim=(TOP + height + 4, 0))
    middle = (n / 2 + np.arange(max(layers, heads)) * side) * CELL
    for i in range(layers):
        ax.text(LEFT - 5, TOP + middle[i] + 3, str(i), ha="right", size=style.SMALL)
    for j in range(heads):
        ax.text(LEFT + middle[j], TOP - 4, str(j), ha="center", size=style.SMALL)
    ax.text(4, 9, text["axes"], size=style.SMALL)
    return figure
