"""What the figures share: colours, sizes, and how a figure becomes an SVG.

The same thing has the same colour in every figure. Colours are written into the SVG as CSS
variables, so a page can give them another shade on a dark background. Labels stay text, which
the reader's own font draws: so they are one line each, and placed by their anchor.
"""

from __future__ import annotations

import base64
import io
import logging
import os
import re
import unicodedata
import warnings

import matplotlib
import numpy as np
import torch
from PIL import Image

matplotlib.use("svg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402
from matplotlib.patches import FancyBboxPatch, Rectangle  # noqa: E402

QUERY, KEY, VALUE, WEIGHT, OUTPUT = "#2563ab", "#b4540a", "#1f7a45", "#7b3fa0", "#b3261e"
INK, FAINT = "#1f2328", "#6b737c"

#: Colour in the file -> name of the CSS variable that stands for it; docs/assets/css/book.css sets them.
VARIABLES = {
    QUERY: "--figure-query",
    KEY: "--figure-key",
    VALUE: "--figure-value",
    WEIGHT: "--figure-weight",
    OUTPUT: "--figure-output",
    INK: "--figure-ink",
    FAINT: "--figure-faint",
}

#: Name, colour and marker of the two orders of norm and sublayer, wherever they are compared.
ORDERS = [("post-LN", KEY, "o"), ("pre-LN", QUERY, "s")]

#: What a text is cut into, wherever it is cut.
WORD, SUBWORD, LETTER, MORPHEME, BYTE = KEY, VALUE, QUERY, OUTPUT, WEIGHT

#: Inches, of a figure and of a drawing for phones: the smallest labels are 11 pixels on a page of 432, and of 340.
WIDTH, NARROW = 4.6, 3.65
#: Points, of the smallest labels.
SMALL = 8.5
#: Points, from a baseline to the next, and from what a label is for to the label.
LINE, GAP = 11, 4
#: How much of its colour a cell has at least and at most: the ink on it must be readable on either theme.
PALEST, DEEPEST = 0.06, 0.47
#: Pixels of a cell in a strip of vectors: enlarged by the browser, a smaller picture would blur.
SHARP = 6

plt.rcParams.update(
    {
        "svg.fonttype": "none",
        "svg.hashsalt": "book",
        "svg.id": None,
        "font.family": "sans-serif",
        "font.size": 9,
        "axes.titlesize": 9,
        "axes.titlelocation": "left",
        "axes.labelsize": 9,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "legend.fontsize": SMALL,
        "legend.frameon": False,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": False,
        "grid.color": FAINT,
        "grid.alpha": 0.35,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.6,
        "figure.constrained_layout.use": True,
        "savefig.transparent": True,
    }
)
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def canvas(height, width=WIDTH):
    """A figure of ``height`` points and axes that count points from its upper left corner."""
    figure = plt.figure(figsize=(width, height / 72), layout="none")
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width * 72), ylim=(height, 0))
    ax.axis("off")
    return figure, ax


def cells(ax, values, x, y, *, colour, size=(22, 18), show="{:g}", depth=None, rows=(), columns=(), deepest=DEEPEST):
    """Draw a matrix on a canvas: numbers in cells, with labels on the left and below.

    values: (rows, columns). x, y: the upper left corner; size: (width, height) of a cell.
    show: a format, or a function from number to text.
    depth: how deep each cell's colour is, from 0 to 1; values / values.max() if it is not given.
    deepest: how much of its colour the deepest has; more than DEEPEST only where nothing is written.
    """
    width, height = size
    depth = values / values.max() if depth is None else depth
    middle = 0.36 * SMALL  # from the middle of a line of text down to its baseline
    for i, row in enumerate(values.tolist()):
        for j, value in enumerate(row):
            left, top = x + j * width, y + i * height
            alpha = PALEST + (deepest - PALEST) * float(depth[i][j])
            ax.add_artist(Rectangle((left + 0.5, top + 0.5), width - 1, height - 1, color=colour, alpha=alpha, lw=0))
            if text := show(value) if callable(show) else show.format(value):
                ax.text(left + width / 2, top + height / 2 + middle, text, ha="center", size=SMALL)
    for i, text in enumerate(rows):
        ax.text(x - 4, y + (i + 0.5) * height + middle, text, ha="right", size=SMALL)
    for j, text in enumerate(columns):
        ax.text(x + (j + 0.5) * width, y + len(values) * height + 10, text, ha="center", size=SMALL)


