"""The last look at a finished page, whatever has built it: a function of its HTML."""

from __future__ import annotations

from book.finish import assets, columns, fonts, foreign, policy
from book.finish.styles import Styles


def finished(page: str, base: str, path: str, language: str, styles: Styles, served: bool = False) -> str:
    """Return a page with its styles in it, its foreign words marked, and what both sites share where it is.

    ``base``: from the page to the root of its own site, which is at ``path`` below the whole one; ``served``: while
    somebody writes it, it may load what the server adds.
    """
    page = foreign.marked(columns.aligned(assets.shared(page, base, path)), language)
    where = f"{assets.root(base, path)}assets/"
    style = styles.of(page, where) + columns.rules(page)
    page = page.replace("<style></style>", f"{fonts.early(page, where)}<style>{style}</style>", 1)
    return policy.without(page) if served else policy.written(page)
