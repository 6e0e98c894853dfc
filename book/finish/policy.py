"""What a page may load and run, written into the page, since a static host sends no such header.

Scripts: files of this site, and the one that stands in the page, named by its hash. Styles may stand anywhere: KaTeX
sets each box of a formula with an attribute. Pictures may be data: drawings hold some.
"""

from __future__ import annotations

import base64
import hashlib
import re

POLICY = (
    "default-src 'self'; script-src 'self'{hashes}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'"
)
#: What book/theme/main.html has in the place of the policy.
PLACE = '<meta http-equiv="Content-Security-Policy" content="">'


def written(page: str) -> str:
    """The page, with its policy in the place that it has for one."""
    scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    policy = POLICY.format(hashes="".join(f" 'sha256-{one}'" for one in hashes))
    return page.replace(PLACE, PLACE.replace('content=""', f'content="{policy}"'))


def without(page: str) -> str:
    """While the book is written, the server puts a script of its own into each page."""
    return page.replace(PLACE, "")
