"""The picture that is seen of a link to the book when somebody shares it: its name, what it is, and one figure."""

from __future__ import annotations

import io
import re

from matplotlib import font_manager
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from book import strings
from snippets.figures import style

#: Fonts with Hangul, as their names begin: of Linux, Windows and macOS.
HANGUL = ("Noto Sans CJK", "NanumGothic", "Malgun Gothic", "Apple SD Gothic Neo")


def of(module, language: str) -> bytes:
    """The card in a language as a PNG, with the figure that the module draws; in English where this machine has no
    font for the language, since the letters of a PNG are drawn here and not by the reader's machine."""
    fonts = fonts_for(language)
    if not fonts:
        language, fonts = "en", fonts_for("en")
    words = strings.of(language)["site"]
    return drawn(module.draw(module.TEXT[language]), words["site_name"], words["site_description"], fonts)


def fonts_for(language: str) -> list[str]:
    """Return the families in which matplotlib sets a language, the first that has a letter first; none, if there is
    no font with Hangul and Hangul is asked for."""
    latin = str(plt.rcParamsDefault["font.sans-serif"][0])
    if language != "ko":
        return [latin]
    return [name for begin in HANGUL for name in installed() if name.startswith(begin)][:1]


def installed() -> list[str]:
    """Return the names of the fonts that matplotlib finds on this machine, in order."""
    return sorted({font.name for font in font_manager.fontManager.ttflist})


def drawn(figure: Figure, title: str, subtitle: str, fonts: list[str]) -> bytes:
    """A figure below a title and a line as the bytes of a PNG, 1200 by 630 pixels."""
    for label in figure.findobj(Text):
        label.set_text(re.sub(r"(\w+)([_^])(\w+)", r"$\\mathrm{\1\2{\3}}$", label.get_text()))
        label.set_fontfamily(fonts)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=300, transparent=False, facecolor="white", bbox_inches="tight")
    plt.close(figure)
    whole = plt.figure(figsize=(12, 6.3), dpi=100, layout="none")
    whole.text(0.05, 0.89, title, size=34, weight="bold", color=style.WEIGHT, va="center", family=fonts)
    whole.text(0.05, 0.79, subtitle, size=15, color=style.FAINT, va="center", family=fonts)
    ax = whole.add_axes((0.05, 0.06, 0.9, 0.66))
    ax.imshow(Image.open(buffer))
    ax.axis("off")
    buffer = io.BytesIO()
    whole.savefig(buffer, format="png", dpi=100, transparent=False, facecolor="white", metadata={"Software": None})
    plt.close(whole)
    return buffer.getvalue()
