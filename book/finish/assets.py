"""What both sites load: it is published once, below the root of the Korean site, and only what some page loads.

Addresses stay relative, so that a copy of the site works wherever it is served.
"""

from __future__ import annotations

import re

#: Style sheets stand in the pages (see book/finish/styles.py); maps are for whoever works on the theme; and its search
#: is not used.
UNPUBLISHED = re.compile(r"\.(css|map)$|^assets/javascripts/(lunr|workers)/")


def publish(files, *, here: bool) -> None:
    """Take out of MkDocs' files what no page loads; and copy none of the others, unless it is ``here``."""
    for file in list(files):
        if not file.src_uri.startswith("assets/"):
            continue
        if UNPUBLISHED.search(file.src_uri):
            files.remove(file)
        elif not here:
            file.copy_file = lambda dirty: None  # links to it stay good


def root(base: str, path: str) -> str:
    """Where a page finds ``assets/``. ``base``: the address of its own site's root, ``path``: that of its site's."""
    if base.startswith("/"):  # it is served at any address
        return base.removesuffix(path)
    return base + "../" * path.count("/")


def shared(page: str, base: str, path: str) -> str:
    """The page, with all that it loads from ``assets/`` of its own site loaded from where it is published."""
    return page.replace(f'"{base}assets/', f'"{root(base, path)}assets/')
