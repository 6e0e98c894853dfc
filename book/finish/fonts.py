"""The fonts that the first formulas of a page need, asked for before the style sheet asks for them.

A browser warns of a font that came early and that nothing used: what stands far below is not laid out until a reader
comes near, and what is folded until it is opened.
"""

from __future__ import annotations

import re

FOLDED = re.compile(r"<details\b.*?</details>", re.DOTALL)
#: What a font is for, in a formula as KaTeX writes it.
USED = {"Main-Regular": 'class="katex"', "Math-Italic": "mathnormal"}


def early(page: str, assets: str) -> str:
    """The links for a page's head; it finds the book's assets at ``assets``."""
    start = "<h2".join(page[page.find("<article") :].split("<h2", 2)[:2])
    start = FOLDED.sub("", start)
    fonts = [font for font, sign in USED.items() if sign in start]
    link = '<link rel="preload" href="{}katex/fonts/KaTeX_{}.woff2" as="font" type="font/woff2" crossorigin>'
    return "".join(link.format(assets, font) for font in fonts)
