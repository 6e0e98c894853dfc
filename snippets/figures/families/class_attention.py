"""What the class token attends to on three digits, by layer and head."""

from snippets.families.vision_training import attention_maps, test_set, trained
from snippets.figures import style

DIGITS = [0, 1, 7]  # one of each from the test set

TEXT = {
    "ko": {"image": "이미지", "layer": "{}층", "head": "헤드 {}"},
    "en": {"image": "image", "layer": "layer {}", "head": "head {}"},
}


def draw(text):
    test = test_set()
    chosen = [int((test.labels == digit).nonzero()[0]) for digit in DIGITS]
    images = test.images[chosen]
    maps = attention_maps(trained(), images)[..., 0, 1:]  # (layers, batch, heads, patches)
    layers, _, heads, _ = maps.shape
    side, gap, left, top = 29, 5.5, 8, 40
    figure, ax = style.canvas(top + len(chosen) * (side + gap) + 4)
    ax.text(left, top - 7, text["image"], size=style.SMALL)
    for layer in range(layers):
        start = left + (1 + layer * heads) * (side + gap) + 4 * (layer + 1)
        ax.text(start, 14, text["layer"].format(layer), weight="bold", color=style.WEIGHT)
        for head in range(heads):
            x = start + head * (side + gap)
            ax.text(x, top - 7, text["head"].format(head), size=style.SMALL)
            for row, weights in enumerate(maps[layer, :, head]):
                weights = weights.unflatten(0, (4, 4))
                form = {"colour": style.WEIGHT, "size": (side / 4, side / 4), "deepest": 1.0}
                style.cells(ax, weights, x, top + row * (side + gap), show=lambda weight: "", **form)
    for row, image in enumerate((images[:, 0] + 1) / 2):
        form = {"colour": style.INK, "size": (side / 8, side / 8), "depth": image, "deepest": 0.9}
        style.cells(ax, image, left, top + row * (side + gap), show=lambda value: "", **form)
    return figure
