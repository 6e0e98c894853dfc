"""What moves between HBM and SRAM in one head: standard attention, and attention block by block."""

from matplotlib.patches import FancyBboxPatch

from snippets.families.flash_attention import plain_traffic, tiled_traffic
from snippets.figures import style

N, D, M = 4096, 64, 192 * 1024 // 2  # the sizes of the page's table: float16, 192 KB

TEXT = {
    "ko": {
        "standard": "표준 어텐션",
        "blocks": "블록 단위",
        "stay": "SRAM: S, P의 타일",
        "all": "모두 {:.1f}MB",
    },
    "en": {
        "standard": "standard attention",
        "blocks": "block by block",
        "stay": "SRAM: tiles of S, P",
        "all": "{:.1f} MB in all",
    },
}


def moves():
    """For each way: what moves (label, numbers, read or written), in order; and how often K and V are read."""
    blocks = (tiled_traffic(N, D, M) - 2 * N * D) // (2 * N * D)
    one, square = N * D, N**2
    standard = [
        ("Q, K", 2 * one, "read"),
        ("S", square, "write"),
        ("S", square, "read"),
        ("P", square, "write"),
        ("P, V", square + one, "read"),
        ("O", one, "write"),
    ]
    tiled = [("Q", one, "read"), ("K, V", blocks * 2 * one, "read"), ("O", one, "write")]
    return {"standard": standard, "blocks": tiled}, blocks


def draw(text):
    figure, ax = style.canvas(212)
    ways, blocks = moves()
    top, bottom, height = 34, 140, 28
    for left, width, name in [(6, 180, "standard"), (206, 119, "blocks")]:
        ax.text(left, 18, text[name], weight="bold")
        for y, memory in [(top, "HBM"), (bottom, "SRAM")]:
            form = {"boxstyle": "round,pad=0,rounding_size=4", "fill": False, "edgecolor": style.FAINT, "lw": 1}
            ax.add_patch(FancyBboxPatch((left, y), width, height, **form))
            label = text["stay"] if (memory, name) == ("SRAM", "blocks") else memory
            ax.text(left + width / 2, y + height / 2 + 3, label, ha="center")
        for i, (label, number, way) in enumerate(ways[name]):
            x = left + (i + 0.5) * width / len(ways[name])
            ends = (top + height + 20, bottom - 3) if way == "read" else (bottom - 3, top + height + 20)
            colour = style.WEIGHT if label[0] in "SP" else style.QUERY if way == "read" else style.OUTPUT
            size = 0.8 + 0.16 * 2 * number / 1e6  # two bytes a number
            head = {"arrowstyle": f"-|>,head_width={0.15 + 0.05 * size},head_length={0.3 + 0.05 * size}", "lw": size}
            head |= {"color": colour, "shrinkA": 0, "shrinkB": 0, "capstyle": "butt"}
            ax.annotate("", (x, ends[1]), (x, ends[0]), arrowprops=head)
            ax.text(x, top + height + 13, label, ha="center", size=style.SMALL)
            if label == "K, V":
                ax.text(x + 6, (top + height + bottom) / 2 + 12, f"× {blocks}", size=style.SMALL)
        total = 2 * {"standard": plain_traffic(N, D), "blocks": tiled_traffic(N, D, M)}[name] / 1e6
        ax.text(left + width / 2, bottom + height + 22, text["all"].format(total), ha="center", weight="bold")
    return figure
