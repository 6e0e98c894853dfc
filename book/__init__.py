"""The machinery of the book: what turns Markdown, snippets and figures into two sites.

Nothing in here is taught by the book; what it teaches lives in ``snippets``.
"""
