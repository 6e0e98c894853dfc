"""The machinery of the book: what turns Markdown, snippets and figures into two sites.

Nothing in here is taught by the book; what it teaches lives in ``snippets``, which imports nothing from here.
"""

from snippets import ROOT

#: Of the pages; the first one is the language of the site's root.
LANGUAGES = ("ko", "en")
#: In the PDF and in the feed, as in LICENSE.
AUTHOR = "The authors of The Executable Transformer"

__all__ = ["AUTHOR", "LANGUAGES", "ROOT"]