def vectors(ax, rows, corner, size, shade):
    """Draw vectors, (n, d), as the rows of a strip: the larger a component, the more colour.

    corner: the upper left one; size: (width, height).
    shade: a colour for either theme, since a picture has no variables.
    """
    (x, y), (width, height) = corner, size
    picture = np.empty((*rows.shape, 4))
    picture[..., :3] = to_rgb(shade)
    picture[..., 3] = (PALEST + (1 - PALEST) * rows.abs() / rows.abs().max()).numpy().round(2)
    picture = picture.repeat(SHARP, axis=0).repeat(SHARP // 2, axis=1)
    ax.imshow(picture, extent=(x, x + width, y + height, y), interpolation="none", aspect="auto")


def readable(token):
    """A token as text: its space as ␣, letters of a syllable as they stand alone, what is no character as bytes."""
    try:
        text = token.decode() if isinstance(token, bytes) else token
    except UnicodeDecodeError:
        return token.hex(" ").upper()
    return re.sub("[\u1100-\u11ff]", _alone, text).replace(" ", "␣")


def _alone(letter):
    return unicodedata.lookup("HANGUL LETTER " + unicodedata.name(letter[0]).split()[-1])


def width_of(text):
    """About how many points wide a small label is: the reader's own font draws it."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return SMALL * (wide + 0.6 * (len(text) - wide))


def boxes(ax, tokens, x, y, *, colour, room=4, width=None, pale=False, end=None):
    """Tokens in a row on a canvas, each in a box as wide as its text and ``room``, or as ``width``.

    What would reach beyond ``end`` begins another row. Returns how far down the last one is from the first.
    """
    height, start, first = 17, x, y
    for token in tokens:
        text = readable(token)
        size = width or width_of(text) + room
        if end and x + size > end:
            x, y = start, y + height + 2
        alpha = PALEST if pale else 0.6 * DEEPEST
        ax.add_artist(Rectangle((x + 0.5, y), size - 1, height, color=colour, alpha=alpha, lw=0))
        ax.text(x + size / 2, y + height / 2 + 0.36 * SMALL, text, ha="center", size=SMALL)
        x += size
    return y - first


def arrow(ax, *points, colour=FAINT, width=1.0):
    """A line on a canvas from point to point, with a head at the last."""
    *before, start, end = points
    if before:
        ax.plot(*zip(*before, start, strict=True), color=colour, lw=width, solid_capstyle="butt")
    look = {"arrowstyle": "-|>", "lw": width, "color": colour, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 8}
    ax.annotate("", end, start, arrowprops=look)


def block(ax, x, y, width, label, *, colour=FAINT, height=24, bold=False):
    """A part of a model on a canvas: a rounded box round its label. x: its middle, y: its upper edge."""
    form = {"boxstyle": "round,pad=0,rounding_size=4", "lw": 0}
    ax.add_patch(FancyBboxPatch((x - width / 2, y), width, height, fc=colour, alpha=0.12, **form))
    form["lw"] = 1.2
    ax.add_patch(FancyBboxPatch((x - width / 2, y), width, height, fill=False, ec=colour, **form))
    ax.text(x, y + height / 2 + 3.2, label, ha="center", weight="bold" if bold else "normal")


def plus(ax, x, y):
    """Where two vectors are added."""
    ax.plot(x, y, "o", ms=13, mfc="none", mec=FAINT)
    ax.text(x, y + 3.3, "+", ha="center", weight="bold")


def log_axes(ax, x=(), y=()):
    """Logarithmic axes with just these ticks, written as plain numbers; an axis without ticks stays as it is."""
    if x:
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, [str(tick) for tick in x])
    if y:
        ax.set_yscale("log", base=10)
        ax.set_yticks(y, [f"{tick:,}" for tick in y])
    ax.minorticks_off()


def name_lines(*axes):
    """Name each line at its right end, in its colour, in place of a legend: the last thing to do with all the axes.

    There is room for the longest label to the right of the axes. Labels that would come too close move apart, and
    then a stroke leads to the end of a line from where its label is now.
    """
    figure = axes[0].figure
    widths = [width_of(text) for ax in axes for _, texts in _named(ax) for text in texts]
    widest = 0.94 * max(widths, default=0)
    figure.get_layout_engine().set(rect=(0, 0, 1 - (widest + 3 * GAP) / 72 / figure.get_figwidth(), 1))
    for ax in axes:
        end = max(other.dataLim.x1 for other in ax.get_shared_x_axes().get_siblings(ax))
        if not ax.get_autoscalex_on() or not np.isfinite(end):
            continue  # somebody has set where it ends, or there is nothing in it
        scale = ax.xaxis.get_transform()
        first, last = scale.transform(np.array([ax.get_xlim()[0], end]))
        ax.set_xlim(right=scale.inverted().transform(last + 0.015 * (last - first)))  # half a marker
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # as in to_svg
        figure.draw_without_rendering()  # which makes the axes as high as they will be
    for ax in axes:
        _name_ends(ax)


def _named(ax):
    """What a legend would name: each line, unless it is empty, and the lines of text of its label."""
    both = zip(*ax.get_legend_handles_labels(), strict=True)
    return [(line, label.split("\n")) for line, label in both if _points(line).size]


def _name_ends(ax):
    """To the right of axes, write the labels of their lines."""
    ends = [(_points(line)[:, -1], line.get_color(), texts) for line, texts in _named(ax)]
    to_axes = ax.transData - ax.transAxes  # where a line leaves the axes above or below, that is its end
    found = [(float(np.clip(to_axes.transform(end)[1], 0, 1)), *rest) for end, *rest in ends]
    found.sort(key=lambda one: one[0])
    room = ax.bbox.height * 72 / ax.figure.dpi
    places = _apart([room * y for y, *_ in found], [LINE * len(texts) for *_, texts in found], room)
    moves = [place - room * y for place, (y, *_) in zip(places, found, strict=True)]
    moved = max(map(abs, moves), default=0) > GAP
    for move, (y, colour, texts) in zip(moves, found, strict=True):
        form = {"xy": (1, y), "xycoords": "axes fraction", "textcoords": "offset points"}
        form |= {"color": colour, "size": SMALL}
        for number, text in enumerate(texts):
            down = LINE * (number - (len(texts) - 1) / 2) + 0.36 * SMALL  # to its baseline
            ax.annotate(text, xytext=(GAP * (3 if moved else 1), move - down), **form).set_in_layout(False)
        if moved:
            stroke = {"arrowstyle": "-", "lw": 0.8, "color": colour, "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", xytext=(2.5 * GAP, move), arrowprops=stroke, **form).set_in_layout(False)


def _points(line):
    """What of a line is finite, from left to right: (2, points)."""
    points = np.array([np.asarray(along, dtype=float) for along in line.get_data()])
    points = points[:, np.isfinite(points).all(axis=0)]
    return points[:, points[0].argsort(kind="stable")]


def _apart(heights, sizes, room):
    """Where labels stand, from the lowest to the highest: as near to their heights as they can, within the room."""
    middles = np.cumsum(sizes) - np.array(sizes) / 2
    groups = []  # of labels that touch: how far all of them are above where they would be from 0 on, and how many
    for height, middle in zip(heights, middles, strict=True):
        groups.append((height - middle, 1))
        while len(groups) > 1 and groups[-2][0] >= groups[-1][0]:
            (one, n), (other, m) = groups[-2:]
            groups[-2:] = [((n * one + m * other) / (n + m), n + m)]
    shifts = [shift for shift, count in groups for _ in range(count)]
    return (middles + np.clip(shifts, -LINE / 2, max(room - sum(sizes), 0) + LINE / 2)).tolist()


def name_line(ax, label, at, move=(0, GAP), ha="center"):
    """Name a line where it is alone, in its colour: ``move`` points from a point in the data, on a baseline there."""
    line = next(line for line in ax.lines if line.get_label() == label)
    line.set_label(f"_{label}")  # what is named is not named again
    form = {"textcoords": "offset points", "ha": ha, "size": SMALL, "color": line.get_color()}
    for number, text in enumerate(reversed(label.split("\n"))):
        ax.annotate(text, at, (move[0], move[1] + LINE * number), **form).set_in_layout(False)


def legend(ax, loc, **form):
    """A legend in the axes; in a drawing for phones below them, since it would cover what it names."""
    figure, (handles, labels) = ax.figure, ax.get_legend_handles_labels()
    if figure.get_figwidth() == WIDTH:
        return ax.legend(loc=loc, **form)
    figure.set_figheight(figure.get_figheight() + 0.18 * len(labels))
    return figure.legend(handles, labels, loc="outside lower left")


def means(values, width):
    """Means of ``width`` steps at a time along the last axis, and the middle of the steps of each."""
    values = torch.as_tensor(values, dtype=torch.float32)
    blocks = values.size(-1) // width
    steps = (torch.arange(blocks) + 0.5) * width
    return steps, values[..., : blocks * width].unflatten(-1, (blocks, width)).mean(dim=-1)


def loss_axes(ax, text):
    """What every curve of a loss that falls to a hundredth has around it. text: x, y."""
    log_axes(ax, y=[0.01, 0.1, 1, 10])
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])


def warm_up_panels(runs, text, height):
    """A panel without warm-up and one with it. runs: by norm_first and warm-up steps; text: False, True, x.

    Returns the figure, and for each panel its axes and, for each of ORDERS, its runs, name, colour and marker.
    """
    figure, axes = plt.subplots(2, 1, figsize=(WIDTH, height), sharex=True)
    panels = []
    for ax, warmup_steps in zip(axes, sorted({warmup_steps for _, warmup_steps in runs}), strict=True):
        ax.set_title(text[bool(warmup_steps)].format(warmup_steps))
        ax.grid(axis="y")
        panels.append((ax, [(runs[name == "pre-LN", warmup_steps], name, *look) for name, *look in ORDERS]))
    axes[1].set_xlabel(text["x"])
    return figure, panels


def spread(ax, x, runs, colour, marker, label):
    """A curve of means, in a band from the lowest to the highest. runs: (seeds, len(x))."""
    ax.fill_between(x, runs.amin(dim=0), runs.amax(dim=0), color=colour, alpha=0.25, lw=0)
    ax.plot(x, runs.mean(dim=0), marker + "-", color=colour, ms=4, label=label)


def share_axes(ax, ticks, x, y):
    """Axes for shares between 0 and 1, with room for markers at both ends."""
    ax.set_xticks(ticks)
    ax.set_ylim(-0.04, 1.04)
    ax.grid(axis="y")
    ax.set_xlabel(x)
    ax.set_title(y)


def alignment(source, target, weights, text):
    """Weights of source tokens (columns) for each target token (rows). text: source, target."""
    cell, left, top = 26, 66, 78
    figure, ax = canvas(top + len(target) * 18 + 10)
    form = {"colour": WEIGHT, "size": (cell, 18), "depth": weights, "rows": target}
    cells(ax, weights, left, top, show=lambda weight: f"{weight:.1f}" if weight >= 0.15 else "", **form)
    for j, word in enumerate(source):
        form = {"rotation": 50, "rotation_mode": "anchor", "ha": "left", "size": SMALL}
        ax.text(left + (j + 0.5) * cell, top - 4, word, **form)
    ax.text(left, 12, text["source"], color=KEY, weight="bold")
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "color": QUERY, "weight": "bold"}
    ax.text(12, top + len(target) * 9, text["target"], **turned)
    return figure


def two_decimals(weight):
    """A weight; one of exactly 0 belongs to a key that may not be looked at, and looks different."""
    return "0" if weight == 0 else f"{weight:.2f}"


def _scripts(label):
    """Set ``d_k`` and ``K^T`` low and high, with elements: not every font has such letters."""
    result, now = "", 0.0
    for piece in re.findall(r"[_^][A-Za-z0-9]+|[^_^]+|[_^]", label):
        if piece[0] in "_^" and len(piece) > 1:
            level, size, style, piece = {"_": 0.2, "^": -0.35}[piece[0]], 0.75, ' style="font-size: 75%"', piece[1:]
        else:
            level, size, style = 0.0, 1.0, ""
        move = f' dy="{(level - now) / size:.2f}em"' if level != now else ""  # browsers differ about baseline-shift
        result += f"<tspan{move}{style}>{piece}</tspan>" if move or style else piece
        now = level
    return result


def to_svg(figure) -> str:
    """The figure as SVG text, ready to stand in a page: the same figure always gives the same bytes."""
    buffer = io.StringIO()
    with warnings.catch_warnings():
        # The reader's own font draws the labels, so it does not matter that matplotlib's has no Hangul.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(buffer, format="svg", metadata=dict.fromkeys(["Creator", "Date", "Format", "Type"]))
    plt.close(figure)
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]  # a page has no use for the XML header
    # matplotlib's style sheet would hold for the whole page; as an attribute it holds for the figure
    svg = re.sub(r"\s*<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg style="stroke-linejoin: round; stroke-linecap: butt" ', 1)
    svg = re.sub(r"(?<=base64,)[^\"]+", lambda picture: _with_palette(picture[0]), svg)
    svg = re.sub(r"<[^>]*>", lambda tag: _tag(tag[0]), svg)
    svg = re.sub(r"(<text[^>]*>)([^<]*)", lambda text: text[1] + _scripts(text[2]), svg)
    svg = re.sub(r"\s*\n\s*", "\n", svg)
    # a tick is a line, which has its colour where it is defined; each use of it repeats that
    for tick in re.findall(r'<path id="(\w+)" d="M[-\d. ]+L[-\d. ]+\s*" style="stroke: ', svg):
        svg = re.sub(rf'(<use xlink:href="#{tick}"[^>]*?) style="[^"]*"', r"\1", svg)
    alone = r"<g>\n(<(?:use|path)\b[^>]*/>|<text\b[^>]*>(?:(?!</?g\b).)*?</text>)\n</g>"
    while (lighter := re.sub(alone, r"\1", svg)) != svg:  # a group of one is none
        svg = lighter
    return svg


def drawn(module, language, **width):
    """A figure in one language as SVG text; what is random in it is the same each time."""
    torch.manual_seed(0)
    return to_svg(module.draw(module.TEXT[language], **width))


def show(module, *data):
    """In a notebook, display a figure in the language of the notebook; ``data`` as its ``draw`` takes it."""
    from IPython.display import SVG, display

    text = module.TEXT[os.environ.get("BOOK_LANGUAGE", "en")]
    # a dark notebook has no colours for figures, so they bring a light ground with them
    display(SVG(to_svg(module.draw(text, *data)).replace('style="', 'style="background: white; ', 1)))


def _with_palette(picture):
    """A PNG with a palette in place of four channels where its colours are few: the same in a tenth of the bytes."""
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGBA"))
    colours, indices = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True)
    if len(colours) > 256 or (colours[:, 3] < 255).any():
        return picture
    image = Image.fromarray(indices.reshape(pixels.shape[:2]).astype(np.uint8), mode="P")
    image.putpalette(colours[:, :3].tobytes())
    file = io.BytesIO()
    image.save(file, "png", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def _tag(tag):
    """What the page decides goes: colours become variables, the font is the page's. Geometry is rounded, and groups
    lose names that nothing refers to, the same in every figure of a page."""
    if re.fullmatch(r'<g id="\w+_\d+">', tag):
        return "<g>"
    # what is given gid="step-3" comes after three other steps, on a page where the figure plays: book.css
    tag = re.sub(r'^<g id="step-(\d+)">$', r'<g class="step" style="--step: \1">', tag)
    for colour, variable in VARIABLES.items():
        tag = re.sub(rf"{colour}\b", f"var({variable}, {colour})", tag, flags=re.IGNORECASE)
    tag = re.sub(r" font-family: [^;\"]+;?", "", tag)
    tag = re.sub(r' transform="rotate\(-?0 [^"]*"', "", tag)
    if not tag.startswith("<image"):  # whose matrix is multiplied by hundreds of pixels
        tag = re.sub(r"(\d\.\d\d)\d+", r"\1", tag)  # a hundredth of a point is exact enough
    return re.sub(r"\s*([MLCQz])\s+(?=[-\dMLCQz\"])", r"\1", tag) if tag.startswith("<path") else tag
