"""What is put into a page at the very end: rendered formulas, drawings, and the colours of code.

They are most of a page's HTML, and nothing that an author wrote. Between Markdown and the finished page, the build
looks at each article (book/finish/article.py) and takes it apart for the search (book/finish/search.py); until the
end, a short element with the same words stands in for each of them.
"""

from __future__ import annotations

import hashlib
import re

PLACEHOLDER = re.compile(r'<x-later n="([0-9a-f]+)">[^<]*</x-later>')
#: Code with an element around each word that has a colour.
COLOURED = re.compile(r"(?<=<pre><span></span><code>).*?(?=</code></pre>)", re.DOTALL)


class Later:
    """HTML that waits for the end of a build, by a hash of it: another build may put the same off elsewhere."""

    def __init__(self) -> None:
        self.waiting: dict[str, str] = {}

    def put_off(self, html: str, words: str = "") -> str:
        """An element that stands in for the HTML. ``words``: escaped text that the search finds there."""
        name = hashlib.sha256(html.encode()).hexdigest()
        self.waiting[name] = html
        return f'<x-later n="{name}">{words}</x-later>'

    def put_off_colours(self, page: str) -> str:
        """The page with code in one piece."""
        return COLOURED.sub(lambda code: self.put_off(code[0], re.sub("<[^>]*>", "", code[0])), page)

    def put_in(self, page: str) -> str:
        """The page with what was put off."""
        return PLACEHOLDER.sub(lambda found: self.waiting.get(found[1], found[0]), page)

    def waiting_in(self, page: str) -> dict[str, str]:
        """What was put off of this page."""
        return {name: self.waiting[name] for name in PLACEHOLDER.findall(page)}


def at_once(html: str, words: str = "") -> str:
    """For whoever converts Markdown without a build: nothing is put off."""
    return html
