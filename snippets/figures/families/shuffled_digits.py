"""Digits of the test set, and below each the same sixteen patches in one fixed random order."""

from snippets.families.vision_training import ORDER, PATCH, test_set
from snippets.families.vision_transformer import shuffle_patches
from snippets.figures import style

DIGITS = [0, 1, 3, 4, 7]  # the first of each in the test set

TEXT = {
    "ko": {"as is": "테스트 셋의 숫자", "shuffled": "같은 순서로 섞은 패치"},
    "en": {"as is": "digits of the test set", "shuffled": "their patches, all shuffled alike"},
}


def draw(text):
    test = test_set()
    chosen = test.images[[int((test.labels == digit).nonzero()[0]) for digit in DIGITS]]
    rows = {"as is": chosen, "shuffled": shuffle_patches(chosen, ORDER, PATCH)}
    side, gap, left, top = 56, 10, 6, 24
    figure, ax = style.canvas(2 * (side + top) + 14)
    for row, (name, images) in enumerate(rows.items()):
        y = top + row * (side + top + 4)
        ax.text(left, y - 8, text[name], weight="bold")
        for column, image in enumerate((images[:, 0] + 1) / 2):
            form = {"colour": style.INK, "size": (side / 8, side / 8), "depth": image, "deepest": 0.9}
            style.cells(ax, image, left + column * (side + gap), y, show=lambda value: "", **form)
    return figure
