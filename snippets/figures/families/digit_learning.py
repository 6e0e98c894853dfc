"""Training loss and accuracy on the test set of five trainings on digits, three seeds each."""

from snippets.families.vision_training import EVALUATE, STEPS, by_seed
from snippets.figures import style

CURVES = [
    ("class token", style.QUERY, "o"),
    ("class token, shuffled", style.KEY, "s"),
    ("CNN", style.VALUE, "^"),
    ("CNN, shuffled", style.WEIGHT, "v"),
    ("no positions", style.OUTPUT, "D"),
]

TEXT = {
    "ko": {
        "class token": "ViT",
        "class token, shuffled": "ViT, 패치를 섞음",
        "CNN": "CNN",
        "CNN, shuffled": "CNN, 패치를 섞음",
        "no positions": "ViT, 위치 없음",
        "x": "스텝",
        "loss": "학습 손실",
        "accuracy": "테스트 셋의 정확도",
    },
    "en": {
        "class token": "ViT",
        "class token, shuffled": "ViT, shuffled",
        "CNN": "CNN",
        "CNN, shuffled": "CNN, shuffled",
        "no positions": "ViT, no positions",
        "x": "step",
        "loss": "training loss",
        "accuracy": "accuracy on the test set",
    },
}


def draw(text):
    figure, (above, below) = style.plt.subplots(2, 1, figsize=(style.WIDTH, 6.0), sharex=True)
    for name, colour, marker in CURVES:
        steps, losses = style.means(by_seed(name, "losses"), EVALUATE)
        style.spread(above, steps, losses, colour, marker, text[name])
        accuracies = by_seed(name, "accuracies")
        ends = [EVALUATE * (i + 1) for i in range(accuracies.size(1))]
        style.spread(below, ends, accuracies, colour, marker, text[name])
    style.log_axes(above, y=[0.001, 0.01, 0.1, 1])
    above.grid(axis="y")
    above.set_title(text["loss"])
    above.set_ylim(1e-3, 3)
    style.share_axes(below, range(0, STEPS + 1, 200), text["x"], text["accuracy"])
    below.set_ylim(0.5, 1.0)
    style.name_lines(above)
    return figure
